"""What `benchmarks/books.py` summarizes, and how it kills."""

import sys

import pytest

import books
from longsum.documents import Document
from longsum.documents.readers import read
from longsum.evaluation.datasets import Example


def chapter(document: Document, id: str, license: str, book: str = "Rivers 2e") -> Example:
    return Example(id, document, ("s",), "train", license, {"book": book})


def test_a_book_is_its_free_chapters_in_order(small, monkeypatch) -> None:
    free, closed = (f"http://creativecommons.org/licenses/{name}/4.0/" for name in ("by", "by-nc"))
    held = [
        chapter(small, "rivers/v1ch10", free),
        chapter(small, "rivers/v2ch1", free),
        chapter(small, "rivers/v1ch9", free),
        chapter(small, "rivers/v1ch1", closed),
        chapter(small, "trains/v1ch1", free, "Trains"),
    ]
    monkeypatch.setattr(books, "load", lambda _, split: held if split == "train" else [])
    ids = [example.id for example in books.chapters_of("Rivers")]
    assert ids == ["rivers/v1ch9", "rivers/v1ch10", "rivers/v2ch1"]
    with pytest.raises(SystemExit, match="no book 'Seas'"):
        books.chapters_of("Seas")


def test_a_chapter_keeps_its_sections_and_sentences(small: Document, tmp_path) -> None:
    path = tmp_path / "book.md"
    blocks = [*books.markdown(chapter(small, "1", ""))] * 2
    path.write_text("\n\n".join(blocks), "utf-8")
    document = read(path)
    titles = ["The valley", "Rivers", "Floods", "Railways"]
    assert [section.title for section in document.walk()] == 2 * titles
    assert [s.text for s in document.sentences] == 2 * [s.text for s in small.sentences]


def test_a_process_that_still_runs_is_killed() -> None:
    sleep = [sys.executable, "-c", "import time; time.sleep(30)"]
    assert books.kill(sleep, 0.05)
    assert not books.kill([sys.executable, "-c", ""], 30)


def test_summaries_are_compared() -> None:
    one, two, three = ({"summary": {"text": text, "n": n}} for text, n in ("a1", "a2", "b1"))
    assert books.compared(one, dict(one)) == books.SAME
    assert "other numbers" in books.compared(one, two)
    assert "another text" in books.compared(one, three)
