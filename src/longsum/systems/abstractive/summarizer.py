"""A summary that an encoder–decoder writes, each sentence aligned to the document and checked."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from time import perf_counter
from typing import Any, Self

import numpy as np

from longsum.documents.model import Document
from longsum.summaries import Budget, Coverage, FinishReason, Notice, Summary, SummarySentence
from longsum.summaries.notices import notices_of, unverified
from longsum.systems.abstractive.budgeting import Fitted, fit, token_range
from longsum.systems.abstractive.importance import ReferenceWords
from longsum.systems.abstractive.read_document import ReadDocument, pace_of
from longsum.systems.abstractive.writer import Writer, Writing
from longsum.systems.abstractive.writing import WritingSummarizer
from longsum.systems.grounding.alignment import notable

_NEARLY = 0.9
"""Share of a budget that counts as reached; a shorter summary says why it is short."""


class AbstractiveSummarizer(WritingSummarizer):
    """Lets a model read a document and write its summary.

    The document is read from its beginning, at most as far as the model reads; what is beyond is
    named in the summary's coverage. The text is cut after the last whole sentence that fits. Each
    sentence is aligned with the sentences that it rests on (`alignment`) and checked against them
    (`verification`).
    """

    neural = True

    def __init__(self, writer: Writer, *, name: str | None = None) -> None:
        """Make the system.

        Args:
            writer: What reads and writes.
            name: What the system is called; by default by its writer.
        """
        self.name = name or writer.name
        self.writer = writer
        self.own_length = writer.own_length
        self.reads_references = writer.weigher is not None and writer.weigher.reads_reference

    @property
    def settings(self) -> dict[str, Any]:
        """The model, what it reads, and how it generates."""
        return self.writer.settings

    def with_references(self, references: Sequence[str]) -> Self:
        """Return the system for one document; the first reference is read, where one is.

        A model that is told by the reference which of its tokens are important (OracleAdaPool) is
        an upper bound, not a system to use.
        """
        if not self.reads_references:
            return self
        found = copy(self)
        found.writer = copy(self.writer)
        found.writer.weigher = ReferenceWords(references[0])
        return found

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted by the model's tokenizer."""
        return replace(budget, tokens_of=self.writer.count)

    def words_read(self, document: Document) -> int:
        """Return about how many words of such a document the model reads at most."""
        sentence_of = self.writer.encode(document).sentence_of
        return int(self.writer.form.tokens / pace_of(document, sentence_of).per_word)

    def write(self, document: Document, budgets: Sequence[Budget], seed: int) -> Iterator[Summary]:
        """Read the document once, and write each length by itself."""
        read = ReadDocument.by(self.writer, document)
        for budget in budgets:
            yield self._summary(read, budget, seed)

    def _summary(self, read: ReadDocument, budget: Budget, seed: int) -> Summary:
        document, began = read.document, perf_counter()
        length = token_range(budget, document, read.pace, self.writer.limit)
        writing = self.writer.write(read.reading, length, seed)
        written = perf_counter()
        capacity = budget.capacity(document)
        fitted = fit(writing.sentences, budget, capacity, unfinished=writing.unfinished)
        sentences = tuple(self._sentences(read, writing, fitted))
        limited = length.most == self.writer.limit
        finish_reason = _finish_reason(writing, fitted, limited)
        summary = Summary(
            document=document,
            sentences=sentences,
            budget=budget,
            coverage=Coverage.of(document, range(read.reading.sentences_read)),
            system=self.name,
            settings=self.settings,
            seed=seed,
            finish_reason=finish_reason,
            importance=read.reading.importance,
            timings={
                "read": read.seconds,
                "write": written - began,
                "align": perf_counter() - written,
            },
        )
        notices = (
            *notices_of(document),
            *read.unread(self.writer.form.tokens),
            *self._shortness(summary, writing, fitted),
            *unverified(sentences),
        )
        return replace(summary, notices=notices)

    def _sentences(
        self, read: ReadDocument, writing: Writing, fitted: Fitted
    ) -> Iterator[SummarySentence]:
        if not fitted.count:
            return
        last = writing.tokens[fitted.count - 1][1]
        mass = self.writer.mass(read.reading, writing.sequence[: last + 1])
        sentence_of = read.reading.sentence_of
        lengths = np.bincount(sentence_of[sentence_of >= 0]).astype(np.float64)
        for step in range(fitted.count):
            text = fitted.shortened or writing.sentences[step]
            attention = None
            if mass is not None and len(lengths):
                attention = notable(mass[slice(*writing.tokens[step]), :-1].mean(axis=0), lengths)
            yield read.sentence(text, step, attention)

    def _shortness(self, summary: Summary, writing: Writing, fitted: Fitted) -> Iterator[Notice]:
        """Say why a summary is shorter than asked, or ends as it should not."""
        for text in self._endings(summary, writing, fitted):
            yield Notice("length", text)
        count = len(summary.sentences)
        different = len({sentence.text for sentence in summary.sentences})
        if different < count:
            text = f"The model repeats itself: {count - different} of {count} sentences."
            yield Notice("repetition", text)

    def _endings(self, summary: Summary, writing: Writing, fitted: Fitted) -> Iterator[str]:
        budget, count = summary.budget, len(summary.sentences)
        if not writing.sentences:
            yield "The model wrote nothing; try another model or other settings."
        elif fitted.shortened is not None or not count:
            yield f"Not even the first sentence fits in {budget}; it is cut off."
        elif writing.unfinished and len(writing.sentences) == 1:
            yield "The only sentence is broken off, where the model had to stop."
        if count and summary.reached < _NEARLY * budget.amount:
            if summary.finish_reason == "model_end":
                yield f"The model ended by itself before {budget} was reached."
            elif summary.finish_reason == "model_limit":
                yield (
                    f"The model writes {self.writer.limit:,} tokens at most, too few for {budget}."
                )


def _finish_reason(writing: Writing, fitted: Fitted, limited: bool) -> FinishReason:
    if not writing.sentences:
        return "model_end"
    if not fitted.count or fitted.shortened is not None:
        return "nothing_fits"
    left = len(writing.sentences) - fitted.count
    if left > int(writing.unfinished):
        return "budget"
    if not writing.unfinished:
        return "model_end"
    if limited:
        return "model_limit"
    return "budget" if left else "nothing_fits"
