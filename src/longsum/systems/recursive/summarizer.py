"""Whole books: chapters are summarized, and the whole from their summaries.

Top-down (Pang et al. 2022, §3.4.2) summarizes a book in two levels: a model writes a summary of
every chapter, and a model writes the book's summary from the chapters' summaries. Here any system
does either, there are as many levels as the last system needs, and every sentence keeps its sources
in the book itself.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from longsum.documents.model import Document
from longsum.language.words import count_words
from longsum.summaries import Budget, Summary
from longsum.summaries.levels import Level
from longsum.systems.extractive.summarizer import ExtractiveSummarizer, Ranked
from longsum.systems.recursive.level_builder import LevelBuilder, Leveled, Told, words_of
from longsum.systems.recursive.levels import PartReader, Stage
from longsum.systems.recursive.part_store import PartStore
from longsum.systems.recursive.recursion_settings import RecursiveConfig, reads_at_once
from longsum.systems.recursive.tiers import Tier, TieredRanking, TieredSelection, TurnRanking
from longsum.systems.system import Request, System


class RecursiveSummarizer(System):
    """Summarizes the parts of a long document, and the whole from their summaries.

    Where both systems choose sentences, a summary is one selection through the levels
    (`tiers.py`): lengths nest, and one that the last level cannot fill is filled from
    below. Where a system writes, each length is made by itself; and where the last level would be
    shorter than the length asked for, the one below it is summarized part by part instead.
    """

    def __init__(
        self,
        name: str,
        config: RecursiveConfig,
        chapters: System,
        whole: System | None,
        *,
        store: PartStore | None = None,
        told: Told = lambda *_: None,
    ) -> None:
        """Make the system.

        Args:
            name: Name of the recipe.
            config: Its settings.
            chapters: What summarizes a part.
            whole: What makes the summary of the whole, perhaps the same; None joins summaries of
                the parts.
            store: Where summaries of parts are kept, so that an interrupted run can resume.
            told: Is told of each part of a level that is done.
        """
        self.name = name
        self._config = config
        self._store = store
        self._told = told
        self._chapters = chapters
        self._whole = whole
        self._last = whole or chapters
        self.takes_focus = chapters.takes_focus and self._last.takes_focus
        self.neural, self.writes = self._last.neural, self._last.writes
        self.own_length = self._last.own_length

    @property
    def settings(self) -> dict[str, Any]:
        """All settings, with those of both systems."""
        return {
            **asdict(self._config),
            "chapters_settings": self._chapters.settings,
            "whole_settings": {} if self._whole is None else self._whole.settings,
        }

    def keeping(self, folder: Path) -> "RecursiveSummarizer":
        """Return the same system, keeping the summaries of parts in a folder as they are made.

        Raises:
            LongsumError: The folder cannot be made.
        """
        kept = copy(self)
        kept._store = PartStore(folder)
        return kept

    def telling(self, told: Told) -> "RecursiveSummarizer":
        """Return the same system, telling of each part of a level that is done."""
        telling = copy(self)
        telling._told = told
        return telling

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted as the last system counts them."""
        return self._last.counting(budget)

    def rungs(self, request: Request, budgets: Sequence[Budget], place: int) -> Iterator[Summary]:
        """Summarize through the levels, which every rung tells.

        A document that is read at once has none.
        """
        document, focus, seed = request.document, request.focus, request.seed
        chapters = PartReader(self._chapters, focus, seed, self._store)
        last = PartReader(self._last, focus, seed, self._store)
        joins = self._whole is None
        builder = LevelBuilder(document, self._config, chapters, last, joins=joins, told=self._told)
        made: list[Leveled]
        if builder.at_once:
            made = [(rung, []) for rung in self._last.rungs(request, budgets, place)]
        elif isinstance(self._last, ExtractiveSummarizer) and self._copies:
            through = _ThroughLevels(self._last, builder, joins=joins)
            made = [(rung, through.levels) for rung in through.rungs(request, budgets, place)]
        else:
            made = builder.ladder(budgets, place)
        settings = self.settings | request.named_focus
        for summary, levels in made:
            yield replace(summary, levels=tuple(levels), system=self.name, settings=settings)

    @property
    def _copies(self) -> bool:
        """Whether every level copies, and the last one chooses by rank alone."""
        last = self._last
        return self._chapters.nests and isinstance(last, ExtractiveSummarizer) and last.by_rank


class _ThroughLevels(ExtractiveSummarizer):
    """One selection from the last level, and after it from those below."""

    selection = TieredSelection

    def __init__(self, last: ExtractiveSummarizer, builder: LevelBuilder, *, joins: bool) -> None:
        super().__init__(last.name, None)
        self.takes_focus = last.takes_focus
        self.levels: list[Level] = []
        self._last = last
        self._builder = builder
        self._joins = joins

    @property
    def settings(self) -> dict[str, Any]:
        """None of its own."""
        return {}

    def rank(self, request: Request) -> Ranked:
        """Summarize the parts, and rank what is left of them."""
        document = request.document
        stages = self._builder.stages()
        self.levels = [stage.level for stage in stages if stage.level is not None]
        ranking = TieredRanking(
            len(document.sentences),
            [self._tier(stage, request) for stage in reversed(stages)],
        )
        coverage = self._builder.coverage(stages[1]) if self.levels else ranking.first.coverage
        notes = [] if coverage is None else list(self._builder.notes(self.levels, coverage))
        return Ranked(
            ranking,
            None if ranking.first.candidates is None else ranking.members,
            explanation=ranking.first.explanation,
            notices=(*notes, *ranking.first.notices),
            coverage=coverage,
        )

    def _tier(self, stage: Stage, request: Request) -> Tier:
        positions = [origins[0].sentence for origins in stage.origins]
        if self._joins and stage.level is not None:
            rank = partial(_by_turns, stage.level)
        else:
            budget = request.budget.absolute(request.document)
            asked = Request(stage.document, budget, request.focus, request.seed)
            rank = partial(self._last.rank, asked)
        return Tier(np.array(positions, dtype=np.intp), rank)


def _by_turns(level: Level) -> Ranked:
    """Rank the sentences of a level by the order of their parts' summaries, parts taking turns."""
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
    system: System, document: Document, folder: Path | None = None, told: Told | None = None
) -> System:
    """Return the system to summarize a document with: in parts, if it is too long for the system.

    Args:
        system: What would read it at once.
        document: The document.
        folder: Where summaries of parts are kept; see `RecursiveSummarizer.keeping`.
        told: Is told of each part that is done; see `RecursiveSummarizer.telling`.

    Raises:
        LongsumError: The folder cannot be made.
    """
    if not isinstance(system, RecursiveSummarizer):
        limit = reads_at_once(system, document)
        if limit is None or words_of(document) <= limit:
            return system
        config = RecursiveConfig(chapters=system.name, whole=system.name, undivided=limit)
        system = RecursiveSummarizer(system.name, config, system, system)
    if told is not None:
        system = system.telling(told)
    return system if folder is None else system.keeping(folder)
