"""Finds what says a claim in other words, by the vectors of the extractor that ships."""

from collections.abc import Sequence
from functools import cache
from weakref import WeakKeyDictionary

import numpy as np

from longsum.core.encoder.encode_units import encode_texts
from longsum.core.encoder.network import Network, Rows
from longsum.core.encoder.networks import load_network
from longsum.core.extractive.extractor_options import shipped_folder, shipped_tokenizer
from longsum.core.grounding.evidence import Evidence
from longsum.core.model_files.folders import ModelFolder

MIN_COSINE = 0.65
"""Cosine from which a sentence says a claim in other words. Of 295 sentences of references of five
training splits, 75 % have such a sentence in their document, and 5 % in another document of the
same set."""
_CANDIDATES = 24
"""Sentences that are compared: those that share most of the weight of a claim's words."""
_MAX_TOKENS = 128
_KNOWN: WeakKeyDictionary[Evidence, dict[int, Rows]] = WeakKeyDictionary()


def same_meaning(claim: str, evidence: Evidence) -> tuple[int, float] | None:
    """Return the sentence of a document that is closest to a claim in meaning, and how close.

    Args:
        claim: The claim.
        evidence: The index of the document.

    Returns:
        Its position and their cosine; None if none is close enough.
    """
    places = evidence.closest(claim, _CANDIDATES)
    if not places:
        return None
    # Many claims are compared with the same sentences, which are encoded once.
    known = _KNOWN.setdefault(evidence, {})
    missing = [place for place in places if place not in known]
    own, *others = _vectors([claim, *(evidence.sentences[place] for place in missing)])
    known.update(zip(missing, others, strict=True))
    likeness = np.stack([known[place] for place in places]) @ own
    best = int(likeness.argmax())
    return (places[best], float(likeness[best])) if likeness[best] >= MIN_COSINE else None


def _vectors(texts: Sequence[str]) -> Rows:
    vectors = _network().encode(encode_texts(list(texts), shipped_tokenizer(), _MAX_TOKENS))
    rows: Rows = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return rows


@cache
def _network() -> Network:
    return load_network(ModelFolder.of(shipped_folder()), "auto")
