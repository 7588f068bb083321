"""Reports whose sentences a model writes, and a check accepts or replaces.

Stepwise found that its realizer adds facts that are in no table to plans of few entries (§7). Here
a sentence is accepted only if it states the numbers of its plan and no others, and if everything
that it claims is confirmed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from longsum.common.errors import LongsumError
from longsum.tables.annotated_text import Span
from longsum.tables.checks.checking import Checker, repaired
from longsum.tables.checks.text_checks import checker_for
from longsum.tables.games.rotowire import GAME
from longsum.tables.matching.matcher import ReadSentence
from longsum.tables.plan import Plan
from longsum.tables.plan_checks import unplanned_numbers, unsaid_numbers
from longsum.tables.realization.confirmation import unconfirmed
from longsum.tables.realization.realizer_input import context_of, realizer_input
from longsum.tables.report import Report, ReportSentence, Writer
from longsum.tables.table import Table
from longsum.tables.templates import realize

TRIES = 2
"""Sentences of a model that are checked before the template's is taken."""


class SentenceWriter(Protocol):
    """Writes sentences from what `realizer_input` gives."""

    def sentences(self, source: str, count: int) -> Sequence[str]:
        """Return up to `count` different sentences for a source, the best first."""
        ...


def realize_checked(table: Table, plan: Plan, writer: SentenceWriter) -> Report:
    """Return the report of a plan, sentence by sentence, in a model's words if these are right.

    Each sentence is written given the previous one in the report. It must state every number of its
    entries and no others, and nothing that the checker flags or that nothing confirms; wrong
    numbers are corrected first if there is no doubt how. If the model's best two sentences fail,
    the template's is taken. `ReportSentence.writer` states which.

    The table is a basketball game; the plan may have been written by a person.

    Raises:
        LongsumError: The table is not a basketball game.
    """
    check_realizable(table)
    checks = SentenceCheck(checker_for(table))
    safe = realize(table, plan).sentences
    written: list[ReportSentence] = []
    for planned, template in zip(plan.sentences, safe, strict=True):
        before = [sentence.text for sentence in written]
        source = realizer_input(table, planned, before[-1] if before else "")
        tried = (checks.passed(text, planned, before) for text in writer.sentences(source, TRIES))
        written.append(next((sentence for sentence in tried if sentence), template))
    return Report(table, plan, tuple(written))


def check_realizable(table: Table) -> None:
    """Refuse tables that trained realizers do not write about: all but basketball games."""
    if table.kind != GAME:
        raise LongsumError(
            "A trained realizer writes about basketball games; leave out --realizer for this table."
        )


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """What lets sentences pass."""

    checker: Checker

    def passed(
        self, text: str, planned: Sequence[int], before: Sequence[str]
    ) -> ReportSentence | None:
        """Return a sentence of a report if it is right as it is, or after correction.

        Args:
            text: What the model wrote.
            planned: The entries that the sentence must state.
            before: The sentences of the report so far.
        """
        text = " ".join(text.split())
        if not text:
            return None
        matcher = self.checker.matcher
        table = matcher.table
        put_right = repaired([*before, text], self.checker.check([*before, text]))[-1]
        read = matcher.read([*before, put_right])[-1]
        allowed = {*planned, *context_of(table, planned)}
        flags = self.checker.check([*before, put_right])
        wrong = any(flag.sentence == len(before) for flag in flags)
        unplanned = any(unplanned_numbers(read, allowed, table))
        if wrong or unplanned or unsaid_numbers(read, table, planned):
            return None
        entities = tuple(dict.fromkeys(table.records[index].entity for index in planned))
        if unconfirmed(read, self.checker.claims(read), entities, table):
            return None
        writer: Writer = "model" if put_right == text else "repaired"
        return ReportSentence(put_right, tuple(planned), self._spans(read, planned), writer)

    def _spans(self, read: ReadSentence, planned: Sequence[int]) -> tuple[Span, ...]:
        """Return which characters state which record of the plan."""
        source = read.words.source
        records = {index: self.checker.matcher.table.records[index] for index in planned}
        spans = [
            Span(*relation.span, relation.record)
            for relation in read.relations
            if relation.record in records
        ]
        for index, record in records.items():
            start = source.find(record.value)
            if record.type.kind == "text" and not record.missing and start >= 0:
                spans.append(Span(start, start + len(record.value), index))
        return tuple(sorted(spans, key=lambda span: (span.start, span.end, span.record)))
