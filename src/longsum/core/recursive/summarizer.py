"""Summaries of books: first of the parts of a text, then of the whole.

Top-down (Pang et al. 2022, §3.4.2) summarizes a book in two levels: a model writes a summary of
every chapter, and a model writes the book's summary from the chapters' summaries. Here, any system
can do either, there are as many levels as the last system needs, and every sentence keeps its
sources in the book itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked
from longsum.core.loading import load_system
from longsum.core.nesting import forbid_self_nesting
from longsum.core.recursive.level_builder import MIN_ROOM, LevelBuilder, words_of
from longsum.core.recursive.part_store import PartReader, PartStore
from longsum.core.recursive.parts import RecursiveConfig, divide, longest_part
from longsum.core.recursive.stages import Stage
from longsum.core.recursive.tiers import Tier, TieredRanking, TieredSelection, TurnRanking
from longsum.core.summaries import Budget, Summary
from longsum.core.summaries.summary import Level
from longsum.core.systems.reading_load import is_long
from longsum.core.systems.system import Progress, Request, System, SystemKind
from longsum.documents.model import Document
from longsum.language.words import count_words

LEAST_CHAPTER = 2 * MIN_ROOM
"""Fewest words of a chapter that is summarized by itself, as a level has at most half of them."""


class RecursiveSummarizer(System):
    """Summarizes the parts of a long document, and the whole from their summaries.

    If both systems are extractive, a summary is a single selection through the levels (`tiers.py`):
    lengths nest, and one that the last level cannot fill is filled from the levels below. If a
    system writes, each length is generated separately; if the last level would be shorter than the
    requested length, the level below it is summarized part by part instead.
    """

    divides_by_itself = True

    def __init__(
        self,
        name: str,
        config: RecursiveConfig,
        chapters: System,
        whole: System | None,
    ) -> None:
        """Make the system.

        Args:
            name: Name of the recipe.
            config: Its settings.
            chapters: Summarizes a part.
            whole: Summarizes the whole, and may be the same system; None joins summaries of the
                parts.
        """
        self.name = name
        self._config = config
        self._store: PartStore | None = None
        self._progress: Progress = lambda *_: None
        # Parts are summarized in whole sentences; only the summary of the whole is shortened.
        self._by_default = (whole or chapters).is_shortening
        self._shortening: bool | None = None
        self._chapters = chapters.whole_sentences()
        self._whole = whole and (self._chapters if whole is chapters else whole.whole_sentences())
        self._last = self._whole or self._chapters
        self.shortens = self._copies
        self.takes_focus = chapters.takes_focus and self._last.takes_focus
        self.neural, self.writes = self._last.neural, self._last.writes
        self.own_length = self._last.own_length

    @property
    def settings(self) -> dict[str, Any]:
        """All settings, including those of both systems."""
        on = self.is_shortening
        return {
            **asdict(self._config),
            "chapters_settings": self._chapters.settings,
            "whole_settings": {} if self._whole is None else self._whole.settings,
            **({} if self._shortening is None and not on else {"shorten": on}),
        }

    @property
    def is_shortening(self) -> bool:
        """Whether the sentences of its summaries are shortened."""
        on = self._by_default if self._shortening is None else self._shortening
        return on and self._copies

    def shortening(self, on: bool) -> "RecursiveSummarizer":
        """Return the system with the sentences of its summaries shortened, or left as they are.

        Raises:
            LongsumError: Sentences are to be shortened, but not every level copies sentences.
        """
        if on and not self._copies:
            super().shortening(on)
        if on == self._shortening:
            return self
        other = copy(self)
        other._shortening = on
        return other

    def resuming_in(self, folder: Path | None, progress: Progress | None) -> "RecursiveSummarizer":
        """Return the system with the summaries of parts stored in a folder, and reported.

        Raises:
            LongsumError: The folder cannot be created.
        """
        changed = copy(self)
        changed._store = self._store if folder is None else PartStore(folder)
        changed._progress = progress or self._progress
        return changed

    def by_chapters(self, document: Document) -> "RecursiveSummarizer":
        """Return a copy that divides a document into chapters even if it could be read at once.

        A document without two chapters that can be summarized by themselves is left whole.
        """
        most = self._config.part_words or longest_part(self._chapters, document)
        most = min(most, max(words_of(document) - 1, 1))
        parts = divide(document, "sections", LEAST_CHAPTER, most)
        sections = sum(bool(section.sentences) for section in document.walk())
        short = len(parts) < 2 or any(part.words < LEAST_CHAPTER for part in parts)
        if self.divides(document) or short or sections < 2:
            return self
        sized = replace(self._config, part_words=most, least_words=LEAST_CHAPTER)
        chapters = copy(self)
        chapters._config = replace(sized, division="sections", undivided=1)
        return chapters

    def divides(self, document: Document) -> bool:
        """Return whether a document is too long to be read at once."""
        limit = self._config.undivided or self._last.reads_at_once(document)
        return is_long(document, limit)

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted by the last system's tokenizer."""
        return self._last.counting(budget)

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Summarize through the levels, which every summary lists.

        There are none if the document is not divided.
        """
        document, focus, seed = request.document, request.focus, request.seed
        chapters = PartReader(self._chapters, focus, seed, self._store)
        last = PartReader(self._last, focus, seed, self._store)
        joins = self._whole is None
        builder = LevelBuilder(
            document, self._config, chapters, last, joins=joins, progress=self._progress
        )
        summaries: Iterable[Summary]
        if not self.divides(document):
            summaries = self._last.shortening(self.is_shortening).lengths(request, budgets)
        else:
            builder.read()
            if isinstance(builder.last, ExtractiveSummarizer) and self._copies:
                through = _ThroughLevels(builder.last, builder, joins=joins)
                summaries = through.shortening(self.is_shortening).lengths(request, budgets)
            else:
                summaries = builder.at_lengths(budgets, budgets.index(request.budget))
        settings = self.settings | request.named_focus
        for summary in summaries:
            yield replace(summary, system=self.name, settings=settings)

    @property
    def _copies(self) -> bool:
        """Whether every level copies sentences and the last one selects by rank alone."""
        last = self._last
        return self._chapters.nests and isinstance(last, ExtractiveSummarizer) and last.by_rank


class _ThroughLevels(ExtractiveSummarizer[None]):
    """A single selection from the last level and then from the levels below."""

    selection = TieredSelection

    def __init__(
        self, last: ExtractiveSummarizer[Any], builder: LevelBuilder, *, joins: bool
    ) -> None:
        super().__init__(last.name, None)
        self.takes_focus = last.takes_focus
        self._last = last
        self._builder = builder
        self._joins = joins

    @property
    def settings(self) -> dict[str, Any]:
        """No settings of its own."""
        return {}

    def rank(self, request: Request) -> Ranked:
        """Summarize the parts, and rank the sentences of their summaries."""
        document = request.document
        stages = self._builder.stages()
        levels = tuple(stage.level for stage in stages if stage.level is not None)
        ranking = TieredRanking(
            len(document.sentences),
            [self._tier(stage, request) for stage in reversed(stages)],
        )
        coverage = self._builder.coverage(stages[1]) if levels else ranking.first.coverage
        notes = [] if coverage is None else list(self._builder.notes(levels, coverage))
        return Ranked(
            ranking,
            None if ranking.first.candidates is None else ranking.members,
            explanation=ranking.first.explanation,
            notices=(*notes, *ranking.first.notices),
            coverage=coverage,
            levels=levels,
        )

    def _tier(self, stage: Stage, request: Request) -> Tier:
        positions = [origins[0].sentence for origins in stage.origins]
        if self._joins and stage.level is not None:
            rank = partial(_by_turns, stage.level)
        else:
            budget = request.budget.absolute(request.document)
            of_stage = Request(stage.document, budget, request.focus, request.seed)
            rank = partial(self._last.rank, of_stage)
        return Tier(np.array(positions, dtype=np.intp), rank)


def _by_turns(level: Level) -> Ranked:
    """Rank the sentences of a level in the order of their parts' summaries, interleaving parts."""
    costs: list[int] = []
    orders: list[list[int]] = []
    weights: list[float] = []
    for part in level.parts:
        if part.sentences:
            places = range(len(costs), len(costs) + len(part.sentences))
            orders.append(sorted(places, key=lambda at: part.sentences[at - places.start].step))
            costs.extend(count_words(sentence.text) for sentence in part.sentences)
            weights.append(part.budget)
    return Ranked(TurnRanking(orders, costs, weights))


def in_parts(
    system: System,
    document: Document,
    folder: Path | None = None,
    progress: Progress | None = None,
    *,
    levels: bool = False,
) -> System:
    """Return a system that divides the document if it is too long for the given one.

    Args:
        system: The system.
        document: The document.
        folder: Stores the summaries of parts; None to store none.
        progress: Called for each finished part of a level.
        levels: Whether chapters are summarized separately however short the text is; see
            `RecursiveSummarizer.by_chapters`.

    Raises:
        LongsumError: The folder cannot be created.
    """
    if not isinstance(system, RecursiveSummarizer):
        limit = system.reads_at_once(document)
        config = RecursiveConfig(chapters=system.name, whole=system.name, undivided=limit)
        dividing = RecursiveSummarizer(system.name, config, system, system)
        dividing = dividing.by_chapters(document) if levels else dividing
        if not dividing.divides(document):
            return system
        system = dividing
    elif levels:
        system = system.by_chapters(document)
    return system.resuming_in(folder, progress)


def recursive(name: str, config: RecursiveConfig) -> System:
    """Make a system of the kind `recursive` with the systems for the parts and the whole."""
    with forbid_self_nesting(name, config):
        chapters = load_system(config.chapters, **config.chapters_settings)
        whole: System | None = chapters
        if config.whole is None:
            whole = None
        elif (config.whole, config.whole_settings) != (config.chapters, config.chapters_settings):
            whole = load_system(config.whole, **config.whole_settings)
    return RecursiveSummarizer(name, config, chapters, whole)


RECURSIVE = SystemKind(RecursiveConfig, recursive)
