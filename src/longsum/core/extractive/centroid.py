"""The greedy heuristic of Otterbacher et al. 2006, the prototype of MLS+ (MLS, §3.1.2)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Array
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked
from longsum.core.systems.system import Request, SystemKind
from longsum.language.embeddings import TermMatrix
from longsum.language.words import count_words


@dataclass(frozen=True, slots=True)
class CentroidConfig:
    """Settings of the system `centroid`.

    Attributes:
        centroid_weight: Weight of the similarity to the centroid.
        position_weight: Weight of the position.
        redundancy_weight: Weight of the penalty for similarity to the selected sentences.
        least_words: Sentences with fewer words come last.
    """

    centroid_weight: float = 1.0
    position_weight: float = 1.0
    redundancy_weight: float = 1.0
    least_words: int = 9


class Centroid(ExtractiveSummarizer[CentroidConfig]):
    """Greedily selects the sentence with the highest salience minus redundancy.

    The hierarchical summaries of Otterbacher et al. unfold sentences in the order of their MEAD
    salience (Radev et al. 2004), a linear combination of similarity to the centroid of all
    sentences and position, which falls linearly from 1 for the first sentence to 0 after the last,
    minus the similarity to the selected sentences. A prototype has no levels, so their tree is left
    out. MEAD sums the centroid over the words of a sentence, which favours long ones; here
    similarity is the cosine of TF–IDF vectors divided by the largest. The weights and the minimum
    length are MEAD's.
    """

    def rank(self, request: Request) -> Ranked:
        """Compute the salience of each sentence."""
        sentences = [sentence.text for sentence in request.document.sentences]
        lengths = np.array([count_words(sentence) for sentence in sentences])
        return Ranked(
            _Salience(sentences, self.config), preferred=lengths >= self.config.least_words
        )


class _Salience:
    def __init__(self, sentences: list[str], config: CentroidConfig) -> None:
        self._rows = TermMatrix(sentences).transform(sentences)
        # The cosine with the mean row, up to a factor that is the same for all.
        likeness: Array = self._rows @ self._rows.column_sums()
        count = len(sentences)
        self._shares = {
            "centroid": config.centroid_weight * likeness / max(likeness.max(), 1e-12),
            "position": config.position_weight * (count - np.arange(count)) / count,
        }
        self._redundancy_weight = config.redundancy_weight
        self._repeated = np.zeros(count)

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the salience of each sentence and its terms."""
        shares = {**self._shares, "redundancy": -self._redundancy_weight * self._repeated}
        scores: Array = np.sum(list(shares.values()), axis=0)
        return scores, shares

    def choose(self, sentence: int) -> None:
        """Penalize sentences similar to the chosen one."""
        likeness = self._rows @ self._rows.row(sentence)
        np.maximum(self._repeated, likeness, out=self._repeated)


CENTROID = SystemKind(CentroidConfig, Centroid)
