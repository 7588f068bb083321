"""The section tree as tensors: which section each token is in, and how sections are related."""

from dataclasses import dataclass

import torch
from torch import Tensor

ROOT = -1
"""The parent of a section of the first level: the virtual root."""
NO_SECTION = -2
"""The parent of a place where a row has fewer sections than another."""


@dataclass(frozen=True, slots=True)
class SectionTree:
    """The sections of a batch of documents (HIBRIDS, §3.1).

    Sections are numbered in reading order, so that a parent comes before its children. What stands
    outside all sections (the start, the end, a question) is a section of the first level, on its
    own. What follows is computed from the parents: S × S numbers, never n × n.

    Attributes:
        section_of: `[b, n]`, the section of each token, from 0 on. Of padding it is not asked.
        parents: `[b, S]`, the section above each, `ROOT` or `NO_SECTION`.
    """

    section_of: Tensor
    parents: Tensor

    def levels(self) -> Tensor:
        """Return the level of each section, from 1; 0 for none: `[b, S]`."""
        return self._above().sum(dim=-1)

    def path_lengths(self) -> Tensor:
        """Return the edges from each section (first) to each other, `[b, S, S]`.

        The virtual root counts as a section above all. Positive where the first comes earlier in
        the text, negative where it comes later.
        """
        above, levels = self._above(), self.levels()
        # A pair shares its common ancestors, each section being one of its own.
        shared = (above.float() @ above.float().transpose(-1, -2)).long()
        length = levels[:, :, None] + levels[:, None, :] - 2 * shared
        order = torch.arange(levels.shape[1], device=levels.device)
        return torch.where(order[:, None] <= order, length, -length)

    def level_differences(self) -> Tensor:
        """Return the level of each second section less that of each first, `[b, S, S]`."""
        levels = self.levels()
        return levels[:, None, :] - levels[:, :, None]

    def tops(self) -> Tensor:
        """Return the section of the first level that each is in, `[b, S]`; itself for none."""
        found = torch.arange(self.parents.shape[1], device=self.parents.device)
        found = found.expand_as(self.parents)
        for _ in range(self.parents.shape[1]):
            above = self.parents.gather(1, found)
            if not bool((above >= 0).any()):
                break
            found = torch.where(above >= 0, above, found)
        return found

    def _above(self) -> Tensor:
        """Return whether the second section is the first or above it, boolean `[b, S, S]`."""
        rows, count = self.parents.shape
        found = torch.zeros(rows, count, count, dtype=torch.bool, device=self.parents.device)
        order = torch.arange(count, device=self.parents.device)
        current = order.expand(rows, count)
        there = self.parents != NO_SECTION
        while bool(there.any()):
            found |= (current[..., None] == order) & there[..., None]
            above = self.parents.gather(1, current)
            there = there & (above >= 0)
            current = above.clamp_min(0)
        return found
