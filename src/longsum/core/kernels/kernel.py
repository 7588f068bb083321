"""The interpretable kernels of MLS (Eq. 1–2), and one distribution by them all (Eq. 3)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array
from longsum.core.kernels.keywords import Keyword, keyword_counts, rake
from longsum.language.embeddings import Embed
from longsum.language.topics import TopicModel, fit_topics, term_counts
from longsum.language.words import content_terms


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """A distribution over sentences and its decomposition.

    Attributes:
        probabilities: `[n]`, non-negative; sums to 1 unless nothing is available.
        shares: Each kernel's share, `[n]`; they add up to `probabilities`, and may be negative.
    """

    probabilities: Array
    shares: Mapping[str, Array]


def normalize(values: Array) -> Array:
    """Scale non-negative values to sum to 1; uniform if all are zero."""
    total = values.sum()
    if total > 0:
        scaled: Array = values / total
        return scaled
    return np.full(len(values), 1.0 / max(len(values), 1))


def combine(
    local: Mapping[str, Array], weights: Mapping[str, float], available: NDArray[np.bool_]
) -> Attention:
    """Combine local attentions into one distribution over the available sentences (Eq. 3).

    Args:
        local: Each kernel's local attention, `[n]`, non-negative.
        weights: Each kernel's weight, in [−1, 1].
        available: Which sentences may still be chosen; the others get 0, as in the paper, which
            zeroes and renormalizes after each choice.

    A negative weight can make a sum negative, which the paper does not discuss. Here negative
    shares can at most cancel the positive ones: they shrink until the sum is 0. If nothing is left
    at all, they are dropped for this step (the remaining sentences are all redundant, but must
    still be ranked to fill the budget).
    """
    parts = {name: weights[name] * values * available for name, values in local.items()}
    none = np.zeros(len(available))
    gains = sum((np.maximum(part, 0.0) for part in parts.values()), none)
    losses = sum((np.minimum(part, 0.0) for part in parts.values()), none)
    # The quotient can exceed 1 by rounding, so the minimum is taken before dividing.
    kept = np.divide(np.minimum(gains, -losses), -losses, out=np.ones_like(gains), where=losses < 0)
    total = (gains + losses * kept).sum()
    if total <= 1e-15:
        kept = np.zeros_like(kept)
        total = gains.sum()
    if total <= 0:
        uniform = available / max(available.sum(), 1)
        return Attention(uniform, {"uniform": uniform})
    shares = {name: np.where(part < 0, part * kept, part) / total for name, part in parts.items()}
    return Attention(np.maximum(sum(shares.values(), none), 0.0), shares)


def smoothed(counts: Array, floor: float) -> Array:
    """Turn counts `[n, d]` into distributions mixed with a share `floor` of the uniform one.

    Symmetric KL divergence is infinite if an entry is zero; the paper does not say how it avoids
    that. A fixed share, unlike a pseudo-count, does not favour short sentences: words that are
    missing cost the same at any length. Zero rows become uniform.
    """
    totals = counts.sum(axis=1, keepdims=True)
    even = 1.0 / max(counts.shape[1], 1)
    relative = np.divide(counts, totals, out=np.full_like(counts, even), where=totals > 0)
    mixed: Array = (1.0 - floor) * relative + floor * even
    return mixed


def symmetric_kl(first: Array, second: Array) -> Array:
    """Return KL(p‖q) + KL(q‖p) for each row p of `first` and q of `second`: `[n, r]`.

    Rows are distributions without zeros. The sum over entries replaces the column-wise mean of
    Eq. 2; they differ by a constant factor, the number of columns.
    """
    log_first, log_second = np.log(first), np.log(second)
    own_first = (first * log_first).sum(axis=1)[:, None]
    own_second = (second * log_second).sum(axis=1)[None, :]
    divergence: Array = own_first + own_second - first @ log_second.T - log_first @ second.T
    return np.maximum(divergence, 0.0)


def closeness(distance: Array) -> Array:
    """Turn distances into closeness: the largest distance minus each.

    The paper multiplies distances by positive weights, which would attend to the sentences farthest
    from the topics; we assume that it means closeness. Of 1 / (1 + d), exp(−d) and this linear
    form, the last gave the best ROUGE on validation data (docs/papers/mls.md).
    """
    near: Array = distance.max(initial=0.0) - distance
    return near


FLOOR = 0.02
"""Share of the uniform distribution in a sentence's distribution; see `smoothed`."""

_BLOCK = 4096


class Kernel(Protocol):
    """One human-readable property of a good summary, fitted to the document alone.

    A kernel has a matrix Q of r rows. It embeds any list of sentences in the space of Q and
    measures how far each is from it.
    """

    name: str

    def distance(self, sentences: Sequence[str]) -> Array:
        """Return each sentence's mean distance from the rows of Q (MLS, Eq. 1 and 2): `[n]`."""
        ...

    def local(self, distance: Array) -> Array:
        """Return the local attention over sentences at these distances: a distribution, `[n]`."""
        return normalize(closeness(distance))

    def attention(self, sentences: Sequence[str]) -> Array:
        """Return the local attention over the sentences: a distribution, `[n]`."""
        return self.local(self.distance(sentences))


def shuffle(kernel: Array, random: np.random.Generator) -> Array:
    """Return a kernel with its rows and its columns shuffled (MLS, §3.1.2)."""
    rows, columns = (random.permutation(size) for size in kernel.shape)
    shuffled: Array = kernel[rows][:, columns]
    return shuffled


def distance_from(
    kernel: Array,
    sentences: Sequence[str],
    count: Callable[[Sequence[str]], Array],
) -> Array:
    """Return the mean symmetric KL divergence of each sentence from the rows of a kernel: `[n]`.

    Args:
        kernel: Q, rows that are distributions without zeros, `[r, d]`.
        sentences: The sentences.
        count: Counts the words of the columns of Q in a block of sentences: `[block, d]`. Blocks
            keep the dense embeddings of a long document out of memory.

    A sentence without any of these words is as far as the farthest sentence that has one.
    """
    distance: Array = distances_from(kernel, sentences, count).mean(axis=1)
    has_words: NDArray[np.bool_] = ~np.isnan(distance)
    if not has_words.any():
        return np.zeros(len(sentences))
    return np.where(has_words, distance, distance[has_words].max())


def distances_from(
    kernel: Array,
    sentences: Sequence[str],
    count: Callable[[Sequence[str]], Array],
) -> Array:
    """Return the symmetric KL divergence of each sentence from each row of a kernel: `[n, r]`.

    For the arguments see `distance_from`. A sentence without any of the words gets NaN.
    """
    distances = [np.zeros((0, len(kernel)))]
    for start in range(0, len(sentences), _BLOCK):
        counts = count(sentences[start : start + _BLOCK])
        divergence = symmetric_kl(smoothed(counts, FLOOR), kernel)
        distances.append(np.where(counts.any(axis=1, keepdims=True), divergence, np.nan))
    return np.concatenate(distances)


class KeywordKernel(Kernel):
    """Q2: the relative frequency of the document's 50 most frequent RAKE keywords, `[1, 50]`.

    A sentence is embedded as its own smoothed distribution over the keywords; the distance is
    symmetric KL divergence. A document without keywords has uniform attention.
    """

    name = "keywords"

    def __init__(self, keywords: Sequence[Keyword]) -> None:
        self.keywords = tuple(keywords)
        counts = np.array([[keyword.count for keyword in self.keywords]], dtype=np.float64)
        self.frequencies: Array = counts / max(counts.sum(), 1.0)

    @classmethod
    def fit(cls, sentences: Sequence[str], *, keywords: int = 50) -> "KeywordKernel":
        """Fit the kernel to the sentences of a document."""
        return cls(rake(sentences, keywords))

    def shuffled(self, random: np.random.Generator) -> "KeywordKernel":
        """Return the kernel with its frequencies shuffled."""
        other = copy(self)
        other.frequencies = shuffle(self.frequencies, random)
        return other

    def distance(self, sentences: Sequence[str]) -> Array:
        """Return the symmetric KL divergence from the keywords (Eq. 1 and 2): `[n]`."""
        return distance_from(
            self.frequencies, sentences, lambda block: keyword_counts(block, self.keywords)
        )


# LDA gives every word some probability in every topic, but rounding can make it 0.
_TINY = 1e-6


class TopicKernel(Kernel):
    """Q1: the document's three dominant LDA topics over its 300 most frequent words, `[3, 300]`.

    A sentence is embedded as its smoothed distribution over the same words; the distance is
    symmetric KL divergence. The passages for LDA are the document's paragraphs (not stated in the
    paper).
    """

    name = "topics"

    def __init__(self, model: TopicModel) -> None:
        self.model = model
        self._rows = smoothed(model.word_given_topic, _TINY)

    @classmethod
    def fit(
        cls, passages: Iterable[str], *, topics: int = 3, vocabulary_size: int = 300, seed: int = 0
    ) -> "TopicKernel":
        """Fit the kernel to the passages of a document."""
        terms = [content_terms(passage) for passage in passages]
        return cls(fit_topics(terms, topics=topics, vocabulary_size=vocabulary_size, seed=seed))

    def shuffled(self, random: np.random.Generator) -> "TopicKernel":
        """Return the kernel with its words and topics shuffled."""
        words = shuffle(self.model.word_given_topic, random)
        return TopicKernel(replace(self.model, word_given_topic=words))

    def distance(self, sentences: Sequence[str]) -> Array:
        """Return the mean symmetric KL divergence from the topics (Eq. 1 and 2): `[n]`."""
        return distance_from(self._rows, sentences, self._count)

    def nearest(self, sentences: Sequence[str]) -> NDArray[np.int64]:
        """Return the topic nearest to each sentence, the larger of equally near ones: `[n]`.

        −1 for a sentence without any word of the topics.
        """
        distances = distances_from(self._rows, sentences, self._count)
        known = ~np.isnan(distances).any(axis=1)
        return np.where(known, np.nan_to_num(distances).argmin(axis=1), -1)

    def _count(self, sentences: Sequence[str]) -> Array:
        return term_counts([content_terms(text) for text in sentences], self.model.vocabulary)


class RedundancyKernel(Kernel):
    """Q3: the embeddings of the sentences that others may repeat, `[p, d]`.

    In the paper these are all sentences of the input; in the system `kernels` they are the
    sentences chosen so far. The paper's "distance" is cosine similarity itself, and the weight is
    negative: sentences similar to the rest get less attention. Negative cosines count as 0.

    The encoder's rows have length 1 or 0, like those of `FittedKernels.embed`.
    """

    name = "redundancy"

    def __init__(self, embed: Embed, present: Sequence[str]) -> None:
        self._embed = embed
        self.present: Array = self._vectors(present)

    def shuffled(self, random: np.random.Generator) -> "RedundancyKernel":
        """Return the kernel with its sentences and dimensions shuffled."""
        other = copy(self)
        other.present = shuffle(self.present, random)
        return other

    def distance(self, sentences: Sequence[str]) -> Array:
        """Return the mean cosine similarity with the rows of Q3 (Eq. 1 and 2): `[n]`."""
        if not len(self.present):
            return np.zeros(len(sentences))
        # The mean cosine is the product with the mean row.
        similarity: Array = self._vectors(sentences) @ self.present.mean(axis=0)
        return similarity

    def local(self, distance: Array) -> Array:
        """Return the local attention: similarity, normalized."""
        return normalize(np.maximum(distance, 0.0))

    def _vectors(self, sentences: Sequence[str]) -> Array:
        return np.asarray(self._embed(sentences), dtype=np.float64)
