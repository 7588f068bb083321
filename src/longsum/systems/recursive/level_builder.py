"""One document on its way up: level after level, as far as is asked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

from longsum.documents.model import Document
from longsum.language.words import count_words
from longsum.summaries import Budget, Coverage, FinishReason, Notice, Summary, SummarySentence
from longsum.summaries.levels import Level
from longsum.summaries.notices import notices_of, unverified
from longsum.systems.recursive.levels import PartReader, Stage, carried, next_stage, read_of
from longsum.systems.recursive.parts import apportion, divide, weigh
from longsum.systems.recursive.recursion_settings import (
    RecursiveConfig,
    longest_part,
    reads_at_once,
)

LEAST_ROOM = 30
"""Words below which the summary of a part might hold no sentence."""

Leveled = tuple[Summary, list[Level]]
"""A summary and the levels that it was made through."""

Told = Callable[[int, int, int], None]
"""Is told of which level, from 1, how many parts are done, of how many."""


def words_of(document: Document) -> int:
    """Return the words of a document's sentences."""
    return sum(count_words(sentence.text) for sentence in document.sentences)


class LevelBuilder:
    """The levels of one document. They depend on the settings and not on the length asked for."""

    def __init__(
        self,
        document: Document,
        config: RecursiveConfig,
        chapters: PartReader,
        last: PartReader,
        *,
        joins: bool = False,
        told: Told = lambda *_: None,
    ) -> None:
        """Start at the document.

        Args:
            document: The document.
            config: Settings of the system.
            chapters: What summarizes the parts.
            last: What makes the summary of the whole.
            joins: Whether that joins summaries of the parts, each with its share of the length.
            told: Is told of each part of a level that is done.
        """
        self._told = told
        self.document = document
        self._config = config
        self._chapters = chapters
        self._last = last
        self._joins = joins
        self._words = words_of(document)
        self._stages = [Stage.of(document)]
        self._seconds = 0.0

    @property
    def at_once(self) -> bool:
        """Whether the document is read at once."""
        limit = self._config.undivided or reads_at_once(self._last.system, self.document)
        return limit is None or self._words <= limit

    def stages(self) -> list[Stage]:
        """Return all levels, the document first; the last one is read at once."""
        top = 0
        while (not top or not self._readable(top)) and self._stage(top + 1) is not None:
            top += 1
        return self._stages

    def ladder(self, budgets: Sequence[Budget], start: int) -> list[Leveled]:
        """Summarize at several lengths, in growing order; each comes with its levels.

        An extractor chooses all lengths at once, from the last level; a model writes each.
        """
        last = self._last.system
        if self._joins or not last.nests:
            return [self._written(budget) for budget in budgets]
        top = len(self.stages()) - 1
        found = last.ladder(
            self._stages[top].document,
            [budget.absolute(self.document) for budget in budgets],
            start=start,
            focus=self._last.focus,
            seed=self._last.seed,
        )
        return [
            self._lifted(top, budget, rung)
            for budget, rung in zip(budgets, found.rungs, strict=True)
        ]

    def _written(self, budget: Budget) -> Leveled:
        asked = budget.absolute(self.document)
        needed = asked.amount * self._words / sum(asked.costs(self.document.sentences))
        top = 0
        while not (top and self._readable(top)):
            if self._joins or self._aim(top) < needed:
                return self._joined(top, budget, asked)
            if self._stage(top + 1) is None:
                break
            top += 1
        found = self._last.summarize(self._stages[top].document, asked)
        return self._lifted(top, budget, found)

    def coverage(self, first: Stage | None) -> Coverage:
        """Return how much of the document was read, given its first level; without one, all."""
        if first is None:
            return Coverage.whole(self.document)
        return Coverage.of(self.document, read_of(first))

    def notes(self, levels: Sequence[Level], coverage: Coverage) -> Iterator[Notice]:
        """Yield what the reader should know of how the document was read."""
        if levels:
            steps = ", then ".join(
                f"{len(level.parts):,} parts in {level.words:,} words" for level in levels
            )
            text = f"The text of {self._words:,} words was not read at once: first {steps}."
            yield Notice("reading", text)
        if coverage.sentences_read < coverage.sentences_total:
            yield Notice(
                "reading",
                f"Of {coverage.sentences_total:,} sentences {coverage.sentences_read:,} were read; "
                "the others stand in parts that are too short for the length asked for, or beyond "
                "what the model reads of a part.",
            )

    def _readable(self, place: int) -> bool:
        """Tell whether a level is read at once; the summaries that are only joined always are."""
        document = self._stages[place].document
        limit = self._config.whole_words or reads_at_once(self._last.system, document)
        return self._joins or limit is None or words_of(document) <= limit

    def _aim(self, place: int) -> int:
        """Return the words of the level above."""
        return int(self._config.compression * words_of(self._stages[place].document))

    def _stage(self, place: int) -> Stage | None:
        """Return a level, made from the one below; None where nothing is left of the text."""
        while len(self._stages) <= place:
            made = self._above(len(self._stages) - 1, None, self._chapters)
            if not made.sentences:
                return None
            self._stages.append(made)
        return self._stages[place]

    def _above(self, place: int, total: Budget | None, reader: PartReader) -> Stage:
        """Summarize the parts of a level, in a length for all or else in that of the next level.

        The next level has room for a sentence of each part, if that is less than half of the text.
        """
        config, below, began = self._config, self._stages[place], perf_counter()
        most = config.part_words or longest_part(reader.system, below.document)
        if place:
            # As many summaries together as are read at once.
            parts = divide(below.document, "sections", most, most)
        else:
            parts = divide(below.document, config.division, min(config.least_words, most), most)
        if total is None:
            half = words_of(below.document) // 2
            total = Budget(max(1, self._aim(place), min(LEAST_ROOM * len(parts), half)))
        weights = weigh(below.document, parts, config.split)
        least = 1 if total.unit == "sentences" else LEAST_ROOM
        rooms = apportion(int(total.amount), weights, least)
        told = partial(self._told, place + 1)
        made = next_stage(self.document, below, parts, rooms, reader, total.unit, told)
        self._seconds += perf_counter() - began
        return made

    def _lifted(self, top: int, budget: Budget, found: Summary) -> Leveled:
        """Return a summary of a level as one of the document."""
        stage = self._stages[top]
        positions = range(len(stage.document.sentences))
        sentences = tuple(
            carried(sentence, self.document, stage, positions) for sentence in found.sentences
        )
        known = ("document", "verification")
        said = [notice for notice in found.notices if notice.kind not in known]
        ended = found.finish_reason
        if not top:
            text = "No summary of a part holds a sentence; the text was read at once."
            said.insert(0, Notice("reading", text))
        elif ended == "document":
            ended = "model_end"
            text = "The summaries of the parts hold no more than the length asked for."
            said = [Notice("length", text)]
        summary, levels = self._summary(
            self._stages[1 : top + 1], sentences, budget, ended, tuple(said)
        )
        timings = {"parts": self._seconds, **found.timings}
        coverage = summary.coverage if top else found.coverage
        return replace(
            summary, explanation=found.explanation, coverage=coverage, timings=timings
        ), levels

    def _joined(self, top: int, budget: Budget, asked: Budget) -> Leveled:
        """Let the last system summarize a level part by part, and join what it makes."""
        made = self._above(top, asked, self._last)
        sentences = tuple(
            replace(sentence, step=step) for step, sentence in enumerate(made.sentences)
        )
        reasons = [reason for reason in made.reasons if reason != "nothing_fits"]
        ended: FinishReason = "nothing_fits"
        if reasons:
            ended = "budget" if "budget" in reasons else reasons[0]
        stages = [*self._stages[1 : top + 1], made]
        summary, levels = self._summary(
            stages, sentences, budget, "model_end" if ended == "document" else ended
        )
        return replace(summary, timings={"parts": self._seconds}), levels

    def _summary(
        self,
        stages: Sequence[Stage],
        sentences: tuple[SummarySentence, ...],
        budget: Budget,
        ended: FinishReason,
        notices: tuple[Notice, ...] = (),
    ) -> Leveled:
        levels = [stage.level for stage in stages if stage.level is not None]
        coverage = self.coverage(stages[0] if stages else None)
        if not budget.capacity(self.document):
            sentences, ended = (), "nothing_fits"
        summary = Summary(
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
        )
        return summary, levels
