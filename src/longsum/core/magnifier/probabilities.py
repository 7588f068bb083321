"""The Pointer-Magnifier's attention and its soft switch between copy and expand (MLS, §2.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Array, Places
from longsum.core.kernels import Attention, Multiplex, combine


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
        twins: For each sentence of the document the prototype sentence with the same words, `[n]`,
            or −1.
        first_like: For each the first sentence of the document with the same words, `[n]`.
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
    nothing = np.zeros_like(copy)
    shares = {
        name: (alpha * parts.get(name, nothing) + (1 - alpha) * attention.shares.get(name, nothing))
        / total
        for name in dict.fromkeys([*attention.shares, *parts])
    }
    return SoftSelection(copy, expand, chosen / total, shares)


def _expansion_probabilities(
    material: Material, runs: Mapping[int, Sequence[int]]
) -> tuple[Array, Mapping[str, Array]]:
    """Return P_e of each sentence of the prototype, `[m]`, and each kernel's part.

    The attention is normalized over the sentences of all expansion sets (Eq. 4–6). Normalized
    within one set, as in the paper, its mean would not depend on the kernels at all. P_e is a set's
    mean, normalized over the sets.
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
