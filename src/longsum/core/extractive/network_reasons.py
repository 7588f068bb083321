"""Attributes the score of a trained extractor to the input features of a sentence.

A network returns a single number. To explain it, the sentence is scored again with fewer of its
features (`longsum.models.networks.extractive.torch_network`); the gain from adding a feature is
its share. The shares add up to the score by construction; of two redundant features, the one added
first gets the share.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

import numpy as np

from longsum.common.arrays import Array, Places
from longsum.documents.sentence_features import PLACES

WORDING = "wording"
HEADINGS = "headings"
SUBJECT = "subject"
PLACE = "place"
NOVELTY = "novelty"

_GROUPS = [
    [list(PLACES).index(name) for name in group]
    for group in (
        ("title_words", "common_words", "commonness", "central"),
        ("words", "names", "numbers", "kind"),
    )
]

_AT_ONCE = 15


class NetworkReasons:
    """The shares of each sentence's logit before any choice, relative to the mean logit.

    The features are the sentence's own words; the heading above it; how many words of the title and
    frequent words of the document it contains, and how central it is (its subject); its length and
    form, which count as wording; and its position.

    Args:
        contributions: Returns the logits of sentences as groups of features are added.
        logits: `[n]`, the logits before any choice.
        mean: The mean of the logits.
        likely: Sentences in the order in which they are likely to be asked for: with one, the next
            few of them are computed, which takes hardly longer.
    """

    def __init__(
        self,
        contributions: Callable[[Sequence[int], Sequence[Sequence[int]]], list[list[float]]],
        logits: Array,
        mean: float,
        likely: Places,
    ) -> None:
        self._contributions = contributions
        self._logits, self._mean = logits, mean
        self._likely = iter(likely.tolist())
        self._found: dict[int, Mapping[str, float]] = {}

    def of(self, sentence: int) -> Mapping[str, float]:
        """Return the shares of a sentence by name; they add up to its logit minus the mean."""
        if sentence not in self._found:
            others = (each for each in self._likely if each not in self._found)
            asked = list(dict.fromkeys([sentence, *islice(others, _AT_ONCE)]))
            told = self._contributions(asked, _GROUPS)
            self._found.update(zip(asked, map(self._shares, asked, told), strict=True))
        return self._found[sentence]

    def _shares(self, sentence: int, partial: Sequence[float]) -> Mapping[str, float]:
        steps = np.diff([self._mean, *partial, self._logits[sentence]]).tolist()
        words, headings, subject, length, place = steps
        return {WORDING: words + length, HEADINGS: headings, SUBJECT: subject, PLACE: place}

    def shares(self) -> dict[str, "NetworkShare"]:
        """Return the shares of all sentences by name."""
        return {name: NetworkShare(self, name) for name in (WORDING, HEADINGS, SUBJECT, PLACE)}


class NetworkShare:
    """One of the shares, computed on demand for the chosen sentences."""

    def __init__(self, reasons: NetworkReasons, name: str) -> None:
        self._reasons, self._name = reasons, name

    def __getitem__(self, sentence: int) -> float:
        return self._reasons.of(sentence)[self._name]
