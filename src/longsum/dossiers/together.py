"""A single selection from the sentences of several documents, each with its share."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from longsum.common.arrays import Array, Mask, Places
from longsum.core.extractive.copies import SelectionRules
from longsum.core.extractive.selection import FixedRanking, Selection, Share, pool
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked, ShareOf
from longsum.core.summaries.by_document import CoverageByDocument
from longsum.core.systems.system import Request, System
from longsum.documents.dossier import Dossier, Member
from longsum.dossiers.members import OfMembers, dossier_of, notices_of_members, requests, shares


class MembersRanking:
    """The rankings of several documents side by side, each with its share."""

    def __init__(
        self, members: Sequence[Member], ranked: Sequence[Ranked], worth: Sequence[float]
    ) -> None:
        self._rankings, self.worth = [each.ranking for each in ranked], np.array(worth)
        sizes = [len(member.sentences) for member in members]
        self.homes = np.repeat(np.arange(len(members)), sizes)
        self._starts = [member.sentences.start for member in members]
        self._found = [ranking.scores() for ranking in self._rankings]
        self._left = [
            size if each.candidates is None else int(each.candidates.sum())
            for size, each in zip(sizes, ranked, strict=True)
        ]

    def scores(self) -> tuple[Array, Mapping[str, Share]]:
        """Return the score of each sentence within its document."""
        names = dict.fromkeys(name for _, shares in self._found for name in shares)
        scores = np.concatenate([scores for scores, _ in self._found])
        return scores, {name: ShareOf(partial(self.share, name)) for name in names}

    def share(self, name: str, sentence: int) -> float:
        """Return a term of a sentence's score, 0 if its document has no term of that name."""
        home = int(self.homes[sentence])
        found = self._found[home][1].get(name)
        return 0.0 if found is None else float(found[sentence - self._starts[home]])

    def choose(self, sentence: int) -> None:
        """Condition a document's ranking on its sentence, unless it was the last."""
        home = int(self.homes[sentence])
        self._rankings[home].choose(sentence - self._starts[home])
        self._left[home] -= 1
        if self._left[home]:
            self._found[home] = self._rankings[home].scores()


class SharedSelection(Selection):
    """Chooses from the document that is furthest behind its share of the summary so far.

    It is the one with the smallest (words so far + mean sentence length) / share, as in D'Hondt's
    method; if nothing in it is worth choosing, the next one. Once the summary is as long as one
    sentence of mean length per document, documents without a sentence come first, so that a summary
    of twice that length covers all. So the choice depends only on earlier choices and on what fits,
    as `Selection` promises.
    """

    def __init__(self, ranking: MembersRanking, costs: Sequence[int], *others: Any) -> None:
        super().__init__(ranking, costs, *others)
        self._homes, self._worth = ranking.homes, ranking.worth
        self._spent_by = np.zeros(len(self._worth))
        self._mean = float(np.mean(costs)) if len(costs) else 0.0
        self._turn: int | None = None

    def _pool(self) -> Mask:
        return pool(self._open & (self._homes == self._turn), self._preferred)

    def _fitting(self, capacity: int) -> Mask:
        """Return what fits from the document whose turn it is, or from any."""
        if self._turn is not None:
            return super()._fitting(capacity)
        fits: Mask = self._open & (self._lengths.now <= capacity - self._spent)
        return fits

    def _best(self, scores: Array, capacity: int) -> Any:
        try:
            for turn in self._turns():
                self._turn = turn
                if self._fitting(capacity).any():
                    best = super()._best(scores, capacity)
                    if best is not None:
                        return best
            return None
        finally:
            self._turn = None

    def _turns(self) -> Places:
        """Return the documents, beginning with the one whose turn it is."""
        behind = (self._spent_by + self._mean) / self._worth
        silent = (self._spent_by == 0) & (self._spent >= self._mean * len(self._spent_by))
        order: Places = np.lexsort((behind, ~silent))
        return order

    def _close(self, sentence: int) -> None:
        before = self._spent
        super()._close(sentence)
        self._spent_by[self._homes[sentence]] += self._spent - before


class Together(OfMembers, ExtractiveSummarizer[None]):
    """Ranks the sentences of each document by a system of its own, and selects from all at once.

    The next sentence is the best, by its own ranking, of the document that is furthest behind its
    share (`SharedSelection`); what another document has already said is not repeated.
    """

    selection = SharedSelection

    def __init__(self, system: ExtractiveSummarizer[Any], systems: Sequence[System]) -> None:
        ExtractiveSummarizer.__init__(self, system.name, None)
        OfMembers.__init__(self, system, systems)
        self.ends, self._rules = system.ends, system.rules

    @property
    def is_shortening(self) -> bool:
        """Whether the system shortens sentences."""
        return self._system.is_shortening

    @property
    def rules(self) -> SelectionRules:
        """The rules of the system; what several documents say alike is always said once."""
        return replace(self._rules, say_once=True)

    def rank(self, request: Request) -> Ranked:
        """Rank the sentences of each document independently."""
        dossier = dossier_of(request)
        ranked = list(map(_ranked, self._systems, requests(request)))
        worth = shares(dossier, request.focus)
        partly = any(found.exhausted != "document" for found in ranked)
        return Ranked(
            MembersRanking(dossier.members, ranked, worth),
            candidates=_spread(dossier, [found.candidates for found in ranked]),
            preferred=_spread(dossier, [found.preferred for found in ranked]).astype(np.int64),
            notices=tuple(notices_of_members(dossier, [found.notices for found in ranked])),
            coverage=CoverageByDocument.of_members(dossier, [found.coverage for found in ranked]),
            exhausted="model_limit" if partly else "document",
        )


def _ranked(system: System, request: Request) -> Ranked:
    """Rank the sentences of a document; if it must be divided, those of its summary."""
    if isinstance(system, ExtractiveSummarizer):
        return system.rank(request)
    (made,) = system.lengths(request, [request.budget])
    count = len(request.document.sentences)
    steps = {each.sources[0].sentence: each.step for each in made.sentences}
    candidates, order = np.zeros(count, dtype=bool), np.zeros(count)
    for rank, place in enumerate(sorted(steps, key=steps.__getitem__)):
        candidates[place], order[place] = True, -rank
    return Ranked(
        FixedRanking(order, "order"),
        candidates,
        notices=made.notices,
        coverage=made.coverage,
        exhausted="model_limit",
    )


def _spread(dossier: Dossier, found: Sequence[Mask | Places | None]) -> Any:
    """Join the values of the sentences of all documents, 1 for documents without any, `[n]`."""
    return np.concatenate(
        [
            np.ones(len(member.sentences), dtype=bool) if each is None else each
            for member, each in zip(dossier.members, found, strict=True)
        ]
    )
