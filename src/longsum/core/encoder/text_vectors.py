"""Vectors of the texts of several documents, encoded together.

A sentence encoder groups texts of like length, so that little is padding: the more there are, the
better they fit. Equal texts are encoded once.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from longsum.common.arrays import Ints, Mask, Places
from longsum.core.encoder.network import Rows

Encode = Callable[[Sequence[Ints]], Rows]


class TextVectors:
    """Returns the vectors of texts, most of which it has encoded before.

    Args:
        encode: Returns the vectors of texts, as `Network.encode` does or as this does.
        texts: What is encoded now, as tokens; not empty.
        skimmed: Texts that keep their rough vectors, unless they are among those encoded.
        rough: Returns rough vectors; without one, nothing may be skimmed.
    """

    def __init__(
        self,
        encode: Encode,
        texts: Iterable[Ints],
        skimmed: Iterable[Ints] = (),
        rough: Encode | None = None,
    ) -> None:
        self._encode = encode
        distinct = {text.tobytes(): text for text in texts}
        self._close = len(distinct)
        others = {text.tobytes(): text for text in skimmed}
        left = {tokens: text for tokens, text in others.items() if tokens not in distinct}
        self._rows = {tokens: row for row, tokens in enumerate([*distinct, *left])}
        self._vectors = self._encode(list(distinct.values()))
        if rough is not None and left:
            self._vectors = np.concatenate([self._vectors, rough(list(left.values()))])

    def __call__(self, texts: Sequence[Ints], *, rough: bool = False) -> Rows:
        """Return the vectors of texts, `[m, D]`; those of unknown texts are encoded, not kept.

        Args:
            texts: The texts as tokens.
            rough: Whether rough vectors will do.
        """
        rows = self._places(texts)
        if not rough:
            rows[rows >= self._close] = -1
        vectors: Rows = self._vectors[rows]
        missing = np.flatnonzero(rows < 0)
        if len(missing):
            vectors[missing] = self._encode([texts[place] for place in missing.tolist()])
        return vectors

    def is_close(self, texts: Sequence[Ints]) -> Mask:
        """Return which of the vectors of texts are those of the encoder, none rough, `[m]`."""
        close: Mask = self._places(texts) < self._close
        return close

    def _places(self, texts: Sequence[Ints]) -> Places:
        return np.array([self._rows.get(text.tobytes(), -1) for text in texts])
