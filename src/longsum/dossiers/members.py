"""The common base of both ways to summarize a dossier: requests, shares and notices.

A document's share depends on how much it says that the others do not.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from longsum.core.extractive.focus import bm25
from longsum.core.summaries import Budget, Notice
from longsum.core.systems.system import Request, System
from longsum.documents.dossier import Dossier
from longsum.documents.model import Document
from longsum.language.words import content_terms

_OF_THE_WHOLE = ("document", "length")
"""Kinds of notices given for the dossier, not again for each document."""

_LEAST = 1e-9
Texts = Sequence[list[list[str]]]
"""The terms of the sentences of each document."""


def dossier_of(request: Request) -> Dossier:
    """Return the dossier that a request is about."""
    assert isinstance(request.document, Dossier)
    return request.document


def requests(request: Request) -> Iterator[Request]:
    """Yield the maximum request for each document: a summary as long as that of all."""
    dossier, budget = dossier_of(request), request.budget
    asked = budget if budget.is_open else budget.absolute(dossier)
    for member in dossier.members:
        yield replace(request, document=member.document, budget=asked)


def shares(dossier: Dossier, focus: str | None = None) -> list[float]:
    """Return each document's share of the summary; shares are above 0 and add up to 1.

    A document's content is its content words, each counted once and divided among the documents
    that have it, so that what two say counts half for each. Shares are proportional to the square
    root of that: between equal shares and shares by length, and closer to those that people choose
    than either (docs/dossiers.md); a short document is not drowned out by a long one. With a focus,
    only sentences with its words count, if there are any.

    Time is linear in the text.
    """
    texts: Texts = [_texts(member.document) for member in dossier.members]
    if focus is not None:
        texts = _about(texts, content_terms(focus))
    own = [{term for text in each for term in text} for each in texts]
    held = Counter(term for terms in own for term in terms)
    worth = [math.sqrt(sum(1 / held[term] for term in terms)) or _LEAST for terms in own]
    whole = sum(worth)
    return [each / whole for each in worth]


def _texts(document: Document) -> list[list[str]]:
    """Return the content terms of each sentence that is material, or of all if none is."""
    material = [each for each in document.sentences if each.is_material] or document.sentences
    return [content_terms(each.text) for each in material]


def _about(texts: Texts, focus: list[str]) -> Texts:
    """Return the sentences with words of a focus, or all if there are none."""
    scores = iter(bm25([text for each in texts for text in each], focus))
    kept = [[text for text in each if next(scores) > 0] for each in texts]
    return kept if any(kept) else texts


class OfMembers(System):
    """Summarizes several documents with a system; `systems` are prepared for one each."""

    def __init__(self, system: System, systems: Sequence[System]) -> None:
        self.name, self.writes, self.neural = system.name, system.writes, system.neural
        self.takes_focus, self.own_length = system.takes_focus, system.own_length
        self._system, self._systems = system, systems

    @property
    def settings(self) -> dict[str, Any]:
        """Those of the system."""
        return self._system.settings

    def counting(self, budget: Budget) -> Budget:
        """Return the budget as the system counts it."""
        return self._system.counting(budget)

    def own_budget(self, request: Request) -> Budget:
        """Return the sum of the system's own lengths for the documents."""
        asked = zip(self._systems, requests(request), strict=True)
        own = [system.own_budget(each) for system, each in asked]
        return replace(own[0], amount=sum(each.amount for each in own), automatic=True)


def notices_of_members(dossier: Dossier, found: Sequence[Sequence[Notice]]) -> Iterator[Notice]:
    """Yield the notices about each document with its name; common ones appear once."""
    kept = [[note for note in notes if note.kind not in _OF_THE_WHOLE] for notes in found]
    common = [note for note in kept[0] if all(note in notes for notes in kept)]
    yield from common
    for member, notes in zip(dossier.members, kept, strict=True):
        for note in notes:
            if note not in common:
                yield Notice(note.kind, f"{member.name}: {note.text}")
