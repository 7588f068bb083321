"""The checks of zipped documents: true and false statements of the directory."""

import io
import zipfile

import pytest

from longsum.common.errors import LongsumError
from longsum.documents.readers import ReadLimits, read_bytes, zip_archive
from longsum.documents.readers.zip_archive import ZipArchive, entry_names, resolve
from tables import rows


def _zip(method: int = zipfile.ZIP_DEFLATED, **parts: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, text in parts.items():
            archive.writestr(f"{name}.xml", text)
    return buffer.getvalue()


def _open(data: bytes, limits: ReadLimits = ReadLimits()) -> ZipArchive:  # noqa: B008
    return ZipArchive(data, "a.zip", limits, "Word file")


def _says(data: bytes, part: str = "a.xml") -> str:
    with pytest.raises(LongsumError) as caught:
        _open(data).content(part)
    return str(caught.value)


def test_parts_by_name() -> None:
    archive = _open(_zip(a="<x/>", b="text"))
    assert list(archive) == ["a.xml", "b.xml"]
    assert archive.content("b.xml") == b"text"
    assert archive.xml("a.xml").tag == "x"


def test_a_directory_that_lies_about_sizes_is_caught_while_unpacking() -> None:
    data = bytearray(_zip(a="a" * 5_000_000))
    for signature, place in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = data.index(signature) + place
        data[at : at + 4] = (100).to_bytes(4, "little")
    assert "damaged" in _says(bytes(data))


def test_too_many_parts_are_refused_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _zip(**{f"a{number}": "" for number in range(12)})
    assert len(entry_names(data)) == 12
    monkeypatch.setattr(zip_archive, "MAX_ENTRIES", 10)
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert "contains more than 10 files" in _says(data)
    with pytest.raises(LongsumError, match=r"^a\.zip contains more than 10 files"):
        read_bytes(data, "a.zip")


def test_all_text_parts_together_have_a_limit() -> None:
    data = _zip(a="ab" * 3000, b="cd" * 3000)
    with pytest.raises(LongsumError, match="unpacked="):
        _open(data, ReadLimits(unpacked=10_000))


def test_all_that_is_unpacked_has_the_limit_whatever_it_is_called() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name in ("a.bin", "b.bin"):
            file.writestr(name, "ab" * 3000)
    few, enough = (_open(buffer.getvalue(), ReadLimits(unpacked=most)) for most in (11_999, 12_000))
    assert few.content("a.bin") == enough.content("a.bin") == b"ab" * 3000
    with pytest.raises(LongsumError, match="unpacked="):
        few.content("b.bin")
    assert len(enough.content("b.bin")) == 6000


def test_encrypted_and_damaged_parts_are_refused() -> None:
    data = bytearray(_zip(a="text"))
    for signature, place in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.index(signature) + place] |= 1
    assert "is encrypted" in _says(bytes(data))
    assert "damaged Word file" in _says(_zip(a="text")[:-30])
    assert "damaged" in _says(_zip(a="text"), "b.xml")
    assert "damaged" in _says(_zip(zipfile.ZIP_BZIP2, a="text"))
    assert "damaged" in _says(b"PK\x03\x04")


@pytest.mark.parametrize(
    ("packed", "most"),
    [(0, 2**20), (10_485, 2**20), (10_486, 1_048_600), (671_088, 67_108_800), (671_089, 2**26)],
)
def test_how_far_a_part_may_grow(packed: int, most: int) -> None:
    entry = zipfile.ZipInfo("a.xml")
    entry.compress_size = packed
    assert zip_archive._most(entry) == most


@pytest.mark.parametrize(
    ("base", "reference", "part"), rows(__file__, "references_only_name_parts")
)
def test_references_only_name_parts(base: str, reference: str, part: str) -> None:
    assert resolve(base, reference) == part
