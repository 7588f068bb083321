"""Finds the sentence of a document that makes a claim, in the same words or others, if any."""

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
"""A logistic regression on whether a sentence makes a claim: the share of the claim's words that it
has, weighted by rarity, the cosine of their vectors, and the share of pairs of adjacent words.
`python benchmarks/checks.py --unsupported --fit` prints these numbers."""
LEAST_SUPPORT = 0.1
"""Probability from which a sentence makes a claim: in that fit, 2 % of the claims that a sentence
makes are below, and 72 % of those that none makes."""
ENOUGH = 0.7
"""Share of words from which no vector is needed; 3 in 1,000 unsupported claims reach it."""
CANDIDATES = 24
"""Number of sentences compared: those that share most of the weight of a claim's words."""
_MAX_TOKENS = 128
_Known = dict[int | str, Rows]
"""Vectors of claims, and of sentences by their positions."""
_KNOWN: WeakKeyDictionary[Evidence, _Known] = WeakKeyDictionary()


def read_ahead(claims: Sequence[str], evidence: Evidence) -> None:
    """Encode together what `support` compares claims with, in a third of the time."""
    compared = [(claim, evidence.closest(claim, CANDIDATES)) for claim in claims]
    wanted = [(claim, near) for claim, near in compared if near and near[0][1] < ENOUGH]
    places = [place for _, near in wanted for place, _ in near]
    _encoded([*(claim for claim, _ in wanted), *places], evidence)


def support(claim: str, evidence: Evidence, near: Sequence[tuple[int, float]]) -> tuple[int, float]:
    """Return the sentence of a document most likely to make a claim, and the probability.

    Args:
        claim: The claim.
        evidence: The index of the document.
        near: Positions of sentences, with their share of the weight of the claim's words
            (`Evidence.closest`).

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
    """Return the features by which sentences make a claim, `[n, 3]`: shares, cosines, pairs.

    `near` holds positions of sentences, with their shares.
    """
    known = _encoded([claim, *(place for place, _ in near)], evidence)
    claim_vector = known[claim]
    pairs = set(pairwise(terms(claim)))
    sentence_pairs = [set(pairwise(terms(evidence.sentences[place]))) for place, _ in near]
    shared = max(len(pairs & each) for each in sentence_pairs) / max(len(pairs), 1)
    return np.array([(share, float(known[place] @ claim_vector), shared) for place, share in near])


def _encoded(wanted: Sequence[int | str], evidence: Evidence) -> _Known:
    """Return all known vectors, after encoding those claims and sentences that are missing."""
    known = _KNOWN.setdefault(evidence, {})
    missing = [key for key in dict.fromkeys(wanted) if key not in known]
    if missing:
        texts = [key if isinstance(key, str) else evidence.sentences[key] for key in missing]
        known.update(zip(missing, _vectors(texts), strict=True))
    return known


def _vectors(texts: Sequence[str]) -> Rows:
    vectors = _network().encode(encode_texts(list(texts), shipped_tokenizer(), _MAX_TOKENS))
    rows: Rows = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return rows


@cache
def _network() -> Network:
    return load_network(ModelFolder.of(shipped_folder()), "auto")
