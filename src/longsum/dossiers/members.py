"""What both ways to summarize a dossier ask of its documents, and tell of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from longsum.core.summaries import Budget, Notice
from longsum.core.systems.system import Request, System
from longsum.documents.dossier import Dossier
from longsum.dossiers.shares import Sharing, shares

_OF_THE_WHOLE = ("document", "length")
"""Kinds of notices that are told of the dossier, not of each document once more."""


def dossier_of(request: Request) -> Dossier:
    """Return the dossier that a request is about."""
    assert isinstance(request.document, Dossier)
    return request.document


def requests(request: Request) -> Iterator[Request]:
    """Yield what is asked of each document at most: a summary as long as that of all."""
    dossier, budget = dossier_of(request), request.budget
    asked = budget if budget.is_open else budget.absolute(dossier)
    for member in dossier.members:
        yield replace(request, document=member.document, budget=asked)


class OfMembers(System):
    """Summarizes several documents with a system, which is prepared for each in `systems`."""

    def __init__(self, system: System, systems: Sequence[System], shared: Sharing = shares) -> None:
        self.name, self.writes, self.neural = system.name, system.writes, system.neural
        self.takes_focus, self.own_length = system.takes_focus, system.own_length
        self._system, self._systems, self._shared = system, systems, shared

    @property
    def settings(self) -> dict[str, Any]:
        """Those of the system."""
        return self._system.settings

    def counting(self, budget: Budget) -> Budget:
        """Return the budget as the system counts it."""
        return self._system.counting(budget)

    def own_budget(self, request: Request) -> Budget:
        """Return the sum of what the system would say of each document."""
        asked = zip(self._systems, requests(request), strict=True)
        own = [system.own_budget(each) for system, each in asked]
        return replace(own[0], amount=sum(each.amount for each in own), automatic=True)


def notices_of_members(dossier: Dossier, found: Sequence[Sequence[Notice]]) -> Iterator[Notice]:
    """Yield the notices about each document with its name, once where one holds for all."""
    kept = [[note for note in notes if note.kind not in _OF_THE_WHOLE] for notes in found]
    common = [note for note in kept[0] if all(note in notes for notes in kept)]
    yield from common
    for member, notes in zip(dossier.members, kept, strict=True):
        for note in notes:
            if note not in common:
                yield Notice(note.kind, f"{member.name}: {note.text}")
