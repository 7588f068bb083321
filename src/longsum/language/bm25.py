"""BM25: how well passages match the words of a query (Robertson and Zaragoza 2009, §3)."""

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from longsum.common.arrays import Array

K1, B = 1.2, 0.75
"""Saturation of a term's count, and how far long passages are penalized (§3.2)."""


def bm25(passages: Sequence[Sequence[str]], query: Collection[str]) -> Array:
    """Return the score of each passage for a query, `[n]`, at least 0; linear in the text.

    A term of the query that df of n passages contain adds
    `log(1 + (n − df + ½) / (df + ½)) · tf · (K1 + 1) / (tf + K1 · (1 − B + B · length / mean))` to
    a passage that contains it tf times. The 1 is not in the paper: it keeps terms that most
    passages contain from counting against a passage.

    Args:
        passages: The terms of each passage.
        query: The terms of the query; a repeated one counts once.
    """
    columns = {term: column for column, term in enumerate(dict.fromkeys(query))}
    counts = np.zeros((len(passages), len(columns)))
    for row, passage in enumerate(passages):
        for term, count in Counter(term for term in passage if term in columns).items():
            counts[row, columns[term]] = count
    lengths = np.array([len(passage) for passage in passages], dtype=np.float64)
    relative = lengths / max(lengths.mean(), 1.0) if len(lengths) else lengths
    frequency = (counts > 0).sum(axis=0)
    weights = np.log1p((len(passages) - frequency + 0.5) / (frequency + 0.5))
    saturated = counts * (K1 + 1) / (counts + K1 * (1 - B + B * relative)[:, None])
    scores: Array = saturated @ weights
    return scores
