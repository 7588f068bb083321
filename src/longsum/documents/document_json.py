"""The document file: `longsum read` writes it, and every command restores it exactly."""

import sys
from typing import Any, get_args

from longsum.common.errors import LongsumError
from longsum.documents.model import (
    Document,
    Evidence,
    Kind,
    Omission,
    Paragraph,
    Section,
    Sentence,
    Source,
)
from longsum.documents.text_layout import DEEPEST_LEVEL
from longsum.documents.tree import DocumentTree
from longsum.language.characters import clean
from longsum.language.identify import language_tag

SCHEMA = "longsum/document/1"


def document_to_json(document: Document) -> dict[str, Any]:
    """Return the document as JSON values (schema in `docs/schema/document-1.json`)."""
    tree = DocumentTree(document)
    return {
        "schema": SCHEMA,
        "title": document.title,
        "language": document.language,
        "source": {"name": document.source.name, "format": document.source.format},
        "text": document.text,
        "sections": [
            {
                "number": section.number,
                "parent": tree.parent(section.number),
                "level": section.level,
                "title": section.title,
                "start": section.start,
                "end": section.end,
            }
            | _evidence_to_json(section.evidence)
            for section in document.walk()
        ],
        "paragraphs": [
            {
                "section": section.number,
                "sentences": [_sentence_to_json(sentence) for sentence in paragraph],
            }
            for section in document.walk()
            for paragraph in section.paragraphs
        ],
        "warnings": list(document.warnings),
        "omitted": [
            {"kind": part.kind, "text": part.text, "place": part.place, "page": part.page}
            for part in document.omitted
        ],
    }


def _evidence_to_json(evidence: Evidence | None) -> dict[str, Any]:
    """Return the evidence for a heading; empty if the format marks headings."""
    if evidence is None:
        return {}
    return {"evidence": {"confidence": evidence.confidence, "signs": list(evidence.signs)}}


def _sentence_to_json(sentence: Sentence) -> dict[str, Any]:
    """Return a sentence without default values: prose, and no speaker."""
    values = {"start": sentence.start, "end": sentence.end, "page": sentence.page}
    kind = {} if sentence.kind == "prose" else {"kind": sentence.kind}
    speaker = {"speaker": sentence.speaker} if sentence.speaker else {}
    return values | kind | speaker


def document_from_json(data: Any) -> Document:
    """Rebuild a document from the values of `document_to_json`.

    Raises:
        LongsumError: The values have another form or contradict each other.
    """
    try:
        return _document(data)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise LongsumError(
            "This document file is damaged; make it again with 'longsum read INPUT -o FILE'."
        ) from error


def _document(data: Any) -> Document:
    text, rows = data["text"], _list(data["sections"])
    for line in text.split("\n"):
        _line(line)
    _check_order(rows, text)
    paragraphs: list[list[Paragraph]] = [[] for _ in rows]
    for paragraph in _list(data["paragraphs"]):
        section = _whole(paragraph["section"], 0, len(rows) - 1)
        sentences = tuple(_sentence(text, sentence) for sentence in _list(paragraph["sentences"]))
        if not sentences:
            raise ValueError("empty paragraph")
        paragraphs[section].append(sentences)
    _check_spans(rows, paragraphs)
    if not text.startswith(_line(data["title"])):
        raise ValueError("title is not in the text")
    language = data.get("language")
    return Document(
        title=data["title"],
        text=text,
        sections=_sections(rows, paragraphs),
        source=Source(
            clean(_string(data["source"]["name"])), clean(_string(data["source"]["format"]))
        ),
        warnings=tuple(clean(_string(warning)) for warning in _list(data["warnings"])),
        language=None if language is None else language_tag(_string(language)),
        omitted=tuple(_omission(text, part) for part in _list(data.get("omitted", []))),
    )


def _omission(text: str, data: Any) -> Omission:
    rows = [row.split("\t") for row in _string(data["text"]).split("\n")]
    return Omission(
        _line(data["kind"]),
        "\n".join("\t".join(map(_line, row)) for row in rows),
        _whole(data["place"], 0, len(text)),
        None if data["page"] is None else _whole(data["page"], 1, sys.maxsize),
    )


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a string")
    value.encode()  # refuses lone surrogates
    return value


def _line(value: Any) -> str:
    line = _string(value)
    if clean(line) != line:
        raise ValueError("not a clean line of text")
    return line


def _whole(value: Any, minimum: int, maximum: int) -> int:
    if type(value) is not int or not minimum <= value <= maximum:
        raise ValueError("not an integer in range")
    return value


def _sentence(text: str, data: Any) -> Sentence:
    start = _whole(data["start"], 0, len(text))
    end = _whole(data["end"], start + 1, len(text))
    page = data["page"]
    kind = data.get("kind", "prose")
    if kind not in get_args(Kind):
        raise ValueError("not a kind of sentence")
    return Sentence(
        _line(text[start:end]),
        start,
        end,
        None if page is None else _whole(page, 1, sys.maxsize),
        kind,
        _line(data.get("speaker", "")),
    )


def _check_order(rows: Any, text: str) -> None:
    """Check that sections are in reading order, open with their headings, and nest."""
    path: list[Any] = []
    for number, row in enumerate(rows):
        minimum = path[-1]["start"] if path else 0
        while path and path[-1]["number"] != row["parent"]:
            minimum = path.pop()["end"]
        if row["number"] != number or (row["parent"] is None) != (not path):
            raise ValueError("sections out of order")
        _whole(row["level"], len(path) + 1, min(len(path) + 1, DEEPEST_LEVEL))
        _whole(row["start"], minimum, len(text))
        _whole(row["end"], row["start"], path[-1]["end"] if path else len(text))
        if not text.startswith(_line(row["title"]), row["start"]):
            raise ValueError("heading is not in the text")
        path.append(row)


def _check_spans(rows: Any, paragraphs: list[list[Paragraph]]) -> None:
    """Check that sentences are in order within their section and precede its subsections."""
    for number, (row, own) in enumerate(zip(rows, paragraphs, strict=True)):
        position, end = row["start"], row["end"]
        if number + 1 < len(rows) and rows[number + 1]["parent"] == number:
            end = rows[number + 1]["start"]
        for paragraph in own:
            for sentence in paragraph:
                _whole(sentence.start, position, end)
                position = _whole(sentence.end, sentence.start, end)


def _evidence(data: Any) -> Evidence | None:
    if data is None:
        return None
    confidence = data["confidence"]
    if type(confidence) not in (int, float) or not 0 <= confidence <= 1:
        raise ValueError("not a probability")
    return Evidence(confidence, tuple(_line(sign) for sign in _list(data["signs"])))


def _sections(rows: Any, paragraphs: list[list[Paragraph]]) -> tuple[Section, ...]:
    children: dict[int | None, list[Section]] = {}
    for number in reversed(range(len(rows))):
        row = rows[number]
        section = Section(
            number=number,
            title=row["title"],
            level=row["level"],
            paragraphs=tuple(paragraphs[number]),
            children=tuple(reversed(children.pop(number, []))),
            start=row["start"],
            end=row["end"],
            evidence=_evidence(row.get("evidence")),
        )
        children.setdefault(row["parent"], []).append(section)
    return tuple(reversed(children.get(None, [])))
