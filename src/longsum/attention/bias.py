"""What may be added to the scores of an attention."""

from typing import Protocol

from torch import Tensor

from longsum.attention.patterns.pattern import Grid


class ScoreBias(Protocol):
    """A bias that is a function of the head and of key − query, with parameters to learn.

    It is never an n × n tensor: `value` is asked for the pairs of one tile at a time, and serves
    all tiles with the same distances.
    """

    @property
    def parameters(self) -> tuple[Tensor, ...]:
        """What it learns; given back to `value`, and differentiated."""
        ...

    def value(self, grid: Grid, *parameters: Tensor) -> Tensor:
        """Return what is added to the scores of these pairs, `[h or 1, q, k]`."""
        ...
