"""Which sentences of a text say the same in the same words."""

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def plain(text: str) -> str:
    """Return a sentence as it is compared: small letters, single spaces, no closing mark.

    Letters that only look otherwise (ligatures, full width) are the same (NFKC).
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.casefold().split()).rstrip(".?!")


def first_alike(sentences: Sequence[str]) -> NDArray[np.int64]:
    """Return of each sentence the position of the first that has the same words, `[n]`."""
    first: dict[str, int] = {}
    places = [first.setdefault(plain(text), place) for place, text in enumerate(sentences)]
    return np.array(places, dtype=np.int64)
