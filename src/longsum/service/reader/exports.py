"""Exports of a summary as shown, with its annotations."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from typing import Any, Literal

from longsum import __version__
from longsum.core.summaries.formats import escape_markdown
from longsum.language.characters import clean
from longsum.service.lines import Line, Lines
from longsum.service.reader.annotations import Annotation

Kind = Literal["md", "docx", "json", "html"]
MEDIA_TYPES: dict[Kind, str] = {
    "md": "text/markdown; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "json": "application/json",
    "html": "text/html; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Export:
    """The content of an export.

    Attributes:
        summary: The summary at all its lengths.
        lines: The sentences that are shown, in order, each with its annotation if it has one.
        others: Annotations that belong to none of its sentences.
    """

    summary: Lines
    lines: Sequence[tuple[Line, Annotation | None]]
    others: Sequence[Annotation]

    def groups(self) -> Iterator[tuple[str, Iterator[tuple[Line, Annotation | None]]]]:
        """Return the sentences under the headings of their sections."""
        return groupby(self.lines, key=lambda each: each[0].heading)


def to_markdown(export: Export) -> bytes:
    """Return Markdown, with a footnote for each sentence's source and notes as quotations."""
    parts = [f"# Summary of {escape_markdown(export.summary.title)}"]
    footnotes: list[str] = []
    for heading, members in export.groups():
        if heading:
            parts.append(f"## {escape_markdown(heading)}")
        for line, note in members:
            footnotes.append(
                f"[^{len(footnotes) + 1}]: {escape_markdown(line.citation or 'no sure source')}"
            )
            parts.append(f"{escape_markdown(line.text)}[^{len(footnotes)}]")
            parts += _quoted(note)
    if export.others:
        parts.append("## Kept, dropped and noted elsewhere")
    for each in export.others:
        said, place = escape_markdown(each.quote), escape_markdown(each.place)
        parts.append(f"- {_STATES[each.state]}: “{said}” {place}")
        parts += _quoted(each)
    return ("\n\n".join([*parts, "\n".join(footnotes)]) + "\n").encode()


_STATES = {"keep": "Kept", "drop": "Dropped", None: "Noted"}


def _quoted(annotation: Annotation | None) -> Iterator[str]:
    if annotation and annotation.note:
        yield "\n".join(f"> {escape_markdown(line)}" for line in annotation.note.splitlines())


def to_json(export: Export) -> bytes:
    """Return JSON: each sentence as in result files, with its annotation."""
    values: dict[str, Any] = {
        "schema": "longsum/reader/1",
        "title": export.summary.title,
        "system": export.summary.system,
        "made_by": f"longsum {__version__}",
        "sentences": [
            line.model_dump()
            | {"kept": bool(note and note.state == "keep"), "note": note.note if note else ""}
            for line, note in export.lines
        ],
        "elsewhere": [
            {name: getattr(each, name) for name in ("state", "note", "quote", "place")}
            for each in export.others
        ],
    }
    return (json.dumps(values, ensure_ascii=False, indent=2) + "\n").encode()


def to_docx(export: Export) -> bytes:
    """Return a Word document with headings, sentences, their citations and the notes."""
    from docx import Document
    from docx.shared import RGBColor

    document = Document()

    def say(text: str, cited: str, note: str) -> None:
        paragraph = document.add_paragraph(f"{clean(text)} ")
        paragraph.add_run(cited).font.color.rgb = RGBColor(0x66, 0x66, 0x66)
        for line in note.splitlines():
            document.add_paragraph(clean(line), "Quote")

    document.core_properties.author = ""
    document.add_heading(f"Summary of {clean(export.summary.title)}", 0)
    for heading, members in export.groups():
        if heading:
            document.add_heading(clean(heading), 1)
        for line, note in members:
            say(line.text, line.citation, note.note if note else "")
    for each in export.others:
        say(f"{_STATES[each.state]}: “{each.quote}”", each.place, each.note)
    written = BytesIO()
    document.save(written)
    return written.getvalue()
