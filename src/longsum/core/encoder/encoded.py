"""A document as the tokens and features that extractive models read."""

from typing import Protocol

import numpy as np

from longsum.common.arrays import Ints, Places


class Encoded(Protocol):
    """A document as tokens: what `tasks.extraction.encode_units.encode_document` returns."""

    @property
    def tokens(self) -> Ints:
        """Tokens of all texts, one after the other: sentences first, then headings."""

    @property
    def ends(self) -> Places:
        """Where each text ends in `tokens`."""

    @property
    def headings(self) -> Ints:
        """`[n]`, which text is the heading of each sentence; −1 where none."""

    @property
    def places(self) -> Ints:
        """`[n, F]`, where each sentence stands."""


def texts_of(document: Encoded) -> list[Ints]:
    """Return the tokens of each text of a document."""
    return np.split(document.tokens, document.ends[:-1])
