"""Extract, then abstract: an extractive system selects the sentences that a model then reads.

TLM (Pilault et al. 2020) and the hybrid of SummScreen (Chen et al. 2021): the model reads sentences
from the entire document, up to its limit, instead of the document's beginning.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from longsum.core.summaries import Budget, Coverage, Notice, Summary
from longsum.core.summaries.notices import notices_of
from longsum.core.systems.system import Request, System
from longsum.documents.model import Document
from longsum.documents.subset import subset
from longsum.language.words import count_words
from longsum.models.tasks.extract_then_abstract import ExtractThenAbstract


class ExtractThenAbstractSummarizer(System):
    """Reads the sentences that another system selects; sources refer to the whole document."""

    writes = True

    def __init__(
        self, selector: System, writer: System, task: ExtractThenAbstract, *, name: str
    ) -> None:
        """Make the system.

        Args:
            selector: Selects the sentences; it must copy them from the document.
            writer: Summarizes the selected sentences; it reads from the beginning.
            task: Determines how many sentences are selected.
            name: Name of the system.
        """
        self.name = name
        self._selector = selector
        self._writer = writer
        self._task = task

    @property
    def settings(self) -> dict[str, Any]:
        """How much is selected by which system, and the settings of the writer."""
        return {
            **asdict(self._task),
            "selector": {"system": self._selector.name, **self._selector.settings},
            "writer": self._writer.name,
            **self._writer.settings,
        }

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted by the writer's tokenizer."""
        return self._writer.counting(budget)

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Select the sentences once, and write each length from them."""
        document = request.document
        positions = self._choose(document, request.seed)
        nested = self._writer.at_lengths(
            subset(document, positions),
            [budget.absolute(document) for budget in budgets],
            seed=request.seed,
        )
        for summary, budget in zip(nested.summaries, budgets, strict=True):
            yield self._lifted(summary, document, positions, budget)

    def _choose(self, document: Document, seed: int) -> list[int]:
        words = sum(count_words(sentence.text) for sentence in document.sentences)
        if words <= self._task.words:
            return list(range(len(document.sentences)))
        selection = self._selector.summarize(document, Budget(self._task.words), seed=seed)
        ranking = sorted(selection.sentences, key=lambda sentence: sentence.step)
        positions = self._task.select(
            document, [sentence.sources[0].sentence for sentence in ranking]
        )
        return positions or list(range(len(document.sentences)))

    def _lifted(
        self, summary: Summary, document: Document, positions: Sequence[int], budget: Budget
    ) -> Summary:
        """Map a summary of the selected sentences back to the whole document."""
        chosen, total = len(positions), len(document.sentences)
        by = f"chosen by '{self._selector.name}'"
        selected = f"The model read {chosen:,} of {total:,} sentences, {by}."
        return replace(
            summary,
            document=document,
            # It covers the selected sentences only.
            importance=None,
            # A share of less than one word was rounded up to one, since no budget is zero.
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
