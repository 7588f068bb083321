"""What both ways to summarize a dossier ask of its documents, and tell of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from longsum.core.summaries import Budget, Notice
from longsum.core.systems.system import Request, System
from longsum.documents.dossier import Dossier

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


def own_budget_of_members(systems: Sequence[System], request: Request) -> Budget:
    """Return the sum of the lengths that a system has for each document by itself."""
    own = [
        system.own_budget(asked) for system, asked in zip(systems, requests(request), strict=True)
    ]
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
