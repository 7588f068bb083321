"""FactCC: how likely the sentences of a summary are consistent with their contexts.

Kryscinski et al. 2020; contexts as in HEPOS (Huang et al. 2021), §5 and App. B.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Protocol

from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.evaluation.metrics.overlap import ClippedOverlap


class Contexts:
    """Finds the sentences of a document that a text is about, by an index of their bigrams."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = sentences
        self._bigrams = [list(pairwise(rouge_tokens(sentence))) for sentence in sentences]
        self._index: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place, bigrams in enumerate(self._bigrams):
            for bigram in set(bigrams):
                self._index[bigram].append(place)

    def choose(
        self, reference: str, most: int | None = None, *, without: Collection[int] = ()
    ) -> list[int]:
        """Choose sentences greedily, each the one that most increases ROUGE-2 recall.

        Args:
            reference: A text.
            most: Maximum number of sentences; None for as many as increase recall.
            without: Positions of sentences that must not be chosen.

        Returns:
            Their positions in the document's order. Of equally good sentences, the earliest is
            chosen; the choice ends when none increases recall, so every sentence shares a bigram
            with the reference. Bigrams across sentence boundaries do not count; the papers do not
            say whether they should.
        """
        wanted = list(pairwise(rouge_tokens(reference)))
        sharing = {place for bigram in set(wanted) for place in self._index.get(bigram, ())}
        places = sorted(sharing.difference(without))
        candidates = [self._bigrams[place] for place in places]
        overlap = ClippedOverlap(wanted, candidates)
        chosen: list[int] = []
        limit = len(places) if most is None else min(most, len(places))
        while len(chosen) < limit and overlap.gains.max() > 0:
            best = int(overlap.gains.argmax())
            chosen.append(places[best])
            overlap.add(candidates[best])
        return sorted(chosen)

    def text(
        self, reference: str, most: int | None = None, *, without: Collection[int] = ()
    ) -> str:
        """Return the text of the sentences that `choose` chooses."""
        chosen = self.choose(reference, most, without=without)
        return " ".join(self.sentences[place] for place in chosen)


class ClaimChecker(Protocol):
    """A model that says how likely it is that a claim is consistent with a text."""

    @property
    def sentences(self) -> int | None:
        """Most sentences of a text that it reads; None for as many as there are."""
        ...

    def consistency(self, claim: str, context: str) -> float:
        """Return the probability that a claim is consistent with a context, in [0, 1]."""
        ...


def factcc(
    summary: Sequence[str], source: Sequence[str], checker: ClaimChecker
) -> tuple[float, list[float]]:
    """Return the mean score of a summary's sentences, and the score of each.

    Args:
        summary: The summary's sentences. If there are none, the mean is 0.
        source: The document's sentences; the checker reads those that `Contexts` chooses for each
            sentence of the summary.
        checker: The model. It is not asked about a sentence that shares no bigram with the source,
            which has no support and scores 0.

    The paper does not say how sentences are aggregated; we take the mean of the probabilities.
    """
    scores, contexts = [], Contexts(source)
    for sentence in summary:
        context = contexts.text(sentence, checker.sentences)
        scores.append(checker.consistency(sentence, context) if context else 0.0)
    return (fmean(scores) if scores else 0.0), scores
