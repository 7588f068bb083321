"""Summarizes each section separately and concatenates the summaries.

DANCER (Gidiotis and Tsoumakas 2020): every section gets its own summary, so that the model never
has to read more than one section at a time.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from longsum.core.summaries import Budget, Coverage, FinishReason, Notice, Summary, SummarySentence
from longsum.core.summaries.notices import notices_of, unverified
from longsum.core.systems.system import Request, System
from longsum.documents.model import Document
from longsum.documents.subset import subset
from longsum.models.tasks.divide_and_conquer import DivideAndConquer
from longsum.models.tasks.task import words_in


@dataclass(frozen=True, slots=True)
class _SummarizedPart:
    """The summary of a part, with the positions of the part's sentences in the document."""

    positions: Sequence[int]
    summary: Summary


class DivideAndConquerSummarizer(System):
    """Divides the budget among sections by their words; unused budget carries over to the next.

    The paper generates a fixed length for each section. A share too short for a whole sentence is
    passed on to the sections after it.
    """

    writes = True

    def __init__(self, writer: System, task: DivideAndConquer, *, name: str) -> None:
        """Make the system.

        Args:
            writer: Summarizes a section; it reads from the beginning of a document.
            task: Determines which sections are read.
            name: Name of the system.
        """
        self.name = name
        self._writer = writer
        self._task = task

    @property
    def settings(self) -> dict[str, Any]:
        """Which sections are read, and the settings of the writer."""
        return {**asdict(self._task), "writer": self._writer.name, **self._writer.settings}

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted by the writer's tokenizer."""
        return self._writer.counting(budget)

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Summarize the sections separately for each length."""
        return (self._joined(request.document, budget, request.seed) for budget in budgets)

    def _joined(self, document: Document, budget: Budget, seed: int) -> Summary:
        parts = list(self._parts(document, budget, seed))
        kept = [part for part in parts if part.summary.finish_reason != "nothing_fits"]
        sentences: list[SummarySentence] = []
        # A truncated sentence is better than none.
        for part in kept or parts[:1]:
            for sentence in part.summary.sentences:
                sentences.append(sentence.lifted(document, part.positions, len(sentences)))
        coverage = Coverage.of(
            document,
            (
                position
                for part in parts
                for position in part.positions[: part.summary.coverage.sentences_read]
            ),
        )
        return Summary(
            document=document,
            sentences=tuple(sentences),
            budget=budget,
            coverage=coverage,
            system=self.name,
            settings=self.settings,
            seed=seed,
            finish_reason=_finish_reason([part.summary for part in kept]),
            notices=(
                *notices_of(document),
                *_left_out(document, parts, coverage),
                *unverified(sentences),
            ),
            timings=_total_timings([part.summary for part in parts]),
        )

    def _parts(self, document: Document, budget: Budget, seed: int) -> Iterator[_SummarizedPart]:
        sections = self._task.parts(document)
        weights = [words_in(document, positions) for positions in sections]
        whole = budget.absolute(document)
        remaining = budget.capacity(document)
        for place, positions in enumerate(sections):
            room = round(remaining * weights[place] / max(sum(weights[place:]), 1))
            if not room:
                continue
            share = replace(whole, amount=room)
            summary = self._writer.summarize(subset(document, positions), share, seed=seed)
            if summary.finish_reason != "nothing_fits":
                remaining -= int(summary.reached)
            yield _SummarizedPart(positions, summary)


def _finish_reason(summaries: Sequence[Summary]) -> FinishReason:
    """Return `budget` if the budget ended any part, else the reason of the first part."""
    reasons = [summary.finish_reason for summary in summaries]
    if not reasons:
        return "nothing_fits"
    return "budget" if "budget" in reasons else reasons[0]


def _left_out(
    document: Document, parts: Sequence[_SummarizedPart], coverage: Coverage
) -> Iterator[Notice]:
    if not parts:
        yield Notice(
            "length", "The requested length leaves no words for any section; ask for more."
        )
        return
    chosen = sum(len(part.positions) for part in parts)
    read, total = coverage.sentences_read, len(document.sentences)
    if chosen < total:
        yield Notice(
            "reading",
            f"{chosen:,} of {total:,} sentences are in the {len(parts):,} sections that are "
            "summarized; the other sections were not read.",
        )
    if read < chosen:
        yield Notice(
            "reading",
            f"Some sections are longer than the model can read: it read {read:,} of {chosen:,} "
            "sentences.",
        )


def _total_timings(summaries: Sequence[Summary]) -> dict[str, float]:
    stages: dict[str, float] = defaultdict(float)
    for summary in summaries:
        for stage, seconds in summary.timings.items():
            stages[stage] += seconds
    return dict(stages)
