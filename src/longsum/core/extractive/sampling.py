"""Position baselines: `lead` and systematic sampling (MLS, §3, baseline A1)."""

import random
from dataclasses import dataclass

import numpy as np

from longsum.common.errors import LongsumError
from longsum.core.extractive.selection import FixedRanking, SelectionInOrder
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked
from longsum.core.systems.system import Request, SystemKind
from longsum.documents.model import Document


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

    The start is one of the first k − 1 sentences; sampling stops where the next sampled sentence
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
