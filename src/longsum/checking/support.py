"""Finds the sentence of a document that says a claim, in its words or in others, if one does."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import exp
from weakref import WeakKeyDictionary

import numpy as np

from longsum.core.encoder.encode_units import encode_texts
from longsum.core.encoder.network import Network, Rows
from longsum.core.encoder.networks import load_network
from longsum.core.extractive.extractor_options import shipped_folder, shipped_tokenizer
from longsum.core.grounding.evidence import Evidence
from longsum.core.model_files.folders import ModelFolder
from longsum.language.words import terms

_BIAS, _OF_SHARE, _OF_COSINE, _OF_PAIRS = -11.42, 9.74, 7.76, 5.90
"""A logistic regression on whether a sentence says a claim: the share of the claim's words that it
has, weighted by rarity, the cosine of their vectors, and the share of pairs of adjacent words.
`python benchmarks/checks.py --unsupported --fit` prints these numbers."""
LEAST_SUPPORT = 0.1
"""Probability from which a sentence says a claim: in that fit 2 % of the claims that one says are
below, and 72 % of those that none says."""
ENOUGH = 0.7
"""Share of the words from which no vector is asked: of claims that nothing says, 3 in 1,000."""
CANDIDATES = 24
"""Sentences that are compared: those that share most of the weight of a claim's words."""
_MAX_TOKENS = 128
_Known = dict[int | str, Rows]
"""Vectors of claims, and of sentences by their positions."""
_KNOWN: WeakKeyDictionary[Evidence, _Known] = WeakKeyDictionary()


def read_ahead(claims: Sequence[str], evidence: Evidence) -> None:
    """Encode at once what `support` compares claims with, which takes a third of the time."""
    compared = [(claim, evidence.closest(claim, CANDIDATES)) for claim in claims]
    asked = [(claim, near) for claim, near in compared if near and near[0][1] < ENOUGH]
    places = [place for _, near in asked for place, _ in near]
    _encoded([*(claim for claim, _ in asked), *places], evidence)


def support(claim: str, evidence: Evidence, near: Sequence[tuple[int, float]]) -> tuple[int, float]:
    """Return the sentence of a document that says a claim best, and how probably it does.

    Args:
        claim: The claim.
        evidence: The index of the document.
        near: Positions of sentences, with the share of the weight of the claim's words that they
            have (`Evidence.closest`).

    Returns:
        Its position and a probability; −1 and 0 if no sentence is near.
    """
    if not near:
        return -1, 0.0
    if near[0][1] >= ENOUGH:
        return near[0][0], 1.0
    features = support_features(claim, evidence, near)
    best = int((features[:, 0] + features[:, 1]).argmax())
    score = _BIAS + float(features[best] @ (_OF_SHARE, _OF_COSINE, _OF_PAIRS))
    return near[best][0], 1 / (1 + exp(-score))


def support_features(claim: str, evidence: Evidence, near: Sequence[tuple[int, float]]) -> Rows:
    """Return what tells whether sentences say a claim, `[n, 3]`: shares, cosines, pairs.

    `near` holds positions of sentences, with their shares.
    """
    known = _encoded([claim, *(place for place, _ in near)], evidence)
    own = known[claim]
    pairs = set(pairwise(terms(claim)))
    held = [set(pairwise(terms(evidence.sentences[place]))) for place, _ in near]
    shared = max(len(pairs & each) for each in held) / max(len(pairs), 1)
    return np.array([(share, float(known[place] @ own), shared) for place, share in near])


def _encoded(asked: Sequence[int | str], evidence: Evidence) -> _Known:
    """Return the vectors of claims and of sentences at positions, each encoded once, and others."""
    known = _KNOWN.setdefault(evidence, {})
    missing = [each for each in dict.fromkeys(asked) if each not in known]
    if missing:
        texts = [each if isinstance(each, str) else evidence.sentences[each] for each in missing]
        known.update(zip(missing, _vectors(texts), strict=True))
    return known


def _vectors(texts: Sequence[str]) -> Rows:
    vectors = _network().encode(encode_texts(list(texts), shipped_tokenizer(), _MAX_TOKENS))
    rows: Rows = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return rows


@cache
def _network() -> Network:
    return load_network(ModelFolder.of(shipped_folder()), "auto")
