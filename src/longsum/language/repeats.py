"""Finds sentences of a text with the same words."""

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def plain(text: str) -> str:
    """Normalise a sentence for comparison: lower case, single spaces, no final punctuation.

    Compatibility characters (ligatures, full width) are equal to their plain forms (NFKC).
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.casefold().split()).rstrip(".?! ")


def first_alike(sentences: Sequence[str]) -> NDArray[np.int64]:
    """Return for each sentence the position of the first with the same words, `[n]`."""
    first: dict[str, int] = {}
    places = [first.setdefault(plain(text), place) for place, text in enumerate(sentences)]
    return np.array(places, dtype=np.int64)
