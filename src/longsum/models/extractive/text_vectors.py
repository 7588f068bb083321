"""Vectors of the texts of several documents, encoded together.

A sentence encoder groups texts of like length, so that little is padding: the more there are, the
better they fit. Equal texts are encoded once.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from longsum.arrays import Ints, Places
from longsum.models.extractive.network import Rows

Encode = Callable[[Sequence[Ints]], Rows]


class TextVectors:
    """Returns the vectors of texts, most of which it has encoded before.

    Args:
        encode: Returns the vectors of texts, as `Network.encode` does or as this does.
        texts: What is encoded now, as tokens; not empty.
    """

    def __init__(self, encode: Encode, texts: Iterable[Ints]) -> None:
        self._encode = encode
        distinct = {text.tobytes(): text for text in texts}
        self._rows = {tokens: row for row, tokens in enumerate(distinct)}
        self._vectors = self._encode(list(distinct.values()))

    def __call__(self, texts: Sequence[Ints]) -> Rows:
        """Return the vectors of texts, `[m, D]`; those of unknown texts are encoded, not kept."""
        rows: Places = np.array([self._rows.get(text.tobytes(), -1) for text in texts])
        vectors: Rows = self._vectors[rows]
        missing = np.flatnonzero(rows < 0)
        if len(missing):
            vectors[missing] = self._encode([texts[place] for place in missing.tolist()])
        return vectors
