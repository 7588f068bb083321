"""Which examples make up each update of a run: the same ones on any number of processes."""

from collections.abc import Iterator, Sequence

import numpy as np
from torch.utils.data import Sampler

from longsum.common.arrays import Places

_SORTED = 50
"""Updates among which examples are sorted by length; more would leave little to chance."""


class UpdateOrder(Sampler[int]):
    """Draws the examples of one update after another.

    Examples are shuffled anew in every pass, and an update that reaches the end of a pass continues
    in the next, so that every update is full and no example is drawn more often than the others.
    What an update consists of depends only on its number, the seed and the size of updates: not on
    how the processes divide it, nor on what was drawn before, so that a run resumes anywhere.

    An epoch is the updates that hold at least one pass.

    Args:
        examples: Number of examples.
        size: Examples of an update, over all processes.
        lengths: Length of each example, so that an update has examples of similar length; None to
            ignore lengths.
        seed: Seed of the order.
    """

    def __init__(
        self, examples: int, size: int, lengths: Sequence[int] | None = None, seed: int = 0
    ) -> None:
        self._examples = examples
        self._size = size
        self._lengths = None if lengths is None else np.asarray(lengths)
        self._seed = seed
        self._epoch = 0
        self.updates = -(-examples // size)

    def __len__(self) -> int:
        return self.updates * self._size

    def begin_at(self, update: int) -> None:
        """Start at the epoch that holds an update, counted from 0."""
        self._epoch = update // self.updates

    def __iter__(self) -> Iterator[int]:
        return iter(self.epoch(self._epoch).flatten().tolist())

    def epoch(self, number: int) -> Places:
        """Return the examples of each update of an epoch, the longest first: `[updates, size]`."""
        begin = number * len(self)
        first, last = begin // self._examples, (begin + len(self) - 1) // self._examples
        passes = [self._shuffled(index) for index in range(first, last + 1)]
        start = begin - first * self._examples
        drawn = np.concatenate(passes)[start : start + len(self)]
        if self._lengths is None:
            return drawn.reshape(-1, self._size)
        # If there are few updates, only a quarter are sorted together, lest all passes be alike.
        together = min(_SORTED, max(1, self.updates // 4)) * self._size
        parts = [drawn[at : at + together] for at in range(0, len(drawn), together)]
        grouped = [part[np.argsort(-self._lengths[part], kind="stable")] for part in parts]
        updates = np.concatenate(grouped).reshape(-1, self._size)
        # Otherwise lengths would fall, and with them the loss, until the next part begins.
        return np.random.default_rng((self._seed, number, 1)).permutation(updates)

    def _shuffled(self, number: int) -> Places:
        return np.random.default_rng((self._seed, number)).permutation(self._examples)
