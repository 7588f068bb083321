"""Baselines without a network: by position, sentence graph or centroid."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.core.extractive.selection import FixedRanking, SelectionInOrder
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked, focus_similarity
from longsum.core.systems.system import Request, SystemKind
from longsum.documents.model import Document
from longsum.language.centrality import page_rank
from longsum.language.embeddings import TermMatrix
from longsum.language.words import count_words


@dataclass(frozen=True, slots=True)
class LeadConfig:
    """`lead` has no settings."""


@dataclass(frozen=True, slots=True)
class SystematicConfig:
    """Settings of systematic sampling.

    Attributes:
        interval: Take every `interval`-th sentence (the paper's k, 3).
    """

    interval: int = 3


class Lead(ExtractiveSummarizer[LeadConfig]):
    """Selects the document's first sentences, as many as fit."""

    selection = SelectionInOrder

    def rank(self, request: Request) -> Ranked:
        """Rank by position."""
        return Ranked(_equal(request.document))


class Systematic(ExtractiveSummarizer[SystematicConfig]):
    """Selects every k-th sentence from a random start (MLS, §3, A1).

    The start is one of the first k − 1 sentences; sampling stops when the next sampled sentence
    does not fit or the document ends, so the summary may be shorter than the budget.
    """

    selection = SelectionInOrder

    def __init__(self, name: str, config: SystematicConfig) -> None:
        if config.interval < 1:
            raise LongsumError(f"An interval of {config.interval} is impossible; give at least 1.")
        super().__init__(name, config)

    def rank(self, request: Request) -> Ranked:
        """Draw the start."""
        interval = self.config.interval
        start = random.Random(request.seed).randrange(max(interval - 1, 1))
        candidates = np.zeros(len(request.document.sentences), dtype=bool)
        candidates[min(start, len(candidates) - 1) :: interval] = True
        return Ranked(_equal(request.document), candidates)


def _equal(document: Document) -> FixedRanking:
    count = len(document.sentences)
    return FixedRanking(np.full(count, 1 / count), "position")


LEAD = SystemKind(LeadConfig, Lead)
SYSTEMATIC = SystemKind(SystematicConfig, Systematic)


@dataclass(frozen=True, slots=True)
class GraphConfig:
    """Settings of the system `graph`.

    Attributes:
        damping: Probability of following an edge rather than jumping; below 1, since otherwise the
            iteration need not converge.
        tolerance: Iteration stops when the ranks change by less than this in total; above the
            rounding error.
    """

    damping: Annotated[float, Field(ge=0, lt=1)] = 0.85
    tolerance: Annotated[float, Field(ge=1e-12)] = 1e-9


class Graph(ExtractiveSummarizer[GraphConfig]):
    """Ranks sentences by PageRank on the complete graph weighted by TF–IDF cosine.

    With a focus, jumps go to sentences in proportion to their cosine with it (topic-sensitive
    PageRank).
    """

    takes_focus = True

    def rank(self, request: Request) -> Ranked:
        """Run PageRank."""
        sentences = [sentence.text for sentence in request.document.sentences]
        terms = TermMatrix(sentences)
        rows = terms.transform(sentences)
        similarity, notices = focus_similarity(
            request, lambda focus: rows @ terms.transform([focus]).row(0)
        )
        jump = np.full(len(sentences), 1.0) if similarity is None else similarity
        jump = jump / jump.sum()
        ranks = page_rank(rows, jump, self.config.damping, self.config.tolerance)
        return Ranked(FixedRanking(ranks, "centrality"), notices=notices)


GRAPH = SystemKind(GraphConfig, Graph)


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
    salience (Radev et al. 2004). This is a linear combination of similarity to the centroid of all
    sentences and of position, which falls linearly from 1 for the first sentence to 0 after the
    last, minus the similarity to the selected sentences. A prototype has no levels, so their tree
    is left out. MEAD sums the centroid over the words of a sentence, which favours long ones; here,
    similarity is the cosine of TF–IDF vectors divided by the largest one. The weights and the
    minimum length are MEAD's.
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
        # The cosine with the mean row, up to a factor that all sentences share.
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
