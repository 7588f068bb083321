"""FactCC: whether a summary's sentences follow from the source, by a classifier.

Kryscinski et al. 2020; with contexts as in HEPOS (Huang et al. 2021), §5 and App. B.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import Protocol

from longsum.lab.checking.context import Contexts


class ClaimChecker(Protocol):
    """A model that says how likely a claim is consistent with a text."""

    @property
    def sentences(self) -> int | None:
        """Most sentences of a text that it reads; None for as many as there are."""
        ...

    def consistency(self, claim: str, context: str) -> float:
        """Return the probability, in [0, 1]."""
        ...


def factcc(
    summary: Sequence[str], source: Sequence[str], checker: ClaimChecker
) -> tuple[float, list[float]]:
    """Return the mean score of a summary's sentences, and the score of each.

    Args:
        summary: The summary's sentences. Without any, the mean is 0.
        source: The document's sentences; of these the checker reads the ones that `Contexts`
            chooses for each sentence.
        checker: The model. A sentence that shares no bigram with the source has nothing to follow
            from, and scores 0 without it.

    The paper does not say how sentences are aggregated; we take the mean of the probabilities.
    """
    scores, contexts = [], Contexts(source)
    for sentence in summary:
        context = contexts.text(sentence, checker.sentences)
        scores.append(checker.consistency(sentence, context) if context else 0.0)
    return (fmean(scores) if scores else 0.0), scores
