"""Cached documents are found again, and nothing else is."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import longsum
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.readers import ReadLimits, cache, read_bytes, reading
from longsum.documents.readers.cache import DocumentCache

_PAGE = "<html lang=en><h1>Wïde rivers</h1><p>The river is wide. Dams hold it.</html>".encode()
_LIMITS = ReadLimits()


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the names of files that were read rather than found in the cache."""
    names: list[str] = []
    real = reading._read

    def noted(data: bytes, name: str, limits: ReadLimits, isolated: bool) -> Document:
        names.append(name)
        return real(data, name, limits, isolated)

    monkeypatch.setattr(reading, "_read", noted)
    return names


def _entry(folder: Path) -> Path:
    (entry,) = folder.iterdir()
    return entry


def test_a_document_is_read_once(tmp_path: Path, readings: list[str]) -> None:
    folder = tmp_path / "a" / "kept"
    first = read_bytes(_PAGE, "a.html", cache=folder)
    assert read_bytes(_PAGE, "a.html", cache=folder) == first == read_bytes(_PAGE, "a.html")
    assert readings == ["a.html", "a.html"]
    file = tmp_path / "a.html"
    file.write_bytes(_PAGE)
    assert longsum.read(file, cache=str(folder)) == first
    assert len(readings) == 2


@pytest.mark.parametrize(
    ("data", "name", "limits"),
    [
        (_PAGE + b" ", "a.html", _LIMITS),
        (_PAGE, "b.html", _LIMITS),
        (_PAGE, "a.html", ReadLimits(html_depth=9)),
    ],
)
def test_whatever_decides_how_a_file_is_read_makes_another_entry(
    data, name, limits, tmp_path, readings
) -> None:
    read_bytes(_PAGE, "a.html", cache=tmp_path)
    read_bytes(data, name, limits=limits, cache=tmp_path)
    assert readings == ["a.html", name]


def test_other_readers_make_other_entries(tmp_path: Path, readings: list[str]) -> None:
    read_bytes(_PAGE, "a.html", cache=tmp_path)
    read_bytes(_PAGE, "a.html", cache=DocumentCache(tmp_path, _version="another"))
    assert len(readings) == 2
    assert len(list(tmp_path.iterdir())) == 2


def test_a_change_of_the_code_or_its_lists_makes_other_entries(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(cache, "_ROOM", tmp_path / "documents")
    seen = [cache.readers_version.__wrapped__()]
    for name in ("documents/a.py", *["documents/b/c.txt"] * 2, "language/d.py", "language/e.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(str(len(seen)))
        seen.append(cache.readers_version.__wrapped__())
    assert len({*seen[:5]}) == 5
    assert seen[4] == seen[5]


def test_a_file_that_is_refused_is_refused_again(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(LongsumError, match="is empty"):
            read_bytes(b" ", "a.txt", cache=tmp_path)
    read_bytes(_PAGE, "a.html", cache=tmp_path)
    with pytest.raises(LongsumError, match="has more than 9 bytes"):
        read_bytes(_PAGE, "a.html", limits=ReadLimits(size=9), cache=tmp_path)


def _flip(content: bytes) -> bytes:
    return content.replace(b"river", b"liver")


def _lie(content: bytes) -> bytes:
    head, body = content.split(b"\n", 1)
    return head.replace(b"longsum/kept-document/2", b"longsum/kept-document/0") + b"\n" + body


def _other(content: bytes) -> bytes:
    body = json.dumps({"schema": "longsum/document/1", "text": "x"}).encode() + b"\n"
    name = json.loads(content.split(b"\n")[0])["entry"]
    return json.dumps(cache._head(Path(name), body)).encode() + b"\n" + body


def _swapped(content: bytes) -> bytes:
    """Return an entry that states the name of another."""
    return content.replace(b'"entry": "longsum-document-', b'"entry": "longsum-document-0')


@pytest.mark.parametrize(
    "damage",
    [
        _flip,
        _lie,
        _other,
        _swapped,
        lambda _: b"",
        lambda _: b"\x80\n\n",
        lambda c: c[:-9],
        lambda c: c[9:],
    ],
)
def test_damaged_entries_are_ignored_and_written_again(damage, tmp_path, readings) -> None:
    first = read_bytes(_PAGE, "a.html", cache=tmp_path)
    whole = _entry(tmp_path).read_bytes()
    _entry(tmp_path).write_bytes(damage(whole))
    assert read_bytes(_PAGE, "a.html", cache=tmp_path) == first
    assert len(readings) == 2
    assert _entry(tmp_path).read_bytes() == whole


def test_files_planted_in_place_of_an_entry_are_replaced(tmp_path: Path) -> None:
    mine, folder = tmp_path / "mine", tmp_path / "kept"
    mine.write_text("mine")
    first = read_bytes(_PAGE, "a.html", cache=folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    entry, whole = _entry(folder), _entry(folder).read_bytes()
    for plant in (lambda: entry.symlink_to(mine), lambda: os.mkfifo(entry)):
        entry.unlink()
        plant()
        assert read_bytes(_PAGE, "a.html", cache=folder) == first
        assert stat.S_ISREG(entry.lstat().st_mode)
        assert (entry.read_bytes(), mine.read_text()) == (whole, "mine")


def test_the_least_recently_used_entries_are_removed(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    pages = {name: f"<html><p>Page {name} is here.".encode() for name in "abcd"}
    read_bytes(pages["a"], "a", cache=tmp_path)
    (size,) = (path.stat().st_size for path in tmp_path.glob("longsum-*"))
    kept = DocumentCache(tmp_path, 3 * size + size // 2)
    for age, name in enumerate("abc"):
        read_bytes(pages[name], name, cache=kept)
        path = kept._path(pages[name], name, _LIMITS)
        os.utime(path, (age, age))
    read_bytes(pages["a"], "a", cache=kept)
    read_bytes(pages["d"], "d", cache=kept)
    assert [name for name in "abcd" if kept.find(pages[name], name, _LIMITS)] == ["a", "c", "d"]
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert sum(path.stat().st_size for path in tmp_path.glob("longsum-*")) <= kept.most


def test_a_document_larger_than_the_folder_is_not_kept(tmp_path: Path) -> None:
    assert read_bytes(_PAGE, "a.html", cache=DocumentCache(tmp_path, 99)).sentences
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_a_warning(tmp_path, monkeypatch) -> None:
    (tmp_path / "file").write_text("x")
    document = read_bytes(_PAGE, "a.html", cache=tmp_path / "file" / "folder")
    assert document.warnings == (
        "The document was not kept, as the folder of the cache cannot be written.",
    )

    def refuse(path: Path, _: bytes) -> None:
        raise LongsumError(f"'{path}' cannot be written: Read-only file system.")

    monkeypatch.setattr(cache, "write_kept", refuse)
    document = read_bytes(_PAGE, "a.html", cache=tmp_path)
    assert "was not kept" in document.warnings[-1]
    assert str(tmp_path) not in document.warnings[-1]
    assert replace(document, warnings=()) == read_bytes(_PAGE, "a.html")


def test_threads_share_a_folder(tmp_path: Path) -> None:
    pages = [f"<html><p>Page {number} is here.".encode() for number in range(8)] * 4
    small = DocumentCache(tmp_path, 2_000)
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda page: read_bytes(page, "a.html", cache=small).text, pages))
    assert texts == [read_bytes(page, "a.html").text for page in pages]
    assert all(path.name.startswith("longsum-document-") for path in tmp_path.iterdir())
