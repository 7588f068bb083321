"""Reader of notebooks, of tables, and of JSON that no other reader knows: messages, tickets."""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from longsum.common.errors import LongsumError
from longsum.documents.builder import DocumentBuilder
from longsum.documents.model import Document, Source
from longsum.documents.readers.plain.markdown import read_markdown
from longsum.documents.readers.structure.contents_and_indexes import is_prose

_TITLES = ("title", "subject", "heading", "headline")
_SAID = frozenset({"text", "content", "body", "message", "transcript", "utterance", "comment"})
"""Fields whose texts are read however short; other fields are read if one of their texts is
prose."""
_WHO = ("speaker", "author", "user", "username", "sender", "from", "by", "role")
_LONGEST_NAME = 60
_UNKNOWN = "No reader knows this kind of JSON; its texts are read in order, other values are not."
_ROWS = "The table's texts are read row by row; 'longsum table' reports its other values."


def read_other_json(value: Any, source: Source) -> Document:
    """Read the texts of a JSON value in their order.

    The title of an object is a heading, and its text is a turn of the person whom it names.
    """
    return _read_texts(value, source, _UNKNOWN)


def _read_texts(value: Any, source: Source, warning: str) -> Document:
    builder = DocumentBuilder()
    builder.warnings.append(warning)
    _read(value, builder, 1, frozenset(_fields_of_prose(value)))
    return builder.build(None, source)


def read_notebook(cells: Any, source: Source) -> Document:
    """Read the cells of a Jupyter notebook as Markdown, with all but text cells as code."""
    texts = ["".join(cell["source"]) for cell in cells]
    fences = ("" if cell["cell_type"] == "markdown" else "\n~~~~~~~~\n" for cell in cells)
    blocks = (fence + text + fence for fence, text in zip(fences, texts, strict=True))
    return read_markdown("\n\n".join(blocks), source)


def read_rows(text: str, source: Source) -> Document:
    """Read the texts of a CSV or TSV file with a header as those of a list of objects.

    Raises:
        LongsumError: It has no sentences, or is damaged.
    """
    head = text.split("\n", 1)[0]
    try:
        rows = list(csv.DictReader(io.StringIO(text), delimiter=max(",;\t|", key=head.count)))
    except csv.Error as error:
        raise LongsumError(
            f"{source.name} cannot be read as a table ({error}); check the file."
        ) from None
    document = _read_texts(rows, source, _ROWS)
    if not document.sentences:
        raise LongsumError(
            f"{source.name} is a table without sentences; 'longsum table {source.name}' writes a "
            "report of it."
        )
    return document


def _fields_of_prose(value: Any) -> Iterator[str]:
    """Yield the fields that contain prose in any of the objects."""
    if isinstance(value, Mapping):
        yield from (key for key, each in value.items() if _is_text(each) and is_prose(each.strip()))
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _fields_of_prose(each)


def _read(value: Any, builder: DocumentBuilder, rank: int, fields: frozenset[str]) -> None:
    if isinstance(value, str):
        if is_prose(value.strip()):
            _add(value, builder)
    elif isinstance(value, list):
        for each in value:
            _read(each, builder, rank, fields)
    elif isinstance(value, Mapping):
        titled = next((key for key in _TITLES if _is_text(value.get(key))), None)
        if titled is not None:
            builder.heading(rank, value[titled])
        who = next(filter(None, (_name(value.get(key)) for key in _WHO)), "")
        for key, each in value.items():
            if key in _SAID and _is_text(each):
                _add(f"{who}: {each}" if who else each, builder)
            elif key != titled and key in fields and _is_text(each):
                _add(each, builder)
            elif key != titled:
                _read(each, builder, rank + (titled is not None), fields)


def _add(text: str, builder: DocumentBuilder) -> None:
    for paragraph in text.split("\n\n"):
        if paragraph.strip():
            builder.paragraph(paragraph)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _name(value: Any) -> str:
    """Return a name, or that of an object which has one."""
    if isinstance(value, Mapping):
        value = value.get("name") or value.get("login")
    return value if _is_text(value) and len(value) <= _LONGEST_NAME else ""
