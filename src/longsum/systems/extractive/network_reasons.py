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

from longsum.arrays import Array
from longsum.documents.places import PLACES
from longsum.models.extractive.contributions import Contributions

WORDING = "wording"
HEADINGS = "headings"
SUBJECT = "subject"
PLACE = "place"
NOVELTY = "novelty"

_GROUPS = [
    [list(PLACES).index(name) for name in group]
    for group in (("title_words", "common_words", "commonness"), ("words",))
]


class ContributingRead(Protocol):
    """A document that a network has read: what `longsum.systems.extractive.salience.Read` is."""

    @property
    def contributions(self) -> Contributions:
        """What the network makes of each thing that it is told."""

    @property
    def computing(self) -> Callable[[], AbstractContextManager[None]]:
        """How the network computes."""


class NetworkReasons:
    """The shares of each sentence's score before any choice, over that of the mean sentence.

    The network is told the sentence's own words; the heading that it stands under; how many of the
    title's words and of the document's frequent ones it has (its subject); how long it is, which
    counts for its wording; and where it stands.

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
        """Return the shares of a sentence by name; they add up to its logit over the mean."""
        if sentence not in self._found:
            with self._read.computing():
                told = self._read.contributions(sentence, _GROUPS).tolist()
            steps = np.diff([self._mean, *told, self._logits[sentence]]).tolist()
            words, headings, subject, length, place = steps
            self._found[sentence] = {
                WORDING: words + length,
                HEADINGS: headings,
                SUBJECT: subject,
                PLACE: place,
            }
        return self._found[sentence]

    def shares(self) -> dict[str, "NetworkShare"]:
        """Return the shares of all sentences by name."""
        return {name: NetworkShare(self, name) for name in (WORDING, HEADINGS, SUBJECT, PLACE)}


class NetworkShare:
    """One of the shares, computed for the sentences that are asked for: those that are chosen."""

    def __init__(self, reasons: NetworkReasons, name: str) -> None:
        self._reasons, self._name = reasons, name

    def __getitem__(self, sentence: int) -> float:
        return self._reasons.of(sentence)[self._name]
