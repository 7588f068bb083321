"""One selection from the sentences of several documents, each of which has its share of it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from longsum.common.arrays import Mask, Places
from longsum.core.extractive.copies import SelectionRules
from longsum.core.extractive.selection import FixedRanking
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked
from longsum.core.summaries.by_document import CoverageByDocument
from longsum.core.systems.system import Request, System
from longsum.documents.dossier import Dossier
from longsum.dossiers.members import OfMembers, dossier_of, notices_of_members, requests
from longsum.dossiers.shared_selection import MembersRanking, SharedSelection
from longsum.dossiers.shares import Sharing, shares


class Together(OfMembers, ExtractiveSummarizer[None]):
    """Ranks the sentences of each document by a system of its own, and selects from all at once.

    The next sentence is of the document that is furthest behind its share (`SharedSelection`), the
    best of that document by its own ranking; what another document has said is not said again.
    """

    selection = SharedSelection

    def __init__(
        self, system: ExtractiveSummarizer[Any], systems: Sequence[System], shared: Sharing = shares
    ) -> None:
        ExtractiveSummarizer.__init__(self, system.name, None)
        OfMembers.__init__(self, system, systems, shared)
        self.ends, self._rules = system.ends, system.rules

    @property
    def is_shortening(self) -> bool:
        """Whether the system shortens sentences."""
        return self._system.is_shortening

    @property
    def rules(self) -> SelectionRules:
        """Those of the system; what several documents say alike is always told once."""
        return replace(self._rules, say_once=True)

    def rank(self, request: Request) -> Ranked:
        """Rank the sentences of each document as if it were alone."""
        dossier = dossier_of(request)
        ranked = list(map(_ranked, self._systems, requests(request)))
        worth = self._shared(dossier, request.focus)
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
    """Rank the sentences of a document: those of its summary where it has to be divided."""
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
    """Join what is known of the sentences of each document, 1 where nothing is, `[n]`."""
    return np.concatenate(
        [
            np.ones(len(member.sentences), dtype=bool) if each is None else each
            for member, each in zip(dossier.members, found, strict=True)
        ]
    )
