"""The expansion set of a prototype sentence: a run of the document's sentences (MLS, §2.2 C).

The paper searches "all n-grams in the input document" with a beam, and states neither its width nor
what a sentence n-gram is. Here it is a run of n consecutive sentences of one section. A document
has at most as many runs as sentences, so all are scored at once, which equals a beam search without
pruning.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from longsum.common.arrays import Array, Mask, Places
from longsum.core.kernels.fitted import Multiplex
from longsum.core.kernels.kernel import Attention, combine
from longsum.language.words import terms

RERANKED = 4
"""Number of best runs that are reranked by repetition (MLS, §2.2 C)."""

Ngram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive sentences of the document, as a candidate to replace one of the prototype.

    Attributes:
        sentences: Their positions.
        score: Mean similarity to the prototype sentence times the share of its tokens in the run.
        repeats: Number of word bigrams and trigrams that the summary would repeat.
    """

    sentences: tuple[int, ...]
    score: float
    repeats: int


class Repeats:
    """The word bigrams and trigrams of a growing summary."""

    def __init__(self) -> None:
        self._seen: set[Ngram] = set()

    def add(self, texts: Iterable[str]) -> None:
        """Add texts to the summary."""
        self._seen.update(chain.from_iterable(map(_ngrams, texts)))

    def count(self, texts: Iterable[str]) -> int:
        """Return how many bigrams and trigrams of the texts repeat the summary or one another."""
        ngrams = list(chain.from_iterable(map(_ngrams, texts)))
        return len(ngrams) - len(set(ngrams) - self._seen)


class Expansions:
    """Scores the runs of a document for each sentence of a prototype."""

    def __init__(
        self,
        prototype: Sequence[str],
        sentences: Sequence[str],
        similarity: Array,
        section_of: Sequence[int],
    ) -> None:
        """Prepare the search.

        Args:
            prototype: The m sentences of the prototype.
            sentences: The n sentences of the document.
            similarity: Pairwise cosines, clipped at 0, `[m, n]`.
            section_of: Section of each sentence of the document.
        """
        self._sentences = sentences
        self._similarity = similarity
        self._section_of = np.asarray(section_of, dtype=np.int64)
        index: dict[str, list[int]] = defaultdict(list)
        for place, sentence in enumerate(sentences):
            for term in set(terms(sentence)):
                index[term].append(place)
        self._tokens = [_tokens(sentence, index, len(sentences)) for sentence in prototype]
        self._scores: dict[int, Array] = {}

    def scores(self, length: int) -> Array:
        """Return the score of each run of `length` sentences, `[m, n − length + 1]`.

        0 for runs across a section boundary.
        """
        if length not in self._scores:
            self._scores[length] = self._score(length)
        return self._scores[length]

    def best(self, sentence: int, length: int, allowed: Mask, summary: Repeats) -> tuple[Run, ...]:
        """Return the best four runs for a sentence, the one with the fewest repeats first.

        Runs with score 0 are excluded; ties go to the better score, then to the earlier run.

        Args:
            sentence: Position of the prototype sentence.
            length: Number of sentences in a run.
            allowed: Which runs are allowed, by their first sentence, `[n − length + 1]`.
            summary: The n-grams of the summary so far.
        """
        scores = np.where(allowed, self.scores(length)[sentence], 0.0)
        order = np.argsort(-scores, kind="stable")[:RERANKED]
        runs = []
        for first in order[scores[order] > 0].tolist():
            places = tuple(range(first, first + length))
            repeats = summary.count(self._sentences[place] for place in places)
            runs.append(Run(places, float(scores[first]), repeats))
        return tuple(sorted(runs, key=lambda run: run.repeats))

    def _score(self, length: int) -> Array:
        count = len(self._sentences) - length + 1
        if count < 1:
            return np.zeros((len(self._tokens), 0))
        mean = sliding_window_view(self._similarity, length, axis=1).mean(axis=-1)
        overlap = np.zeros_like(mean)
        for row, (shares, occurs) in enumerate(self._tokens):
            overlap[row] = shares @ sliding_window_view(occurs, length, axis=1).any(axis=-1)
        whole = self._section_of[:count] == self._section_of[length - 1 :]
        scores: Array = mean * overlap * whole
        return scores


def _tokens(
    sentence: str, index: dict[str, list[int]], count: int
) -> tuple[Array, NDArray[np.bool_]]:
    """Return the share of each distinct token, `[k]`, and which sentences contain it, `[k, n]`."""
    counts = Counter(terms(sentence))
    occurs = np.zeros((len(counts), count), dtype=bool)
    for row, term in enumerate(counts):
        occurs[row, index.get(term, [])] = True
    shares = np.array(list(counts.values()), dtype=np.float64)
    return shares / max(shares.sum(), 1.0), occurs


@lru_cache(maxsize=2**12)
def _ngrams(text: str) -> tuple[Ngram, ...]:
    words = terms(text)
    return tuple(
        tuple(words[start : start + size])
        for size in (2, 3)
        for start in range(len(words) - size + 1)
    )


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """Precomputed data about a prototype and its document, independent of the length.

    Attributes:
        prototype: The prototype's m sentences, without duplicates.
        sentences: The document's n sentences.
        multiplex: The kernels and their weights.
        prototype_distances: Distances from each kernel, `[m]`.
        sentence_distances: The same of the document's sentences, `[n]`.
        prototype_topics: The topic that each covers, `[m]`, or `NO_TOPIC`.
        sentence_topics: The same of the document's sentences, `[n]`.
        similarity: Pairwise cosines, clipped at 0, `[m, n]`.
        twins: For each sentence of the document, the prototype sentence with the same words, `[n]`,
            or −1.
        first_like: For each sentence of the document, the first one with the same words, `[n]`.
    """

    prototype: Sequence[str]
    sentences: Sequence[str]
    multiplex: Multiplex
    prototype_distances: Mapping[str, Array]
    sentence_distances: Mapping[str, Array]
    prototype_topics: Places
    sentence_topics: Places
    similarity: Array
    twins: Places
    first_like: Places


@dataclass(frozen=True, slots=True, eq=False)
class SoftSelection:
    """The probabilities of one step over the prototype's sentences (Eq. 7 and 8), `[m]` each.

    Attributes:
        copy: P_c, the attention over the rest of the prototype.
        expand: P_e.
        chosen: p_o, a distribution.
        shares: Each kernel's part of `chosen`.
    """

    copy: Array
    expand: Array
    chosen: Array
    shares: Mapping[str, Array]


def soft_selection(
    material: Material, attention: Attention, runs: Mapping[int, Sequence[int]]
) -> SoftSelection:
    """Return the probabilities of one step (Eq. 4–8).

    Args:
        material: The prototype and its document.
        attention: A^t, over the rest of the prototype.
        runs: The expansion set of each sentence that has one, as positions in the document; may be
            empty.

    α is max(P_e, P_c), and 0 for sentences without an expansion set.
    """
    copy = attention.probabilities
    expand, parts = _expansion_probabilities(material, runs)
    alpha = np.zeros_like(copy)
    placed = sorted(runs)
    alpha[placed] = np.maximum(expand, copy)[placed]
    chosen = alpha * expand + (1 - alpha) * copy
    total = chosen.sum()
    zeros = np.zeros_like(copy)
    shares = {
        name: (alpha * parts.get(name, zeros) + (1 - alpha) * attention.shares.get(name, zeros))
        / total
        for name in dict.fromkeys([*attention.shares, *parts])
    }
    return SoftSelection(copy, expand, chosen / total, shares)


def _expansion_probabilities(
    material: Material, runs: Mapping[int, Sequence[int]]
) -> tuple[Array, Mapping[str, Array]]:
    """Return P_e of each sentence of the prototype, `[m]`, and each kernel's part.

    The attention is normalized over the sentences of all expansion sets (Eq. 4–6). If it were
    normalized within each set, as in the paper, a set's mean would not depend on the kernels at
    all. P_e is a set's mean, normalized over the sets.
    """
    count = len(material.prototype)
    if not runs:
        return np.zeros(count), {}
    sentences = [sentence for run in runs.values() for sentence in run]
    owners = np.repeat(list(runs), [len(run) for run in runs.values()])
    distances = {
        name: distance[sentences] for name, distance in material.sentence_distances.items()
    }
    attention = combine(
        material.multiplex.local(distances),
        material.multiplex.weights,
        np.ones(len(sentences), dtype=bool),
    )
    size = np.maximum(np.bincount(owners, minlength=count), 1)
    means = np.bincount(owners, attention.probabilities, count) / size
    parts = {
        name: np.bincount(owners, share, count) / size / means.sum()
        for name, share in attention.shares.items()
    }
    return means / means.sum(), parts
