"""Reader of JSON: records of the data sets, longsum's own document file, what others wrote."""

import json
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.documents.builder import DocumentBuilder
from longsum.documents.document_json import SCHEMA, document_from_json
from longsum.documents.model import Document, Source
from longsum.documents.readers.json.other_readers import (
    SCHEMA_NAME,
    is_unstructured,
    read_docling,
    read_unstructured,
)
from longsum.documents.readers.plain.text import read_text

_FORM = (
    'an object with "text" or "sections" [{"level", "title", "paragraphs"}], a DoclingDocument or '
    "a list of Unstructured elements"
)


def holds_json(text: str) -> bool:
    """Return whether the text is one JSON value, or one per line."""
    first_line = text.strip().split("\n", 1)[0]
    return _parses(text) or (first_line.endswith("}") and _parses(first_line))


def _parses(text: str) -> bool:
    try:
        parse_json(text)
    except json.JSONDecodeError:
        return False
    except ValueError:
        # Its reader reports what is wrong with it.
        return text.rstrip().endswith(("}", "]"))
    return True


def read_json(text: str, source: Source) -> Document:
    """Read a document from JSON, or from the only line of a JSON-lines file.

    Raises:
        LongsumError: It is not JSON, has several documents, or neither text nor sections.
    """
    name = source.name or "The input"
    try:
        value = parse_json(text)
    except ValueError as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) > 1 and holds_json(lines[0]) and lines[1].lstrip().startswith("{"):
            raise LongsumError(
                f"{name} contains {len(lines)} documents, one per line; give one of them, "
                f"for example with 'head -n 1 {source.name} | longsum summarize -', or each with "
                f"'longsum batch {source.name} FOLDER'."
            ) from None
        raise LongsumError(f"{name} is not valid JSON ({error}); check the file.") from None
    if isinstance(value, Mapping) and value.get("schema") == SCHEMA:
        return document_from_json(value)
    try:
        return _from_value(value, source)
    except (TypeError, AttributeError, ValueError, LookupError, OverflowError):
        raise LongsumError(
            f"{name} is JSON, but not of the form that longsum reads: {_FORM}."
        ) from None


def _from_value(value: Any, source: Source) -> Document:
    """Make a document from the output of another reader, or from a record of a data set."""
    if isinstance(value, Mapping) and value.get("schema_name") == SCHEMA_NAME:
        return read_docling(value, replace(source, format="docling"))
    if is_unstructured(value):
        return read_unstructured(value, replace(source, format="unstructured"))
    if isinstance(value, Mapping) and not value.keys().isdisjoint(("text", "sections")):
        return document_from_record(value, source)
    from longsum.documents.readers.json.other_json import read_notebook, read_other_json

    if isinstance(value, Mapping) and {"cells", "nbformat"} <= value.keys():
        return read_notebook(value["cells"], replace(source, format="notebook"))
    document = read_other_json(value, source)
    if not document.sentences:
        raise ValueError("no text")
    return document


def document_from_record(record: Mapping[str, Any], source: Source) -> Document:
    """Make a document from one record of a data set.

    A record has an optional `title` and either `text` or `sections` in reading order, each with
    `level` (a number), `title` and `paragraphs` (texts). If `paragraph_unit` is `sentence`, each
    paragraph is one sentence; a paragraph of several lines has one sentence per line.

    Raises:
        TypeError, AttributeError, ValueError: The record has another form.
    """
    if not isinstance(record, Mapping):
        raise TypeError("not an object")
    sections = record.get("sections")
    title = _text(record.get("title") or "")
    if sections is None:
        text = _text(record["text"]) if "text" in record else ""
        return read_text(text, source, title or None)
    builder = DocumentBuilder()
    one_sentence_each = record.get("paragraph_unit") == "sentence"
    for section in sections:
        builder.heading(_level(section.get("level", 1)), _text(section.get("title") or ""))
        paragraphs = _texts(section.get("paragraphs", ()))
        if one_sentence_each:
            builder.sentences(paragraphs)
            continue
        for paragraph in paragraphs:
            if "\n" in paragraph.strip():
                builder.sentences(paragraph.splitlines())
            else:
                builder.paragraph(paragraph)
    return builder.build(title, source)


def _level(value: Any) -> int:
    if isinstance(value, float) and isfinite(value):
        return int(value)
    if not isinstance(value, int):
        raise TypeError("not a number")
    return value


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        raise TypeError("not a list of texts")
    return [_text(text) for text in value]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value
