"""The document file: what `longsum read` writes and every command reads back exactly."""

from typing import Any

from longsum.documents.model import Document, Paragraph, Section, Sentence, Source
from longsum.documents.tree import DocumentTree
from longsum.errors import LongsumError

SCHEMA = "longsum/document/1"


def document_to_json(document: Document) -> dict[str, Any]:
    """Return the document as JSON values (schema in `docs/schema/document-1.json`)."""
    tree = DocumentTree(document)
    return {
        "schema": SCHEMA,
        "title": document.title,
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
            for section in document.walk()
        ],
        "paragraphs": [
            {
                "section": section.number,
                "sentences": [
                    {"start": sentence.start, "end": sentence.end, "page": sentence.page}
                    for sentence in paragraph
                ],
            }
            for section in document.walk()
            for paragraph in section.paragraphs
        ],
        "warnings": list(document.warnings),
    }


def document_from_json(data: Any) -> Document:
    """Rebuild a document from `document_to_json`'s values.

    Raises:
        LongsumError: The values are not of that form or contradict each other.
    """
    try:
        text = data["text"]
        paragraphs: list[list[Paragraph]] = [[] for _ in data["sections"]]
        for paragraph in data["paragraphs"]:
            sentences = tuple(_sentence(text, sentence) for sentence in paragraph["sentences"])
            paragraphs[paragraph["section"]].append(sentences)
        return Document(
            title=data["title"],
            text=text,
            sections=_sections(data["sections"], paragraphs),
            source=Source(data["source"]["name"], data["source"]["format"]),
            warnings=tuple(data["warnings"]),
        )
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise LongsumError(
            "This document file is damaged; make it again with 'longsum read INPUT -o FILE'."
        ) from error


def _sentence(text: str, data: Any) -> Sentence:
    start, end = data["start"], data["end"]
    if not 0 <= start < end <= len(text):
        raise ValueError("span outside the text")
    return Sentence(text[start:end], start, end, data["page"])


def _sections(rows: Any, paragraphs: list[list[Paragraph]]) -> tuple[Section, ...]:
    children: dict[int | None, list[Section]] = {}
    for number in reversed(range(len(rows))):
        row = rows[number]
        if row["number"] != number or (row["parent"] is not None and row["parent"] >= number):
            raise ValueError("sections out of order")
        section = Section(
            number=number,
            title=row["title"],
            level=row["level"],
            paragraphs=tuple(paragraphs[number]),
            children=tuple(reversed(children.pop(number, []))),
            start=row["start"],
            end=row["end"],
        )
        children.setdefault(row["parent"], []).append(section)
    return tuple(reversed(children.get(None, [])))
