"""Weighted PageRank over sentence similarity (MLS, §3, baseline A2; Mihalcea & Tarau 2004)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from longsum.core.extractive.selection import FixedRanking
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked, focus_similarity
from longsum.core.systems.system import Request, SystemKind
from longsum.language.centrality import page_rank
from longsum.language.embeddings import TermMatrix


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
