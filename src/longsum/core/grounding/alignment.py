"""Aligns a generated sentence with its source sentences in the document.

Sources are found by their words and by the model's attention during generation. The score of source
x for sentence y is 0.75 · overlap(y, x) + 0.25 · attention(y, x), or the overlap alone if there is
no attention:

    overlap(y, x)    the mean of the F1 of their distinct terms, without function words, and the
                     share of y's pairs of adjacent terms that occur in x;
    attention(y, x)  x's share of the attention beyond what its length alone would receive.

The papers do not say how to do this. Words have more weight because they can be checked: attention
averaged over heads and layers shows where a model looks, not what it uses.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from longsum.core.summaries import Method
from longsum.language.words import stop_words, terms

OVERLAP_WEIGHT = 0.75
MAX_SOURCES = 3
"""Maximum number of sources; readers would not check more."""
MIN_OVERLAP = 0.2
"""Below this, sentences share only a word or two, as any two on the same subject do."""
MIN_ATTENTION = 0.3
"""Minimum share of the notable attention for a source that shares few words."""
MIN_NOTABLE = 0.1
"""Share of all attention that must be notable before it counts in full."""
MIN_OF_BEST = 0.4
"""Minimum score of further sources relative to the first."""
MIN_COPIED = 0.85
"""Share of a source sentence that must be reproduced verbatim to count as copied, so that the
omitted rest cannot reverse the meaning."""
MIN_COPY_LENGTH = 12
"""Minimum number of characters; shorter sentences are too common to count as copied."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """One source of a written sentence.

    Attributes:
        sentence: Position of the source among the sentences given.
        score: See the module; 1 for a copied sentence.
        reasons: The terms of the score, which add up to it.
        method: `copied`; `aligned`, found by its words; or `attention`.
    """

    sentence: int
    score: float
    reasons: dict[str, float]
    method: Method


class Aligner:
    """Finds the sources of sentences in one document with an inverted index of its terms."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._terms = [_key_terms(sentence) for sentence in sentences]
        self._with_term: dict[str, list[int]] = defaultdict(list)
        self._with_pair: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._plain = [_plain(sentence) for sentence in sentences]
        self._place_of: dict[str, int] = {}
        for place, sentence in enumerate(sentences):
            for term in self._terms[place]:
                self._with_term[term].append(place)
            for pair in set(pairwise(terms(sentence))):
                self._with_pair[pair].append(place)
            self._place_of.setdefault(self._plain[place], place)

    def align(
        self, sentence: str, attention: NDArray[np.float64] | None = None
    ) -> tuple[Alignment, ...]:
        """Return up to three sources of a sentence, the strongest first; there may be none.

        Args:
            sentence: The generated sentence.
            attention: Each source's share of the notable attention, `[n]`, in [0, 1]; see
                `notable`.
        """
        overlaps = self._overlaps(sentence)
        copied = self._copied(sentence, overlaps)
        if copied is not None:
            return (Alignment(copied, 1.0, {"copied": 1.0}, "copied"),)
        candidates = dict(overlaps)
        if attention is not None:
            for place in np.flatnonzero(attention >= MIN_ATTENTION).tolist():
                candidates.setdefault(place, 0.0)
        alignments = [
            alignment
            for place, overlap in candidates.items()
            if (alignment := _alignment(place, overlap, attention)) is not None
        ]
        alignments.sort(key=lambda alignment: (-alignment.score, alignment.sentence))
        return tuple(
            alignment
            for alignment in alignments[:MAX_SOURCES]
            if alignment.score >= MIN_OF_BEST * alignments[0].score
        )

    def _overlaps(self, sentence: str) -> dict[int, float]:
        """Return the overlap with each source that shares a term."""
        wanted = _key_terms(sentence)
        pairs = set(pairwise(terms(sentence)))
        shared = Counter(place for term in wanted for place in self._with_term.get(term, ()))
        shared_pairs = Counter(place for pair in pairs for place in self._with_pair.get(pair, ()))
        overlaps = {}
        for place, count in shared.items():
            term_f1 = 2 * count / (len(wanted) + len(self._terms[place]))
            pair_share = shared_pairs[place] / len(pairs) if pairs else term_f1
            overlaps[place] = (term_f1 + pair_share) / 2
        return overlaps

    def _copied(self, sentence: str, overlaps: dict[int, float]) -> int | None:
        plain = _plain(sentence)
        if plain in self._place_of:
            return self._place_of[plain]
        if len(plain) < MIN_COPY_LENGTH or not overlaps:
            return None
        best = max(overlaps, key=lambda place: (overlaps[place], -place))
        whole = self._plain[best]
        inside = f" {plain} " in f" {whole} "
        return best if inside and len(plain) >= MIN_COPIED * len(whole) else None


def notable(mass: NDArray[np.float64], tokens: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each source's share of the attention beyond what its length alone would receive.

    Args:
        mass: The attention that each source sentence receives, `[n]`.
        tokens: Its number of tokens, `[n]`.

    Returns:
        `[n]`, summing to 1, or to less if the attention is nearly proportional to the lengths and
        so carries no information.
    """
    total = mass.sum()
    if not total:
        return np.zeros_like(mass)
    above = np.maximum(mass / total - tokens / tokens.sum(), 0.0)
    share: NDArray[np.float64] = above / max(above.sum(), MIN_NOTABLE)
    return share


def _alignment(
    place: int, overlap: float, attention: NDArray[np.float64] | None
) -> Alignment | None:
    attended = 0.0 if attention is None else float(attention[place])
    aligned = overlap >= MIN_OVERLAP
    if not aligned and attended < MIN_ATTENTION:
        return None
    weight = 1.0 if attention is None else OVERLAP_WEIGHT
    reasons = {"overlap": weight * overlap}
    if attention is not None:
        reasons["attention"] = (1 - weight) * attended
    method: Method = "aligned" if aligned else "attention"
    return Alignment(place, sum(reasons.values()), reasons, method)


def _key_terms(text: str) -> set[str]:
    """Return the distinct terms except function words; figures count."""
    all_terms = terms(text)
    return {term for term in all_terms if term not in stop_words()} or set(all_terms)


def _plain(text: str) -> str:
    """Return the text in lower case with single spaces, without final punctuation."""
    return " ".join(text.casefold().split()).rstrip(".?!")
