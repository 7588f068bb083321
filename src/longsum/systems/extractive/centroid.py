"""The greedy heuristic of Otterbacher et al. 2006: the prototype of MLS+ (MLS, §3.1.2)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from longsum.arrays import Array
from longsum.language.embeddings import TermMatrix
from longsum.language.words import count_words
from longsum.systems.extractive.summarizer import ExtractiveSummarizer, Ranked
from longsum.systems.system import Request


@dataclass(frozen=True, slots=True)
class CentroidConfig:
    """Settings of the system `centroid`.

    Attributes:
        centroid_weight: Weight of the likeness to the centroid.
        position_weight: Weight of the position.
        redundancy_weight: Weight of the likeness to what is chosen, which counts against.
        least_words: Sentences of fewer words come last.
    """

    centroid_weight: float = 1.0
    position_weight: float = 1.0
    redundancy_weight: float = 1.0
    least_words: int = 9


class Centroid(ExtractiveSummarizer):
    """Takes the sentence of the highest salience that repeats least, again and again.

    The hierarchical summaries of Otterbacher et al. unfold sentences in the order of their salience
    by MEAD (Radev et al. 2004), one linear combination: likeness to the centroid of all sentences,
    and position, which falls from 1 for the first sentence to 0 after the last, less the likeness
    to what is chosen. A prototype has no levels, so their tree is left out. MEAD sums the centroid
    over the words of a sentence, which favours long ones; here likeness is the cosine of TF–IDF
    vectors, as a share of the largest. Weights and the least length are MEAD's own.
    """

    def __init__(self, name: str, config: CentroidConfig) -> None:
        super().__init__(name, config)
        self._config = config

    def rank(self, request: Request) -> Ranked:
        """Find the centroid."""
        sentences = [sentence.text for sentence in request.document.sentences]
        lengths = np.array([count_words(sentence) for sentence in sentences])
        return Ranked(
            _Salience(sentences, self._config), preferred=lengths >= self._config.least_words
        )


class _Salience:
    def __init__(self, sentences: list[str], config: CentroidConfig) -> None:
        self._rows = TermMatrix(sentences).transform(sentences)
        # The cosine with the mean row, times a length that is the same for all.
        likeness: Array = self._rows @ self._rows.sum(axis=0)
        count = len(sentences)
        self._shares = {
            "centroid": config.centroid_weight * likeness / max(likeness.max(), 1e-12),
            "position": config.position_weight * (count - np.arange(count)) / count,
        }
        self._redundancy_weight = config.redundancy_weight
        self._repeated = np.zeros(count)

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the salience of each sentence, and its parts."""
        shares = {**self._shares, "redundancy": -self._redundancy_weight * self._repeated}
        scores: Array = np.sum(list(shares.values()), axis=0)
        return scores, shares

    def choose(self, sentence: int) -> None:
        """Mark down what resembles the sentence."""
        likeness = self._rows @ self._rows[[sentence]].toarray()[0]
        np.maximum(self._repeated, likeness, out=self._repeated)
