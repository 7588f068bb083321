"""The zip archive of an EPUB, read defensively: nothing is unpacked to disk or beyond the limits.

An EPUB is an untrusted zip file. Its directory may lie about sizes, so bytes are counted while they
are unpacked; names are only looked up, never joined to a path of this machine.
"""

import io
import posixpath
import re
import zipfile
import zlib
from html.entities import html5
from urllib.parse import unquote

from lxml import etree

from longsum.documents.readers.decode import decode
from longsum.documents.readers.depth import depth
from longsum.documents.readers.html import ENCODING
from longsum.documents.readers.limits import ReadLimits
from longsum.errors import LongsumError

MAX_ENTRIES = 10_000
LARGEST_PART = 64 * 2**20
"""Most bytes of one text part; a long novel has one or two million."""
MAX_GROWTH = 100
"""Most times that a part of over a megabyte may grow; text compresses three- to fivefold."""

_MIMETYPE = b"mimetypeapplication/epub+zip"
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_BLOCK = 2**20
_DEPTH_OF_XML = 256
"""The depth that libxml2 allows unless told that a tree is huge."""
# Fonts are often obfuscated, which hides no text.
_OBFUSCATED_FONTS = frozenset(
    {"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"}
)
# A named reference, or a bare ampersand.
_REFERENCE = re.compile(r"&(?:([A-Za-z][A-Za-z0-9]{1,31});|(?!#?\w+;))")
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


def is_epub(data: bytes) -> bool:
    """Return whether a zip file is an EPUB, by its first entry or by its container file."""
    if data.startswith(_MIMETYPE, 30):
        return True
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _CONTAINER in archive.NameToInfo
    except _DAMAGED:
        return False


class Archive:
    """The parts of an EPUB by name, unpacked in memory one at a time."""

    def __init__(self, data: bytes, name: str, limits: ReadLimits) -> None:
        """Open the archive.

        Raises:
            LongsumError: It is damaged, has too many parts, or is encrypted.
        """
        self._name = name
        self._limits = limits
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGED as error:
            raise self.damaged() from error
        if len(self._archive.infolist()) > MAX_ENTRIES:
            raise LongsumError(
                f"{name} contains more than {MAX_ENTRIES:,} files, which no book does; "
                "check where it came from."
            )
        self._left = limits.unpacked
        self._encrypted: frozenset[str] = frozenset()
        if _ENCRYPTION in self:
            self._encrypted = self._read_encryption()

    def __contains__(self, part: str) -> bool:
        return part in self._archive.NameToInfo

    def damaged(self) -> LongsumError:
        """Return the error for an archive that cannot be read."""
        return LongsumError(f"{self._name} is a damaged EPUB; get the file again.")

    def package(self) -> str:
        """Return the name of the package file, which lists the book's parts.

        Raises:
            LongsumError: There is none.
        """
        for element in self.xml(_CONTAINER).iter("rootfile"):
            if path := element.get("full-path"):
                return resolve("", path)
        raise self.damaged()

    def text(self, part: str, warnings: list[str]) -> str:
        """Return a part as text; guesses about its encoding are added to the warnings.

        Raises:
            LongsumError: The part is missing, encrypted, damaged, too large, or not text.
        """
        text, found = decode(self._bytes(part), f"'{part}' in {self._name}")
        warnings.extend(warning for warning in found if warning not in warnings)
        return text

    def xml(self, part: str) -> etree._Element:
        """Return a part as XML, tags without namespaces.

        Raises:
            LongsumError: As `text`; or the part is not XML.
        """
        root = parse_xml(self.text(part, []), self._limits)
        if root is None:
            raise self.damaged()
        return root

    def _bytes(self, part: str) -> bytes:
        info = self._archive.NameToInfo.get(part)
        if info is None:
            raise self.damaged()
        if info.flag_bits & 1 or part in self._encrypted:
            raise LongsumError(
                f"{self._name} is encrypted (DRM), so it cannot be read; "
                "use a copy without protection."
            )
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self.damaged()
        limit = min(LARGEST_PART, max(_BLOCK, MAX_GROWTH * info.compress_size))
        blocks: list[bytes] = []
        read = 0
        try:
            with self._archive.open(info) as file:
                while block := file.read(_BLOCK):
                    read += len(block)
                    if read > self._left:
                        raise self._limits.refusal(self._name, "unpacked")
                    if read > limit:
                        raise LongsumError(
                            f"'{part}' in {self._name} unpacks to more text than a book can have; "
                            "check where it came from."
                        )
                    blocks.append(block)
        except (*_DAMAGED, RuntimeError) as error:
            raise self.damaged() from error
        self._left -= read
        return b"".join(blocks)

    def _read_encryption(self) -> frozenset[str]:
        """Return the names of the parts that are encrypted."""
        found = set()
        for data in self.xml(_ENCRYPTION).iter("EncryptedData"):
            method = data.find("EncryptionMethod")
            algorithm = None if method is None else method.get("Algorithm")
            if algorithm not in _OBFUSCATED_FONTS:
                found |= {resolve("", ref.get("URI", "")) for ref in data.iter("CipherReference")}
        return frozenset(found)


def resolve(base: str, reference: str) -> str:
    """Resolve a reference in the part `base` to the name of a part, without fragment.

    A reference out of the archive, or to a server, is the name of no part.
    """
    path = unquote(reference.partition("#")[0])
    if not path:
        return base
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), path))


def parse_xml(text: str, limits: ReadLimits) -> etree._Element | None:
    """Parse XML; return None if it is not well formed, or exceeds limits of depth and size.

    Nothing is fetched, and entities that a document defines are dropped. HTML entities, bare
    ampersands and undeclared prefixes are accepted, since many books have them.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=limits.xml_depth > _DEPTH_OF_XML,
        # Recovers from undeclared prefixes, and from fatal errors too, which the log shows.
        recover=True,
        encoding="utf-8",
    )
    plain = _REFERENCE.sub(_by_number, ENCODING.sub("", text))
    try:
        root = etree.fromstring(plain.encode("utf-8", "replace"), parser=parser)
        if root is None or parser.error_log.filter_from_fatals():
            return None
        if depth(root) > limits.xml_depth:
            return None
        etree.strip_tags(root, etree.Entity)
        for element in root.iter("*"):
            element.tag = re.split("[}:]", element.tag)[-1]
    except (etree.XMLSyntaxError, ValueError):
        return None
    return root


def _by_number(found: re.Match[str]) -> str:
    characters = "&" if found[1] is None else html5.get(f"{found[1]};")
    if characters is None:
        return found[0]
    return "".join(f"&#{ord(character)};" for character in characters)
