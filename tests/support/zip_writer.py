"""Zip files written byte by byte, so that they can be wrong in any way (PKWARE, APPNOTE 6.3)."""

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

STORED, DEFLATED = 0, 8
_BLOCK = 2**20
_ZIP64 = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Part:
    """One entry.

    Attributes:
        name: Its name.
        packed: Its bytes in the archive.
        size: The size that it is said to unpack to.
        crc: The checksum of what it unpacks to.
        method: How it is packed.
        flags: Flags, such as 1 for encrypted.
        attributes: Its type and permissions on Unix.
        zip64: Whether its sizes are written in 64 bits.
        same_place: Whether it lies where the entry before it does.
    """

    name: str
    packed: bytes
    size: int
    crc: int
    method: int = DEFLATED
    flags: int = 0
    attributes: int = 0
    zip64: bool = False
    same_place: bool = False


def part(name: str, content: bytes) -> Part:
    """Return an entry with a content."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    return Part(name, packed, len(content), zlib.crc32(content))


def bomb(name: str, megabytes: int, size: int | None = None) -> Part:
    """Return an entry that unpacks to the given megabytes of spaces, a thousand times its size."""
    block = b" " * _BLOCK
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    crc = 0
    for _ in range(megabytes):
        crc = zlib.crc32(block, crc)
    whole = packed * megabytes + b"\x03\x00"
    return Part(name, whole, megabytes * _BLOCK if size is None else size, crc)


def zip_file(parts: Iterable[Part]) -> bytes:
    """Return an archive of parts."""
    body, directory, count, start = bytearray(), bytearray(), 0, 0
    for each in parts:
        name = each.name.encode()
        extra = struct.pack("<HHQQ", 1, 16, each.size, len(each.packed)) if each.zip64 else b""
        sizes = (_ZIP64, _ZIP64) if each.zip64 else (len(each.packed), each.size)
        shared = (45 if each.zip64 else 20, each.flags, each.method, 0, 0x21, each.crc, *sizes)
        if not each.same_place:
            start = len(body)
            body += struct.pack("<4s5H3L2H", b"PK\x03\x04", *shared, len(name), len(extra))
            body += name + extra + each.packed
        directory += struct.pack(
            "<4s6H3L5H2L", b"PK\x01\x02", 0x0300 | 20, *shared, len(name), len(extra), 0, 0, 0,
            each.attributes << 16, start,
        ) + name + extra  # fmt: skip
        count += 1
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)
    return bytes(body + directory) + end
