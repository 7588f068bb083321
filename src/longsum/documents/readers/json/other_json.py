"""Reader of notebooks, and of JSON that no other reader knows: messages, tickets, transcripts."""

from collections.abc import Mapping
from typing import Any

from longsum.documents.builder import DocumentBuilder
from longsum.documents.model import Document, Source
from longsum.documents.readers.plain.markdown import read_markdown
from longsum.documents.readers.structure.contents_and_indexes import is_prose

_TITLES = ("title", "subject", "heading", "headline")
_SAID = frozenset({"text", "content", "body", "message", "transcript", "utterance", "comment"})
"""Fields whose texts are read however short they are; others are if they are prose."""
_WHO = ("speaker", "author", "user", "username", "sender", "from", "by", "role")
_LONGEST_NAME = 60


def read_other_json(value: Any, source: Source) -> Document:
    """Read the texts of a JSON value in their order.

    The title of an object is a heading, and what an object says is a turn of whom it names.
    """
    builder = DocumentBuilder()
    builder.warnings.append(
        "No reader knows this kind of JSON; its texts are read in order, other values are not."
    )
    _read(value, builder, 1)
    return builder.build(None, source)


def read_notebook(cells: Any, source: Source) -> Document:
    """Read the cells of a Jupyter notebook as Markdown, other cells than text as code."""
    texts = ["".join(cell["source"]) for cell in cells]
    fences = ("" if cell["cell_type"] == "markdown" else "\n~~~~~~~~\n" for cell in cells)
    blocks = (fence + text + fence for fence, text in zip(fences, texts, strict=True))
    return read_markdown("\n\n".join(blocks), source)


def _read(value: Any, builder: DocumentBuilder, rank: int) -> None:
    if isinstance(value, str):
        if is_prose(value.strip()):
            _add(value, builder)
    elif isinstance(value, list):
        for each in value:
            _read(each, builder, rank)
    elif isinstance(value, Mapping):
        titled = next((key for key in _TITLES if _is_text(value.get(key))), None)
        if titled is not None:
            builder.heading(rank, value[titled])
        who = next(filter(None, (_name(value.get(key)) for key in _WHO)), "")
        for key, each in value.items():
            if key in _SAID and _is_text(each):
                _add(f"{who}: {each}" if who else each, builder)
            elif key != titled:
                _read(each, builder, rank + (titled is not None))


def _add(text: str, builder: DocumentBuilder) -> None:
    for paragraph in text.split("\n\n"):
        if paragraph.strip():
            builder.paragraph(paragraph)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _name(value: Any) -> str:
    """Return a name, also of an object that has one."""
    if isinstance(value, Mapping):
        value = value.get("name") or value.get("login")
    return value if _is_text(value) and len(value) <= _LONGEST_NAME else ""
