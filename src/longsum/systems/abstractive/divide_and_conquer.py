"""Section by section: each is summarized alone, and the results are joined.

DANCER (Gidiotis and Tsoumakas 2020): every section gets a summary of its own, so that no model need
read more than one at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from longsum.documents.model import Document
from longsum.documents.subset import subset
from longsum.language.words import count_words
from longsum.summaries import Budget, Coverage, FinishReason, Notice, Summary, SummarySentence
from longsum.summaries.notices import notices_of, unverified
from longsum.systems.abstractive.writing import WritingSummarizer
from longsum.systems.system import System
from longsum.tasks.divide_and_conquer import DivideAndConquer


@dataclass(frozen=True, slots=True)
class _Part:
    """The summary of a part of the document, and where the part's sentences stand in the whole."""

    positions: Sequence[int]
    summary: Summary


class DivideAndConquerSummarizer(WritingSummarizer):
    """Gives each section a share of the length by its words; what one leaves, the next may take.

    The paper writes a fixed length for each section. A share that holds no whole sentence goes to
    the sections after it.
    """

    def __init__(self, writer: System, task: DivideAndConquer, *, name: str) -> None:
        """Make the system.

        Args:
            writer: What summarizes a section; it reads from a document's beginning.
            task: Which sections are read.
            name: What the system is called.
        """
        self.name = name
        self._writer = writer
        self._task = task

    @property
    def settings(self) -> dict[str, Any]:
        """Which sections are read, and the settings of what summarizes them."""
        return {**asdict(self._task), "writer": self._writer.name, **self._writer.settings}

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted as the writer counts them."""
        return self._writer.counting(budget)

    def write(self, document: Document, budgets: Sequence[Budget], seed: int) -> Iterator[Summary]:
        """Summarize the sections anew for each length."""
        asked = self._task.parts(document)
        for budget in budgets:
            yield self._joined(document, asked, budget, seed)

    def _joined(
        self, document: Document, asked: Sequence[range], budget: Budget, seed: int
    ) -> Summary:
        parts = list(self._parts(document, asked, budget, seed))
        kept = [part for part in parts if part.summary.finish_reason != "nothing_fits"]
        sentences: list[SummarySentence] = []
        # One sentence that was cut to fit is better than none.
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
            timings=_added([part.summary for part in parts]),
        )

    def _parts(
        self, document: Document, asked: Sequence[range], budget: Budget, seed: int
    ) -> Iterator[_Part]:
        weights = [_words(document, positions) for positions in asked]
        whole = budget.absolute(document)
        left = budget.capacity(document)
        for place, positions in enumerate(asked):
            room = round(left * weights[place] / max(sum(weights[place:]), 1))
            if not room:
                continue
            share = replace(whole, amount=room)
            summary = self._writer.summarize(subset(document, positions), share, seed=seed)
            if summary.finish_reason != "nothing_fits":
                left -= int(summary.reached)
            yield _Part(positions, summary)


def _words(document: Document, positions: range) -> int:
    return sum(count_words(document.sentences[position].text) for position in positions)


def _finish_reason(summaries: Sequence[Summary]) -> FinishReason:
    """Return why the whole ends: the length asked for, if it stopped any part of it."""
    reasons = [summary.finish_reason for summary in summaries]
    if not reasons:
        return "nothing_fits"
    return "budget" if "budget" in reasons else reasons[0]


def _left_out(document: Document, parts: Sequence[_Part], coverage: Coverage) -> Iterator[Notice]:
    if not parts:
        yield Notice("length", "The length asked for leaves no section a word; ask for more.")
        return
    chosen = sum(len(part.positions) for part in parts)
    read, total = coverage.sentences_read, len(document.sentences)
    if chosen < total:
        yield Notice(
            "reading",
            f"Of {total:,} sentences {chosen:,} stand in the {len(parts):,} sections that are "
            "summarized; the other sections were not read.",
        )
    if read < chosen:
        yield Notice(
            "reading",
            f"The model reads no section further than it can: {read:,} of {chosen:,} sentences.",
        )


def _added(summaries: Sequence[Summary]) -> dict[str, float]:
    stages = {stage: 0.0 for summary in summaries for stage in summary.timings}
    for summary in summaries:
        for stage, seconds in summary.timings.items():
            stages[stage] += seconds
    return stages
