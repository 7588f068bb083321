"""Features by which `editor.py` predicts what an editor strikes: tokens, places, vectors."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array, Places
from longsum.core.encoder.network import Encoded, Rows
from longsum.documents.sentence_features import PLACES

BUCKETS = 1 << 14
"""Number of weights that features share by their hashes."""

_KIND = list(PLACES).index("kind")
_EDGE = 3  # tokens at the beginning and the end that count together
_MULTIPLIER = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio: Fibonacci hashing
_BITS = BUCKETS.bit_length() - 1


def unit_vectors(vectors: Rows) -> Array:
    """Return vectors `[n, D]` scaled to length 1."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Array = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return scaled


def place_features(document: Encoded) -> Array:
    """Return the places of each sentence, then their means in the document, `[n, 2 (F + 1) + 1]`.

    F is the number of places (`PLACES`). Of the kind, which is no number, only whether it is prose
    and whether it is an item counts. The last feature is the logarithm of n.
    """
    places = np.asarray(document.places, dtype=np.float64)
    kinds = places[:, _KIND, None] == np.arange(2)
    rows = np.hstack([np.delete(places, _KIND, axis=1), kinds])
    shared = np.append(rows.mean(axis=0), np.log(len(rows)))
    return np.hstack([rows, np.broadcast_to(shared, (len(rows), len(shared)))])


def hashed_features(document: Encoded) -> tuple[Places, Places]:
    """Return the buckets of all sentences' features, `[m]` in order, and how many each has, `[n]`.

    The features are its tokens and pairs of tokens, its first and last one to three tokens, the
    tokens of its headings, the kinds of its neighbours, and the last token before it.
    """
    count = len(document.places)
    ends = np.asarray(document.ends, dtype=np.int64)
    starts = np.concatenate([[0], ends[:-1]])
    tokens = np.asarray(document.tokens, dtype=np.int64)
    owner = np.repeat(np.arange(count), (ends - starts)[:count])
    inside = tokens[: len(owner)]
    pairs = owner[:-1] == owner[1:]
    found = [
        (owner, _hash(1, inside)),
        (owner[:-1][pairs], _hash(2, inside[:-1], inside[1:])[pairs]),
    ]
    found += _edges(tokens, starts[:count], ends[:count])
    found += _headings(document, tokens, starts, ends)
    found += _neighbours(document, tokens, ends[:count])
    owners = np.concatenate([each for each, _ in found])
    buckets = np.concatenate([each for _, each in found])
    order = np.argsort(owners, kind="stable")
    return buckets[order], np.bincount(owners, minlength=count)


_Found = list[tuple[Places, Places]]


def _edges(tokens: Places, starts: Places, ends: Places) -> _Found:
    """Return the first and last one to three tokens, between those for start and end."""
    found: _Found = []
    sentences = np.arange(len(starts))
    for length in range(1, _EDGE + 1):
        long_enough = ends - starts - 2 >= length
        for tag, first in ((3, starts + 1), (4, ends - 1 - length)):
            at = first[long_enough, None] + np.arange(length)
            found.append((sentences[long_enough], _hash(10 * tag + length, *tokens[at].T)))
    return found


def _headings(document: Encoded, tokens: Places, starts: Places, ends: Places) -> _Found:
    """Return the tokens of the headings above each sentence."""
    headings = np.asarray(document.headings, dtype=np.int64)
    titled = np.flatnonzero(headings >= 0)
    lengths = (ends - starts)[headings[titled]]
    owners = np.repeat(titled, lengths)
    within = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return [(owners, _hash(5, tokens[starts[headings[owners]] + within]))]


def _neighbours(document: Encoded, tokens: Places, ends: Places) -> _Found:
    """Return the kinds of a sentence's neighbours with its own, and the last token before it."""
    kinds = np.asarray(document.places, dtype=np.int64)[:, _KIND]
    before, after = np.roll(kinds, 1), np.roll(kinds, -1)
    before[0] = after[-1] = -1
    last = np.roll(tokens[np.maximum(ends - 2, 0)], 1)
    last[0] = -1
    sentences = np.arange(len(kinds))
    return [
        (sentences, _hash(6, before, kinds)),
        (sentences, _hash(7, kinds, after)),
        (sentences, _hash(8, last)),
    ]


def _hash(tag: int, *parts: Any) -> NDArray[np.int64]:
    """Return the bucket of a feature with each tuple of numbers."""
    mixed = np.full(np.shape(parts[0]), tag, dtype=np.uint64)
    for part in parts:
        mixed = (mixed ^ np.asarray(part).astype(np.uint64)) * np.uint64(_MULTIPLIER)
        mixed ^= mixed >> np.uint64(29)
    return ((mixed * np.uint64(_MULTIPLIER)) >> np.uint64(64 - _BITS)).astype(np.int64)
