"""Where each section of a source begins: the tokens that stand for sections."""

from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.attention.biases.section_tree import SectionTree


@dataclass(frozen=True, slots=True, eq=False)
class SectionMarks:
    """The first token of each section: its mark, where the source has marks (HIBRIDS, §5.2).

    Attributes:
        places: `[b, S]`, the position of each; any where there is none.
        there: Boolean `[b, S]`, whether there is one. There is none for filling, for sections that
            were cut away, and for those whose place in the tree is all that a source keeps.
    """

    places: Tensor
    there: Tensor

    def states(self, hidden: Tensor) -> Tensor:
        """Return the state of each mark, `[b, S, D]`, of those of all tokens, `[b, n, D]`."""
        return hidden.gather(1, self.places[..., None].expand(-1, -1, hidden.shape[-1]))


def section_marks(tree: SectionTree, real: Tensor | None) -> SectionMarks:
    """Find the first token of each section.

    Args:
        tree: The sections, checked; see `section_tree`.
        real: Boolean `[b, n]`, True for tokens; None where all are.
    """
    section_of, tokens = tree.section_of, tree.section_of.shape[1]
    order = torch.arange(tokens, device=section_of.device).expand_as(section_of)
    if real is not None:
        order = order.where(real, tokens)
    first = torch.full_like(tree.parents, tokens).scatter_reduce(1, section_of, order, "amin")
    return SectionMarks(first.clamp(max=tokens - 1), first < tokens)
