"""A summary as it is shown, with what was noted on it, in files to take along."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from itertools import groupby
from typing import Any, Literal
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from longsum import __version__
from longsum.core.summaries.formats import escape_markdown
from longsum.service.lines import Line
from longsum.service.reader.annotations import Annotation

Kind = Literal["md", "docx", "json", "html"]
MEDIA_TYPES: dict[Kind, str] = {
    "md": "text/markdown; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "json": "application/json",
    "html": "text/html; charset=utf-8",
}
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = MEDIA_TYPES["docx"]


@dataclass(frozen=True, slots=True)
class Export:
    """What is taken along.

    Attributes:
        title: The document's title.
        system: What made the summary.
        lines: The sentences that are shown, in order.
        notes: The annotation of each sentence that has one, by its place among `lines`.
        others: Annotations that no sentence of it belongs to.
    """

    title: str
    system: str
    lines: Sequence[Line]
    notes: dict[int, Annotation]
    others: Sequence[Annotation]

    def groups(self) -> Iterator[tuple[str, list[tuple[Line, Annotation | None]]]]:
        """Yield the sentences under the headings of their sections."""
        numbered = [(line, self.notes.get(place)) for place, line in enumerate(self.lines)]
        for heading, members in groupby(numbered, key=lambda each: each[0].heading):
            yield heading, list(members)


def to_markdown(export: Export) -> bytes:
    """Return Markdown: a footnote has the source of each sentence, a quotation the note on it."""
    parts = [f"# Summary of {escape_markdown(export.title)}"]
    footnotes: list[str] = []
    for heading, members in export.groups():
        if heading:
            parts.append(f"## {escape_markdown(heading)}")
        for line, note in members:
            footnotes.append(
                f"[^{len(footnotes) + 1}]: {escape_markdown(line.citation or 'no sure source')}"
            )
            parts.append(f"{escape_markdown(line.text)}[^{len(footnotes)}]")
            if note and note.note:
                parts.append(_quoted(note.note))
    parts.extend(_others_in_markdown(export))
    return ("\n\n".join([*parts, "\n".join(footnotes)]) + "\n").encode()


def _others_in_markdown(export: Export) -> Iterator[str]:
    if export.others:
        yield "## Kept, dropped and noted elsewhere"
    for each in export.others:
        said, place = escape_markdown(each.quote), escape_markdown(each.place)
        yield f"- {_TOLD[each.state]}: “{said}” {place}"
        if each.note:
            yield _quoted(each.note)


_TOLD = {"keep": "Kept", "drop": "Dropped", None: "Noted"}


def _quoted(note: str) -> str:
    return "\n".join(f"> {escape_markdown(line)}" for line in note.splitlines())


def to_json(export: Export) -> bytes:
    """Return JSON: each sentence as in result files, with what was noted on it."""
    sentences = []
    for place, line in enumerate(export.lines):
        note = export.notes.get(place)
        sentences.append(
            line.values
            | {"kept": bool(note and note.state == "keep"), "note": note.note if note else ""}
        )
    others = [
        {"state": each.state, "note": each.note, "quote": each.quote, "place": each.place}
        for each in export.others
    ]
    values: dict[str, Any] = {
        "schema": "longsum/reader/1",
        "title": export.title,
        "system": export.system,
        "made_by": f"longsum {__version__}",
        "sentences": sentences,
        "elsewhere": others,
    }
    return (json.dumps(values, ensure_ascii=False, indent=2) + "\n").encode()


def to_docx(export: Export) -> bytes:
    """Return a Word document with headings, sentences, their citations and the notes."""
    body = [_paragraph(f"Summary of {export.title}", "Title")]
    for heading, members in export.groups():
        if heading:
            body.append(_paragraph(heading, "Heading1"))
        for line, note in members:
            body.append(_paragraph(f"{line.text} ", "", line.citation))
            if note and note.note:
                body.extend(_paragraph(part, "Quote") for part in note.note.splitlines())
    for each in export.others:
        body.append(_paragraph(f"{_TOLD[each.state]}: “{each.quote}” ", "", each.place))
        body.extend(_paragraph(part, "Quote") for part in each.note.splitlines())
    document = f'<w:document xmlns:w="{_WORD}"><w:body>{"".join(body)}</w:body></w:document>'
    styles = "".join(
        _style(name, told, look)
        for name, told, look in (
            ("Title", "Title", '<w:b/><w:sz w:val="36"/>'),
            ("Heading1", "heading 1", '<w:b/><w:sz w:val="28"/>'),
            ("Quote", "Quote", "<w:i/>"),
        )
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_TYPE}.main+xml"/>'
        '<Override PartName="/word/styles.xml" ContentType="application/'
        'vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>',
        "_rels/.rels": _relation("officeDocument", "word/document.xml"),
        "word/_rels/document.xml.rels": _relation("styles", "styles.xml"),
        "word/document.xml": document,
        "word/styles.xml": f'<w:styles xmlns:w="{_WORD}">{styles}</w:styles>',
    }
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            written = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + text
            archive.writestr(ZipInfo(name), written.encode(), ZIP_DEFLATED)
    return packed.getvalue()


def _relation(kind: str, target: str) -> str:
    return (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_OFFICE}/{kind}" Target="{target}"/></Relationships>'
    )


def _style(name: str, told: str, look: str) -> str:
    return (
        f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{told}"/>'
        f"<w:rPr>{look}</w:rPr></w:style>"
    )


def _paragraph(text: str, style: str, cited: str = "") -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    grey = '<w:rPr><w:color w:val="666666"/></w:rPr>'
    return f"<w:p>{look}{_run(text)}{_run(cited, grey) if cited else ''}</w:p>"


def _run(text: str, look: str = "") -> str:
    return f'<w:r>{look}<w:t xml:space="preserve">{escape(text, quote=False)}</w:t></w:r>'
