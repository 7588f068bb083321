"""Helpers of the document tests: what holds of every document, and how long a reader takes."""

import gc
import json
from collections.abc import Callable
from time import process_time

import pytest

from longsum.documents import Document
from longsum.documents.document_json import document_to_json

CheckDocument = Callable[[Document], None]
AssertLinear = Callable[[Callable[[int], object], int], None]


@pytest.fixture(scope="session")
def check_document() -> CheckDocument:
    """Assert every rule that a document keeps, whatever it was made from."""

    def check(document: Document) -> None:
        _check_sentences(document)
        _check_sections(document)
        _check_nothing_else_is_in_the_text(document)
        assert not any(character < " " and character != "\n" for character in document.text)
        json.dumps(document_to_json(document), ensure_ascii=False).encode()
        assert len(document.sha256) == 64

    return check


def _check_sentences(document: Document) -> None:
    reached = 0
    for position, sentence in enumerate(document.sentences):
        assert document.text[sentence.start : sentence.end] == sentence.text
        assert sentence.text == " ".join(sentence.text.split()) != ""
        assert sentence.start >= reached
        reached = sentence.end
        assert sentence in document.section_of(position).sentences
    assert tuple(s for paragraph in document.paragraphs for s in paragraph) == document.sentences


def _check_sections(document: Document) -> None:
    walked = document.walk()
    assert [section.number for section in walked] == list(range(len(walked)))
    assert tuple(s for section in walked for s in section.sentences) == document.sentences
    pending = [(document.sections, 1, 0, len(document.text))]
    while pending:
        siblings, level, start, end = pending.pop()
        for section in siblings:
            assert section.level == level
            assert start <= section.start <= section.end <= end
            assert document.text.startswith(section.title, section.start)
            for sentence in section.sentences:
                assert section.start <= sentence.start < sentence.end <= section.end
            start = section.end
            pending.append((section.children, level + 1, section.start, section.end))


def _check_nothing_else_is_in_the_text(document: Document) -> None:
    spans = [(0, len(document.title))]
    spans += [(s.start, s.start + len(s.title)) for s in document.walk() if s.title]
    spans += [(sentence.start, sentence.end) for sentence in document.sentences]
    reached = 0
    for start, end in sorted(spans):
        assert start >= reached
        assert not document.text[reached:start].strip()
        reached = end
    assert reached == len(document.text)


@pytest.fixture(scope="session")
def assert_linear() -> AssertLinear:
    """Assert that four times the input takes at most ten times as long (squared: sixteen).

    Below 50 ms the clock tells nothing, and one of three tries must do, as other work may disturb a
    try. The collector of garbage stands still meanwhile: what it costs grows with all that earlier
    tests have left behind.
    """

    def seconds(work: Callable[[int], object], size: int) -> float:
        gc.collect()
        gc.disable()
        try:
            start = process_time()
            work(size)
            return process_time() - start
        finally:
            gc.enable()

    def check(work: Callable[[int], object], size: int) -> None:
        tries = []
        for _ in range(3):
            half, twice = seconds(work, size // 2), seconds(work, 2 * size)
            if twice <= 10 * max(half, 0.05):
                return
            tries.append((half, twice))
        pytest.fail(f"{size // 2} and {2 * size} took {tries} seconds")

    return check
