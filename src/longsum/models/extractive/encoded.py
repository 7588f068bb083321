"""A document as the tokens and features that extractive models read."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Encoded(Protocol):
    """A document as tokens: what `tasks.extraction.encode_units.encode_document` returns."""

    @property
    def tokens(self) -> NDArray[np.int32]:
        """Tokens of all texts, one after the other: sentences first, then headings."""

    @property
    def ends(self) -> NDArray[np.int64]:
        """Where each text ends in `tokens`."""

    @property
    def headings(self) -> NDArray[np.int32]:
        """`[n]`, which text is the heading of each sentence; −1 where none."""

    @property
    def places(self) -> NDArray[np.int32]:
        """`[n, F]`, where each sentence stands."""
