"""Builds the levels of one document on demand, each from the one below."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

from longsum.common.wording import counted
from longsum.core.grounding.verification import Verifier
from longsum.core.recursive.part_store import PartReader
from longsum.core.recursive.parts import (
    Part,
    RecursiveConfig,
    apportion,
    divide,
    longest_part,
    weigh,
)
from longsum.core.recursive.stages import Stage, carried, next_stage, read_of
from longsum.core.summaries import Budget, Coverage, FinishReason, Notice, Summary, SummarySentence
from longsum.core.summaries.notices import notices_of, unverified
from longsum.core.summaries.summary import Level
from longsum.core.systems.reading_load import is_long
from longsum.core.systems.system import Progress, System
from longsum.documents.model import Document
from longsum.documents.subset import subset
from longsum.language.words import count_words

MIN_ROOM = 30
"""Fewest words for the summary of a part; in fewer, perhaps no sentence fits."""


def words_of(document: Document) -> int:
    """Return the number of words in a document's sentences."""
    return sum(count_words(sentence.text) for sentence in document.sentences)


class LevelBuilder:
    """The levels of one document, which depend on the settings but not on the requested length."""

    def __init__(
        self,
        document: Document,
        config: RecursiveConfig,
        chapters: PartReader,
        last: PartReader,
        *,
        joins: bool = False,
        progress: Progress = lambda *_: None,
    ) -> None:
        """Start at the document.

        `chapters` summarizes the parts and `last` the whole; if it `joins`, each part gets a share
        of the length. `progress` is called for each finished part of a level.
        """
        self._progress = progress
        self.document = document
        self._verifier = Verifier([sentence.text for sentence in document.sentences])
        self._config = config
        self._chapters = chapters
        self._last = last
        self._joins = joins
        self._words = words_of(document)
        self._stages = [Stage.of(document)]
        self._seconds = 0.0
        self._parts: dict[tuple[int, int], tuple[list[Part], list[Document]]] = {}

    @property
    def last(self) -> System:
        """The system that summarizes the whole."""
        return self._last.system

    def read(self) -> None:
        """Let the systems read as much of the document as possible at once.

        The parts are skimmed if the whole document would be, but not what was chosen from them.
        With a focus, everything is read closely. If parts are stored, each is read only when
        needed, since the summaries of most may exist already.
        """
        chapters, last = self._chapters.system, self._last.system
        read = chapters.skimming(self._chapters.focus is None and chapters.skims(self.document))
        if self._chapters.store is None:
            read = read.with_encodings(self._divided(0, read)[1])
        last = (read if last is chapters else last).skimming(False)
        self._chapters = replace(self._chapters, system=read)
        self._last = replace(self._last, system=last)

    def stages(self) -> list[Stage]:
        """Return all levels, the document first; the last one is read without dividing it."""
        top = 0
        while (not top or not self._readable(top)) and self._stage(top + 1) is not None:
            top += 1
        return self._stages

    def at_lengths(self, budgets: Sequence[Budget], start: int) -> list[Summary]:
        """Summarize at several lengths, in increasing order.

        An extractor selects for all lengths at once from the last level; a model writes each one.
        """
        last = self._last.system
        if self._joins or not last.nests:
            return [self._written(budget) for budget in budgets]
        top = len(self.stages()) - 1
        nested = last.at_lengths(
            self._stages[top].document,
            [budget.absolute(self.document) for budget in budgets],
            start=start,
            focus=self._last.focus,
            seed=self._last.seed,
        )
        return [
            self._lifted(top, budget, summary)
            for budget, summary in zip(budgets, nested.summaries, strict=True)
        ]

    def _written(self, budget: Budget) -> Summary:
        absolute = budget.absolute(self.document)
        needed = absolute.amount * self._words / sum(absolute.costs(self.document.sentences))
        top = 0
        while not (top and self._readable(top)):
            if self._joins or self._target(top) < needed:
                return self._joined(top, budget, absolute)
            if self._stage(top + 1) is None:
                break
            top += 1
        summary = self._last.summarize(self._stages[top].document, absolute)
        return self._lifted(top, budget, summary)

    def coverage(self, first: Stage | None) -> Coverage:
        """Return how much of the document was read for its first level; all if there is none."""
        if first is None:
            return Coverage.whole(self.document)
        return Coverage.of(self.document, read_of(first))

    def notes(self, levels: Sequence[Level], coverage: Coverage) -> Iterator[Notice]:
        """Yield the notices about how the document was read."""
        if levels:
            steps = ", then ".join(
                f"{counted(len(level.parts), 'part')} in {counted(level.words, 'word')}"
                for level in levels
            )
            text = f"The text of {self._words:,} words was not read at once: first {steps}."
            yield Notice("reading", text)
        if coverage.sentences_read < coverage.sentences_total:
            yield Notice(
                "reading",
                f"{coverage.sentences_read:,} of {coverage.sentences_total:,} sentences were read; "
                "the others are in parts that are too short for the requested length, or beyond "
                "what the model reads of a part.",
            )

    def _readable(self, place: int) -> bool:
        """Return whether a level need not be divided; summaries that are only joined never are."""
        document = self._stages[place].document
        limit = self._config.whole_words or self._last.system.reads_at_once(document)
        return self._joins or not is_long(document, limit)

    def _target(self, place: int) -> int:
        """Return the target length of the level above, in words."""
        return int(self._config.compression * words_of(self._stages[place].document))

    def _stage(self, place: int) -> Stage | None:
        """Return a level, built from the one below; None if no text is left."""
        while len(self._stages) <= place:
            stage = self._above(len(self._stages) - 1, None, self._chapters)
            if not stage.sentences:
                return None
            self._stages.append(stage)
        return self._stages[place]

    def _above(self, place: int, total: Budget | None, reader: PartReader) -> Stage:
        """Summarize the parts of a level.

        Args:
            place: The level.
            total: Total length of the summaries; None for the target length of the next level, or
                enough for a sentence from each part if that is less than half of the text.
            reader: Summarizes the parts.
        """
        config, below, began = self._config, self._stages[place], perf_counter()
        parts, texts = self._divided(place, reader.system)
        if total is None:
            half = words_of(below.document) // 2
            total = Budget(max(1, self._target(place), min(MIN_ROOM * len(parts), half)))
        weights = weigh(below.document, parts, config.split)
        minimum = 1 if total.unit == "sentences" else MIN_ROOM
        rooms = apportion(int(total.amount), weights, minimum)
        progress = partial(self._progress, place + 1)
        stage = next_stage(
            self.document,
            self._verifier,
            below,
            parts,
            texts,
            rooms,
            reader.summaries,
            total.unit,
            progress,
        )
        self._seconds += perf_counter() - began
        return stage

    def _divided(self, place: int, system: System) -> tuple[list[Part], list[Document]]:
        """Return the parts of a level for a system, and the same as documents."""
        config, document = self._config, self._stages[place].document
        max_words = config.part_words or longest_part(system, document)
        if (place, max_words) not in self._parts:
            if place:
                # Of summaries, a part contains as many as are read at once.
                parts = divide(document, "sections", max_words, max_words)
            else:
                least = min(config.least_words, max_words)
                parts = divide(document, config.division, least, max_words)
            texts = [subset(document, part.sentences) for part in parts]
            self._parts[place, max_words] = parts, texts
        return self._parts[place, max_words]

    def _lifted(self, top: int, budget: Budget, summary: Summary) -> Summary:
        """Map a summary of a level back to the document."""
        stage = self._stages[top]
        positions = range(len(stage.document.sentences))
        sentences = tuple(
            carried(sentence, self._verifier, stage, positions) for sentence in summary.sentences
        )
        replaced = ("document", "own_summary", "verification")
        notices = [notice for notice in summary.notices if notice.kind not in replaced]
        ended = summary.finish_reason
        if not top:
            text = "No part has a summary with a sentence; the text was read at once."
            notices.insert(0, Notice("reading", text))
        elif ended == "document":
            ended = "model_end"
            text = "The summaries of the parts have no more to fill the requested length."
            notices = [Notice("length", text)]
        lifted = self._summary(self._stages[1 : top + 1], sentences, budget, ended, notices)
        return replace(
            lifted,
            explanation=summary.explanation,
            coverage=lifted.coverage if top else summary.coverage,
            timings={**lifted.timings, **summary.timings},
        )

    def _joined(self, top: int, budget: Budget, absolute: Budget) -> Summary:
        """Summarize a level part by part with the last system, and join the summaries."""
        stage = self._above(top, absolute, self._last)
        sentences = tuple(
            replace(sentence, step=step) for step, sentence in enumerate(stage.sentences)
        )
        reasons = [reason for reason in stage.reasons if reason != "nothing_fits"]
        ended: FinishReason = "nothing_fits"
        if reasons:
            ended = "budget" if "budget" in reasons else reasons[0]
        stages = [*self._stages[1 : top + 1], stage]
        return self._summary(
            stages, sentences, budget, "model_end" if ended == "document" else ended
        )

    def _summary(
        self,
        stages: Sequence[Stage],
        sentences: tuple[SummarySentence, ...],
        budget: Budget,
        ended: FinishReason,
        notices: Sequence[Notice] = (),
    ) -> Summary:
        levels = tuple(stage.level for stage in stages if stage.level is not None)
        coverage = self.coverage(stages[0] if stages else None)
        if not budget.capacity(self.document):
            sentences, ended = (), "nothing_fits"
        return Summary(
            document=self.document,
            sentences=sentences,
            budget=budget,
            coverage=coverage,
            system=self._last.system.name,
            finish_reason=ended,
            seed=self._last.seed,
            notices=(
                *notices_of(self.document),
                *self.notes(levels, coverage),
                *notices,
                *unverified(sentences),
                *([Notice("length", f"No sentence fits in {budget}.")] if not sentences else []),
            ),
            levels=levels,
            timings={"parts": self._seconds},
        )
