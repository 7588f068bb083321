import os
import sys
from dataclasses import fields
from types import SimpleNamespace

import pytest

import longsum
from longsum.common.errors import LongsumError
from longsum.documents.readers import ReadLimits, read, read_bytes
from longsum.documents.readers.detect import parse
from tables import rows


@pytest.mark.parametrize(
    ("setting", "limits"),
    [
        ("pages=20000", ReadLimits(pages=20_000)),
        ("pages=20,000", ReadLimits(pages=20_000)),
        ("characters=200M", ReadLimits(characters=200_000_000)),
        ("memory=2GB", ReadLimits(memory=2_000_000_000)),
        ("memory=1.5 GiB", ReadLimits(memory=3 * 2**29)),
        ("size=64k", ReadLimits(size=64_000)),
        ("seconds=0.5", ReadLimits(seconds=0.5)),
    ],
)
def test_settings(setting: str, limits: ReadLimits) -> None:
    assert ReadLimits.parse([setting]) == limits
    assert ReadLimits.parse(["pages=3", "seconds=4", "pages=5"]) == ReadLimits(pages=5, seconds=4)
    assert ReadLimits.parse([]) == ReadLimits()


_LIMITS = ReadLimits()
_UNKNOWN = "is not a limit; give one of size, characters, pages"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("page=3 pages pages= pages=many memory=2TB =3", _UNKNOWN),
        (f"pages={'9' * 400}", _UNKNOWN),
        ("pages=0 seconds=0 memory=0.5", "must be above 0"),
        (f"seconds=1000001 memory=2000000GB pages={10**15 + 1}", "at most"),
    ],
)
def test_settings_that_are_no_limit(settings: str, says: str) -> None:
    for setting in settings.split():
        with pytest.raises(LongsumError, match=says):
            ReadLimits.parse([setting])


@pytest.mark.parametrize(
    ("limit", "words"), rows(__file__, "a_refusal_names_the_limit_and_its_setting")
)
def test_a_refusal_names_the_limit_and_its_setting(limit: str, words: str) -> None:
    assert all("raise the limit" in str(_LIMITS.refusal("", each.name)) for each in fields(_LIMITS))
    said = str(_LIMITS.refusal("a.pdf", limit))
    assert said.startswith(f"a.pdf {words}")
    assert f"--read-limit {limit}=" in said
    assert f"ReadLimits({limit}=" in said
    assert said.count(". ") == 0


@pytest.mark.parametrize(
    "unit",
    [
        *("a\n\n", "- a\n", "A. ", "1. a\n", "Why? ", "# H\n\n", "<p>A</p>", "Ada\n", "ß\n"),
        *("<main>A</main>", "<td>A", "<table><td>A<td>A", "中文字。"),
    ],
)
def test_pieces_of_hardly_a_word_are_counted_before_they_are_read(unit: str) -> None:
    limits = ReadLimits(pieces=30)
    with pytest.raises(LongsumError, match="more than 30 paragraphs, items or sentences"):
        parse((unit * 40).encode(), limits=limits)
    for sentence in ("The river carries water to the sea. ", "河流把水从山上带到大海里去。"):
        prose = sentence * 31 + unit * 12
        assert len(parse(prose.encode(), limits=limits).sentences) >= 31


def test_a_file_of_the_largest_size_is_read_and_one_byte_more_is_not(tmp_path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"The sea is wide.\n")
    assert len(longsum.read(file, limits=ReadLimits(size=17)).sentences) == 1
    with pytest.raises(LongsumError, match=r"a\.txt has more than 16 bytes"):
        longsum.read(file, limits=ReadLimits(size=16))
    with pytest.raises(LongsumError, match=r"a\.txt has more than 16 bytes"):
        read_bytes(file.read_bytes(), "a.txt", limits=ReadLimits(size=16))


class _Endless:
    """An endless stream that records how much of it was read."""

    taken = 0

    def read(self, size: int) -> bytes:
        self.taken += size
        return b" " * size


def test_endless_input_is_read_only_up_to_the_limit(monkeypatch) -> None:
    stream = _Endless()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
    with pytest.raises(LongsumError, match="standard input has more than 3 MB"):
        read("-", limits=ReadLimits(size=3_000_000))
    assert stream.taken < 5_000_000


def test_a_file_that_sends_nothing_is_refused(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("longsum.common.names._PATIENCE", 0.1)
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(LongsumError, match=r"\(nothing came from it for 0.1 seconds\)"):
        read(tmp_path / "fifo")


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.json"])
def test_characters_are_counted_not_bytes(name: str) -> None:
    texts = {"a.html": "<p>Ünïcödé wörds.", "a.json": '{"text": "Ünïcödé wörds."}'}
    text = texts.get(name, "Ünïcödé wörds.")
    assert read_bytes(text.encode(), name, limits=ReadLimits(characters=len(text))).sentences
    with pytest.raises(LongsumError, match=r"characters; .*characters=…"):
        read_bytes(text.encode(), name, limits=ReadLimits(characters=len(text) - 1))


def test_a_word_has_a_longest_length_in_scripts_that_divide_words() -> None:
    limits = ReadLimits(word=20)
    for text in ("a" * 20, "a" * 20 + "-" + "b" * 20, "中" * 30 + "。", "ก" * 30, "(" * 30 + "a."):
        assert read_bytes(f"The word {text} is read.".encode(), "a.txt", limits=limits).sentences
    with pytest.raises(LongsumError, match=r"a\.txt has a word of more than 20 letters; .*word=…"):
        read_bytes(b"The word " + b"a" * 21 + b" is not.", "a.txt", limits=limits)
