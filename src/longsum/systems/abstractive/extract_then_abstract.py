"""Extract, then abstract: an extractive system chooses what a model then reads.

TLM (Pilault et al. 2020) and the hybrid of SummScreen (Chen et al. 2021): sentences from all over
the document, as many as the model reads, in place of the document's beginning.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from longsum.documents.model import Document
from longsum.documents.subset import subset
from longsum.language.words import count_words
from longsum.summaries import Budget, Coverage, Notice, Summary
from longsum.summaries.notices import notices_of
from longsum.systems.abstractive.writing import WritingSummarizer
from longsum.systems.system import System
from longsum.tasks.extract_then_abstract import ExtractThenAbstract


class ExtractThenAbstractSummarizer(WritingSummarizer):
    """Reads the sentences that another system chooses; its sources are those of the document."""

    def __init__(
        self, selector: System, writer: System, task: ExtractThenAbstract, *, name: str
    ) -> None:
        """Make the system.

        Args:
            selector: What chooses; each of its sentences is one of the document.
            writer: What reads the chosen sentences and writes; it reads from the beginning.
            task: How much is chosen.
            name: What the system is called.
        """
        self.name = name
        self._selector = selector
        self._writer = writer
        self._task = task

    @property
    def settings(self) -> dict[str, Any]:
        """How much is chosen and by what, and the settings of what writes."""
        return {
            **asdict(self._task),
            "selector": {"system": self._selector.name, **self._selector.settings},
            "writer": self._writer.name,
            **self._writer.settings,
        }

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted as the writer counts them."""
        return self._writer.counting(budget)

    def write(self, document: Document, budgets: Sequence[Budget], seed: int) -> Iterator[Summary]:
        """Choose the sentences once, and let the writer write each length."""
        positions = self._choose(document, seed)
        chosen = subset(document, positions)
        ladder = self._writer.ladder(
            chosen, [budget.absolute(document) for budget in budgets], seed=seed
        )
        for rung, budget in zip(ladder.rungs, budgets, strict=True):
            yield self._lifted(rung, document, positions, budget)

    def _choose(self, document: Document, seed: int) -> list[int]:
        words = sum(count_words(sentence.text) for sentence in document.sentences)
        if words <= self._task.words:
            return list(range(len(document.sentences)))
        found = self._selector.summarize(document, Budget(self._task.words), seed=seed)
        ranking = sorted(found.sentences, key=lambda sentence: sentence.step)
        positions = self._task.select(
            document, [sentence.sources[0].sentence for sentence in ranking]
        )
        return positions or list(range(len(document.sentences)))

    def _lifted(
        self, summary: Summary, document: Document, positions: Sequence[int], budget: Budget
    ) -> Summary:
        """Return a summary of the chosen sentences as one of the whole document."""
        chosen, total = len(positions), len(document.sentences)
        by = f"chosen by '{self._selector.name}'"
        selected = f"The model reads {chosen:,} of {total:,} sentences, {by}."
        return replace(
            summary,
            document=document,
            # That of the chosen sentences alone.
            importance=None,
            # A share of less than a word was raised to one, since no length is zero.
            sentences=tuple(
                sentence.lifted(document, positions, sentence.step)
                for sentence in summary.sentences
                if budget.capacity(document)
            ),
            budget=budget,
            coverage=Coverage.of(document, positions[: summary.coverage.sentences_read]),
            system=self.name,
            settings=self.settings,
            notices=(
                *notices_of(document),
                *([Notice("reading", selected)] if chosen < total else []),
                *summary.notices,
            ),
        )
