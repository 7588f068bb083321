"""Which sentences can be chosen alone, given those that are chosen already."""

import numpy as np

from longsum.common.arrays import Mask, Places

FREE, NEEDING, DANGLING, LEADING = 2, 1, 0, -1
_ROOTS = (FREE, LEADING)


class ContextDependence:
    """How each sentence stands: by itself, with the one before it, or not at all.

    Attributes:
        levels: `[n]`: `FREE` if a sentence can be chosen alone; `LEADING` if it leads into a list,
            so that it can be chosen only with an item; `NEEDING` if it needs an earlier sentence
            that is not chosen yet; and `DANGLING` if there is none that it could need.
        leading: Which sentences lead into a list or its last item, `[n]`.
    """

    def __init__(self, needs: Places, dangling: Mask, leading: Mask | None = None) -> None:
        """Start without any choice.

        Args:
            needs: The sentence that each needs, `[n]`; −1 for none: of an item of a list the one
                that leads into the list, of others the one before.
            dangling: Which sentences need one that does not exist, `[n]`.
            leading: Which sentences lead into a list, `[n]`; None for none.
        """
        self._needs = needs
        self.leading = np.zeros(len(needs), dtype=bool) if leading is None else leading
        alone = np.where(self.leading, LEADING, FREE)
        self.levels = np.where(dangling, DANGLING, np.where(needs < 0, alone, NEEDING))

    @classmethod
    def independent(cls, count: int) -> "ContextDependence":
        """Return the standing of sentences that all stand by themselves."""
        return cls(np.full(count, -1), np.zeros(count, dtype=bool))

    def choose(self, sentence: int) -> None:
        """Note that a sentence is chosen: those that need it can be chosen alone from now on."""
        freed = (self._needs == sentence) & (self.levels == NEEDING)
        self.levels[freed] = np.where(self.leading[freed], LEADING, FREE)

    @property
    def startable(self) -> Mask:
        """Which sentences can be chosen next without another prose sentence, `[n]`.

        They stand by themselves, or are items, which bring along nothing but their lead-in.
        """
        items = (self._needs >= 0) & self.leading[self._needs] & ~self.leading
        found: Mask = (self.levels == FREE) | (items & (self.levels == NEEDING))
        return found

    def needed(self, sentence: int) -> int | None:
        """Return the sentence that a sentence needs, chosen or not."""
        needed = int(self._needs[sentence])
        return None if needed < 0 else needed

    def antecedents(self, sentence: int) -> tuple[int, ...]:
        """Return the one or two sentences that a sentence in need brings along, in order."""
        first = int(self._needs[sentence])
        return (first,) if self.levels[first] in _ROOTS else (int(self._needs[first]), first)

    def in_need(self, pool: Mask) -> tuple[Places, Places]:
        """Return the sentences of a pool that can be chosen with their antecedents.

        Returns:
            Their positions, `[k]`, and those of all that would be chosen together, `[k, 3]`; −1
            where there are fewer.
        """
        last = np.flatnonzero(pool & (self.levels == NEEDING) & ~self.leading)
        middle = self._needs[last]
        first = np.where(self.levels[middle] == NEEDING, self._needs[middle], -1)
        root = np.where(first < 0, middle, first)
        whole = pool[middle] & pool[root] & np.isin(self.levels[root], _ROOTS)
        return last[whole], np.stack([first, middle, last], axis=1)[whole]
