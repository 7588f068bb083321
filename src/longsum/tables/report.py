"""A report on a table: sentences, each with the records that it states, and where."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from longsum.tables.annotated_text import Span
from longsum.tables.plan import Plan, entry_to_json, plan_to_json
from longsum.tables.table import Table

SCHEMA = "longsum/table-report/1"

Writer = Literal["template", "model", "repaired"]
"""Who wrote a sentence: the templates, a model, or a model whose numbers were corrected."""


@dataclass(frozen=True, slots=True)
class ReportSentence:
    """One sentence.

    Attributes:
        text: The sentence.
        records: The entries of its plan.
        spans: Which characters state which record; a template has a span for every number.
        writer: Who wrote it.
    """

    text: str
    records: tuple[int, ...]
    spans: tuple[Span, ...]
    writer: Writer = "template"


@dataclass(frozen=True, slots=True)
class Report:
    """What is written about a table."""

    table: Table
    plan: Plan
    sentences: tuple[ReportSentence, ...]

    @property
    def text(self) -> str:
        """The sentences, with a space between."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def paragraphs(self) -> tuple[tuple[ReportSentence, ...], ...]:
        """The sentences, grouped by their subject.

        For a game, that is the match and the teams, or one team's players; for another table, what
        belongs to one group. Only the first and the last paragraph may be a single sentence.
        """
        found: list[list[ReportSentence]] = []
        topic: str | None = None
        for sentence in self.sentences:
            own = self._group(sentence)
            if not found or (own != topic and (len(found[-1]) > 1 or len(found) == 1)):
                found.append([])
            topic = own
            found[-1].append(sentence)
        return tuple(map(tuple, found))

    @property
    def words(self) -> int:
        """The number of words, separated by white space."""
        return len(self.text.split())

    def _group(self, sentence: ReportSentence) -> str | None:
        """Return what most records of a sentence belong to; None if to nothing."""
        owned = (self.table.records[index].entity.of for index in sentence.records)
        counts = Counter(each for each in owned if each)
        return max(counts, key=counts.__getitem__, default=None)


def report_to_json(report: Report) -> dict[str, Any]:
    """Return a report as JSON values, with its plan and the cells of each sentence."""
    table = report.table
    return {
        "schema": SCHEMA,
        "table": {
            "title": table.title,
            "kind": table.kind,
            "date": None if table.date is None else table.date.isoformat(),
            "entities": len(table.rows),
            "records": sum(not record.type.measure for record in table.records),
        },
        "text": report.text,
        "words": report.words,
        "sentences": [
            {
                "text": sentence.text,
                "paragraph": number,
                "written_by": sentence.writer,
                "cells": list(_cells(sentence, table)),
            }
            for number, paragraph in enumerate(report.paragraphs, start=1)
            for sentence in paragraph
        ],
        "plan": plan_to_json(report.plan, table),
    }


def _cells(sentence: ReportSentence, table: Table) -> Iterator[dict[str, Any]]:
    """Yield each record of a sentence with the characters that state it."""
    for index in dict.fromkeys(sentence.records):
        record = table.records[index]
        spans = [span for span in sentence.spans if span.record == index]
        yield {
            **entry_to_json(table, index),
            "rank": record.rank,
            "spans": [{"start": span.start, "end": span.end, "says": span.part} for span in spans],
        }
