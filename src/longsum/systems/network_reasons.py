"""What the choice of a trained extractor rests on: shares of what its network was told.

A network gives one number. To say more, it is asked again about a sentence while it is told less
of it (`longsum.models.extractive.contributions`); what the score gains when it is told more is the
share of that. The shares add up to the score by construction; where two things say the same, the
one that is told first has the share.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

import numpy as np

from longsum.documents.places import PLACES
from longsum.models.extractive.contributions import Contributions
from longsum.systems.selection import Array, Share

WORDING = "wording"
HEADINGS = "headings"
CENTRALITY = "centrality"
LENGTH = "length"
PLACE = "place"
NOVELTY = "novelty"
NAMES = (WORDING, HEADINGS, CENTRALITY, LENGTH, PLACE, NOVELTY)
"""In the order in which the network is told: the sentence's own words; the heading it stands under;
how many of the document's frequent words and of its title's it has, and how many sentences are like
it; how long it is; where it stands; and what has been chosen before it."""

_GROUPS = [
    [list(PLACES).index(name) for name in group]
    for group in (("title_words", "common_words", "commonness"), ("words",))
]


class ContributingRead(Protocol):
    """A document that a network has read: what `longsum.systems.salience.Read` is."""

    @property
    def contributions(self) -> Contributions:
        """What the network makes of each thing that it is told."""

    @property
    def computing(self) -> Callable[[], AbstractContextManager[None]]:
        """How the network computes."""


class NetworkReasons:
    """The shares of each sentence's score before any choice, over that of the mean sentence.

    Args:
        read: The document as the network has read it.
        logits: `[n]`, what the network gives each sentence before any choice.
        mean: The mean of the logits.
    """

    def __init__(self, read: ContributingRead, logits: Array, mean: float) -> None:
        self._read = read
        self._logits, self._mean = logits, mean
        self._found: dict[int, Mapping[str, float]] = {}

    def of(self, sentence: int) -> Mapping[str, float]:
        """Return the shares of a sentence by name, all but that of novelty; they add up."""
        if sentence not in self._found:
            with self._read.computing():
                told = self._read.contributions(sentence, _GROUPS).tolist()
            steps = np.diff([self._mean, *told, self._logits[sentence]]).tolist()
            self._found[sentence] = dict(zip(NAMES[:-1], steps, strict=True))
        return self._found[sentence]

    def shares(self, more: Mapping[str, Array]) -> dict[str, Share]:
        """Return the shares of all sentences by name, with what is added from elsewhere, `[n]`."""
        names = dict.fromkeys((*NAMES, *more))
        return {name: _NetworkShare(self, name, more.get(name)) for name in names}


class _NetworkShare:
    """One of the shares, computed for the sentences that are asked for: those that are chosen."""

    def __init__(self, reasons: NetworkReasons, name: str, more: Array | None) -> None:
        self._reasons, self._name, self._more = reasons, name, more

    def __getitem__(self, sentence: int) -> float:
        more = 0.0 if self._more is None else float(self._more[sentence])
        return self._reasons.of(sentence).get(self._name, 0.0) + more
