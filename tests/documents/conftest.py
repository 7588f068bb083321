import json

import pytest

from document_views import CheckDocument
from longsum.documents import Document
from longsum.documents.document_json import document_from_json, document_to_json


@pytest.fixture(scope="session")
def check_document() -> CheckDocument:
    """Return a function that asserts every invariant of a document."""

    def check(document: Document) -> None:
        _check_sentences(document)
        _check_sections(document)
        _check_nothing_else_is_in_the_text(document)
        assert not any(character < " " and character != "\n" for character in document.text)
        written = json.dumps(document_to_json(document), ensure_ascii=False).encode()
        assert document_from_json(json.loads(written)) == document
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
    # Nothing but the labels of speakers, the numbers of paragraphs and the marks of items.
    spans = [(0, len(document.title))]
    spans += [(s.start, s.start + len(s.title)) for s in document.walk() if s.title]
    spans += [(sentence.start, sentence.end) for sentence in document.sentences]
    reached = 0
    for start, end in sorted(spans):
        assert start >= reached
        label = document.text[reached:start].strip()
        marks = (*":.])*-", *"+•‣◦●○■□▪▫►✓✔➢❑")
        assert label.endswith(marks) or not label.strip("0123456789.")
        reached = end
    assert reached == len(document.text)
