"""The section tree as tensors, and labels for pairs of sections.

A labelling gives every pair of sections the number of a row of a table, to which HIBRIDS learns
biases (§3, §5.2). All depend on reading order: a pair may have another label if the second section
comes earlier.
"""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.relative import RelativeLabels
from longsum.models.attention.softmax import at_least_float32

ROOT = -1
"""The parent of a section of the first level: the virtual root."""
NO_SECTION = -2
"""The parent of an unused place, in a row with fewer sections than another."""


@dataclass(frozen=True, slots=True)
class SectionTree:
    """The sections of a batch of documents (HIBRIDS, §3.1).

    Sections are numbered in reading order, so that a parent comes before its children. What is
    outside all sections (the start, the end, a question) is a separate section of the first
    level. Everything else is computed from the parents: S × S numbers, never n × n.

    Attributes:
        section_of: `[b, n]`, the section of each token, from 0 on; not used for padding.
        parents: `[b, S]`, the section above each, `ROOT` or `NO_SECTION`.
    """

    section_of: Tensor
    parents: Tensor

    def levels(self) -> Tensor:
        """Return the level of each section, from 1; 0 for none: `[b, S]`."""
        return self._above().sum(dim=-1)

    def path_lengths(self) -> Tensor:
        """Return the edges from each section (first) to each other, `[b, S, S]`.

        The virtual root counts as a section above all others. Positive if the first comes earlier
        in the text, negative if it comes later.
        """
        above, levels = self._above(), self.levels()
        # A pair shares its common ancestors; each section counts as its own ancestor.
        shared = (above.float() @ above.float().transpose(-1, -2)).long()
        length = levels[:, :, None] + levels[:, None, :] - 2 * shared
        order = torch.arange(levels.shape[1], device=levels.device)
        return torch.where(order[:, None] <= order, length, -length)

    def level_differences(self) -> Tensor:
        """Return the level of each second section minus that of each first, `[b, S, S]`."""
        levels = self.levels()
        return levels[:, None, :] - levels[:, :, None]

    def tops(self) -> Tensor:
        """Return the first-level section that contains each, `[b, S]`; itself if none does."""
        tops = torch.arange(self.parents.shape[1], device=self.parents.device)
        tops = tops.expand_as(self.parents)
        for _ in range(self.parents.shape[1]):
            above = self.parents.gather(1, tops)
            if not bool((above >= 0).any()):
                break
            tops = torch.where(above >= 0, above, tops)
        return tops

    def _above(self) -> Tensor:
        """Return whether the second section is the first or above it, boolean `[b, S, S]`."""
        rows, count = self.parents.shape
        is_above = torch.zeros(rows, count, count, dtype=torch.bool, device=self.parents.device)
        order = torch.arange(count, device=self.parents.device)
        current = order.expand(rows, count)
        exists = self.parents != NO_SECTION
        while bool(exists.any()):
            is_above |= (current[..., None] == order) & exists[..., None]
            above = self.parents.gather(1, current)
            exists = exists & (above >= 0)
            current = above.clamp_min(0)
        return is_above


NO_LABEL = -1
"""The label of a pair that has no bias."""

Without = Literal["level_difference", "path_length", "asymmetry"]
"""What an ablation removes (HIBRIDS, §7.2, Table 4)."""


@dataclass(frozen=True, slots=True)
class PathLabels:
    """Path length and level difference, both signed by the order of reading (HIBRIDS, §3.1).

    Label 0 is the section itself. Then, for each path length p = 1, 2, …, come p + 1 labels of
    later keys and p + 1 of earlier ones, each in the order of level differences −p, −p + 2, …, p:
    the two have the same parity, as each step of a path changes the level by one. With p to 19 that
    makes the 419 biases of the released code, which fails at longer paths. Here a longer path
    counts as the longest of the same parity, and its level difference is clipped to that.

    Without level differences the labels are 0, 1 … reach for later keys, and reach + 1 … 2 · reach
    for earlier ones; without path lengths the same for level differences, positive ones first.
    Without asymmetry earlier keys share the labels of later ones, p + 1 for each path length; the
    level difference keeps its sign, that of key minus query.

    Attributes:
        reach: The longest path with its own labels.
        without: What an ablation removes; None for nothing.

    Raises:
        LongsumError: The reach is below 2: the paths of both parities need one.
    """

    reach: int = 19
    without: Without | None = None

    def __post_init__(self) -> None:
        if self.reach < 2:
            raise LongsumError(
                f"A longest path of {self.reach} distinguishes no sections; give 2 or more."
            )

    @property
    def count(self) -> int:
        """How many labels there are; 419 for a reach of 19."""
        if self.without == "asymmetry":
            return 1 + self.reach * (self.reach + 3) // 2
        if self.without is not None:
            return 2 * self.reach + 1
        return 1 + self.reach * (self.reach + 3)

    def of(self, tree: SectionTree) -> Tensor:
        """Return the label of each pair of sections, `[b, S, S]`."""
        path, difference = tree.path_lengths(), tree.level_differences()
        length = path.abs()
        beyond = (length - self.reach).clamp_min(0)
        length = length - beyond - beyond % 2
        difference = torch.clamp(difference, -length, length)
        numbers = RelativeLabels(self.reach)
        if self.without == "level_difference":
            return numbers.of_distance(torch.where(path < 0, -length, length))
        if self.without == "path_length":
            return numbers.of_distance(difference)
        # (p − 1)(p + 2) / 2 labels precede those of path length p on either side.
        before = (length - 1) * (length + 2) // 2
        step = (difference + length) // 2
        if self.without == "asymmetry":
            return torch.where(length == 0, 0, 1 + before + step)
        turned = torch.where(path < 0, length + 1, 0)
        return torch.where(length == 0, 0, 1 + 2 * before + turned + step)


@dataclass(frozen=True, slots=True)
class SelectedLabels:
    """The salient relations of HIBRIDS_S (§3.2).

    Label 0 is the section itself. Then come, each with a label for later keys and one for earlier
    ones: parent and child (1, 2), other ancestor and descendant (3, 4), siblings (5, 6), neighbours
    in the text (7, 8), and sections within the same one of the first level (9, 10). Several can
    hold for a pair; the paper does not say which counts. Here it is the first of this list, which
    goes from the closest relation to the loosest. Sections of the first level are siblings, as
    paths go through the root above them. Pairs without a relation have no bias.
    """

    count = 11

    def of(self, tree: SectionTree) -> Tensor:
        """Return the label of each pair of sections, `[b, S, S]`; `NO_LABEL` for no relation."""
        path, tops = tree.path_lengths(), tree.tops()
        length, difference = path.abs(), tree.level_differences()
        order = torch.arange(path.shape[-1], device=path.device)
        relations = (
            length == 1,
            length == difference.abs(),
            (length == 2) & (difference == 0),
            ((order[:, None] - order).abs() == 1).expand_as(path),
            tops[:, :, None] == tops[:, None, :],
        )
        labels = torch.full_like(path, NO_LABEL)
        for number, holds in reversed(list(enumerate(relations))):
            labels = torch.where(holds, 2 * number + 1 + (path < 0).long(), labels)
        return torch.where(length == 0, 0, labels)


@dataclass(frozen=True, slots=True)
class SectionDistanceLabels:
    """How many sections later or earlier the key's section is (SecBias of HIBRIDS, §5.2).

    Labels are 0, 1 … reach of later keys, and reach + 1 … 2 · reach of earlier ones.

    Attributes:
        reach: The distance beyond which all have the same label; the paper states none.

    Raises:
        LongsumError: The reach is below 1.
    """

    reach: int = 64

    def __post_init__(self) -> None:
        if self.reach < 1:
            raise LongsumError(
                f"A distance of {self.reach} distinguishes no sections; give 1 or more."
            )

    @property
    def count(self) -> int:
        """How many labels there are."""
        return 2 * self.reach + 1

    def of(self, tree: SectionTree) -> Tensor:
        """Return the label of each pair of sections, `[b, S, S]`."""
        rows, sections = tree.parents.shape
        order = torch.arange(sections, device=tree.parents.device)
        labels = RelativeLabels(self.reach).of_distance(order - order[:, None])
        return labels.expand(rows, -1, -1)


Labelling = PathLabels | SelectedLabels | SectionDistanceLabels
"""A way to label pairs of sections: how many labels there are, and which one each pair has."""


def label_values(table: Tensor, labels: Tensor) -> Tensor:
    """Look up the values of labelled pairs.

    The table is `[labels, h]`, the labels are `[b, S, S]`.

    Returns:
        `[b, h, S, S]`, in fp32 or finer, since many gradients are summed; 0 where there is no
        label.
    """
    precise = table.to(at_least_float32(table.dtype))
    values = torch.nn.functional.embedding(labels.clamp_min(0), precise)
    return values.masked_fill((labels == NO_LABEL)[..., None], 0.0).permute(0, 3, 1, 2)
