"""The page of a report: the table beside the text, and the plan, which can be edited."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from longsum.common.wording import counted
from longsum.core.pages.document_pane import marked_text
from longsum.core.pages.page import asset, fill, render_page
from longsum.core.pages.page_data import embed_json
from longsum.tables.plan import SCHEMA, entry_to_json
from longsum.tables.report import Report, ReportSentence, Writer
from longsum.tables.table import Entity, Table

MOST_ROWS = 300
"""Rows of a table that are shown even if the report does not mention them."""


_WRITERS: Mapping[Writer, str] = {
    "template": "written by the templates",
    "model": "written by the model",
    "repaired": "written by the model, with a number put right",
}


def render_table(report: Report) -> str:
    """Return one self-contained page: a table, its report, and the plan of the report.

    A number and its cell are highlighted together. The plan can be edited and saved, for
    `longsum table --plan`. The page loads nothing, and its content security policy forbids it;
    without a script, table, text and plan remain readable. The same report gives the same bytes.
    """
    table = report.table
    title = table.title or "A table"
    shown = _shown(report)
    body = fill(
        "table.html",
        title=escape(title),
        facts=escape(_facts(report, len(shown))),
        tables="\n".join(_tables(report, shown)),
        text="\n".join(map(_paragraph, report.paragraphs)),
        plan="\n".join(_planned(table, sentence.records) for sentence in report.sentences),
        data=embed_json(_data(table, shown)),
        script=asset("table.js"),
    )
    style = asset("base.css") + asset("table.css")
    return render_page(f"Report: {escape(title)}", body, style=style, script=asset("table.js"))


def _facts(report: Report, shown: int) -> str:
    table = report.table
    facts = [
        "" if table.date is None else table.date.isoformat(),
        counted(report.words, "word"),
        counted(len(report.sentences), "sentence"),
        f"{report.plan.entries:,} in the plan of {counted(len(table.records), 'cell')}",
        *_written_by(report),
    ]
    if shown < len(table.entities):
        facts.append(f"{shown:,} of {len(table.entities):,} rows shown")
    return " · ".join(filter(None, facts))


def _written_by(report: Report) -> Iterator[str]:
    """Yield how many sentences each writer wrote."""
    counts = Counter(sentence.writer for sentence in report.sentences)
    for writer, said in _WRITERS.items():
        if counts[writer]:
            yield f"{counts[writer]:,} {said}"


def _shown(report: Report) -> list[Entity]:
    """Return the entities whose rows are shown: all that are mentioned, and the first others."""
    table = report.table
    said = {table.records[index].entity for each in report.sentences for index in each.records}
    return [
        entity for place, entity in enumerate(table.entities) if place < MOST_ROWS or entity in said
    ]


def _tables(report: Report, shown: Sequence[Entity]) -> Iterator[str]:
    """Yield a table for each kind of entity and what it belongs to."""
    said = {span.record for sentence in report.sentences for span in sentence.spans}
    for (kind, of), group in groupby(shown, key=lambda entity: (entity.kind, entity.of)):
        caption = f"{kind.capitalize()} · {of}" if of else kind.capitalize()
        yield _table(report.table, caption, list(group), said)


def _table(table: Table, caption: str, entities: Sequence[Entity], said: set[int]) -> str:
    named = {entity.name for entity in entities}
    types = [
        type_
        for type_ in table.types
        if any(table.index(name, type_.name) is not None for name in named)
    ]
    head = "".join(
        f'<th scope="col" title="{escape(type_.phrase)}">{escape(_short(type_.name))}</th>'
        for type_ in types
    )
    rows = "\n".join(
        f'<tr><th scope="row">{escape(entity.name)}</th>'
        + "".join(_cell(table, table.index(entity.name, type_.name), said) for type_ in types)
        + "</tr>"
        for entity in entities
    )
    return (
        f'<div class="scroll"><table><caption>{escape(caption)}</caption>\n'
        f'<thead><tr><th scope="col"></th>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _short(type_name: str) -> str:
    """Return a type's name without the kind of entity that Rotowire puts before it."""
    return type_name.removeprefix("TEAM-").removeprefix("PLAYER-") or type_name


def _cell(table: Table, index: int | None, said: set[int]) -> str:
    if index is None:
        return "<td></td>"
    # Tab goes to the cells that the report states, the arrow keys to all.
    marks = ' class="said" tabindex="0"' if index in said else ' tabindex="-1"'
    return f'<td data-records="{index}"{marks}>{escape(table.records[index].value)}</td>'


def _paragraph(sentences: Sequence[ReportSentence]) -> str:
    said = (
        f'<span class="by-{sentence.writer}" title="{_WRITERS[sentence.writer]}">'
        f"{_sentence(sentence)}</span>"
        for sentence in sentences
    )
    return f"<p>{' '.join(said)}</p>"


def _sentence(sentence: ReportSentence) -> str:
    """Return a sentence with its spans marked; spans never overlap partially."""
    marks = []
    for place, spans in groupby(sentence.spans, key=lambda span: (span.start, span.end)):
        records = " ".join(str(span.record) for span in spans)
        told = f'<span class="told" tabindex="0" data-records="{records}">'
        marks.append((*place, told, "</span>"))
    return marked_text(sentence.text, marks)


def _planned(table: Table, records: Sequence[int]) -> str:
    entries = "".join(
        f'<li class="entry" data-records="{index}"><span>{escape(_entry(table, index))} '
        f"<b>{escape(table.records[index].value)}</b></span></li>"
        for index in records
    )
    return f'<li><ul class="entries">{entries}</ul></li>'


def _entry(table: Table, index: int) -> str:
    record = table.records[index]
    return f"{record.entity.name} {_short(record.type.name)}"


def _data(table: Table, shown: Sequence[Entity]) -> dict[str, Any]:
    """Return the cells that are shown, for the plan: entity, type, value, and what to call it."""
    records = {
        str(index): [*entry_to_json(table, index).values(), _entry(table, index)]
        for entity in shown
        for index in table.of_entity(entity.name)
    }
    return {"schema": SCHEMA, "records": records}
