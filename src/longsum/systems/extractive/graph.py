"""Weighted PageRank over sentence similarity (MLS, §3, baseline A2; Mihalcea & Tarau 2004)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from longsum.language.centrality import page_rank
from longsum.language.embeddings import TermMatrix
from longsum.summaries import Notice
from longsum.systems.extractive.selection import FixedRanking
from longsum.systems.extractive.summarizer import ExtractiveSummarizer, Ranked, unlike_focus
from longsum.systems.system import Request


@dataclass(frozen=True, slots=True)
class GraphConfig:
    """Settings of the system `graph`.

    Attributes:
        damping: Probability of following an edge rather than jumping; less than 1, or the ranks
            need not come to rest.
        tolerance: Iteration ends when the ranks together move less than this; not below what
            rounding moves them by.
    """

    damping: Annotated[float, Field(ge=0, lt=1)] = 0.85
    tolerance: Annotated[float, Field(ge=1e-12)] = 1e-9


class Graph(ExtractiveSummarizer):
    """Sentences are the nodes of a complete graph, weighted by TF–IDF cosine; PageRank orders them.

    A focus makes the jumps
    go to sentences in proportion to their cosine with it (topic-sensitive PageRank).
    """

    takes_focus = True

    def __init__(self, name: str, config: GraphConfig) -> None:
        super().__init__(name, config)
        self._config = config

    def rank(self, request: Request) -> Ranked:
        """Run PageRank."""
        sentences = [sentence.text for sentence in request.document.sentences]
        terms = TermMatrix(sentences)
        rows = terms.transform(sentences)
        jump = np.full(len(sentences), 1 / len(sentences))
        notices: tuple[Notice, ...] = ()
        if request.focus is not None:
            likeness = np.asarray((rows @ terms.transform([request.focus]).T).todense()).ravel()
            if likeness.any():
                jump = likeness / likeness.sum()
            else:
                notices = (unlike_focus(request.focus),)
        ranks = page_rank(rows, jump, self._config.damping, self._config.tolerance)
        return Ranked(FixedRanking(ranks, "centrality"), notices=notices)
