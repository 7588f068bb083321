"""The sections of a batch: as a caller gives them, checked; and where in the source each begins."""

from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_tree import NO_SECTION, SectionTree
from longsum.models.attention.softmax import real_lengths
from longsum.models.networks.seq2seq.padding import first_real


def section_tree(
    section_of: Tensor | None, parents: Tensor | None, real: Tensor | None, shape: torch.Size
) -> SectionTree:
    """Return the sections of the source.

    Padding is put into the section of the token next to it, whatever the caller says of it.

    Args:
        section_of: `[b, n]`, the section of each token.
        parents: `[b, S]`, the section above each.
        real: Boolean `[b, n]`, True for tokens; None where all are.
        shape: That of the source; its first two numbers are b and n.

    Raises:
        LongsumError: They are missing, or fit neither the source nor each other.
    """
    if section_of is None or parents is None:
        raise LongsumError(
            "The model reads sections; give section_of, the section of each source token, "
            "and section_parents, the section above each section."
        )
    rows, tokens = shape[:2]
    if section_of.shape != (rows, tokens) or parents.dim() != 2 or len(parents) != rows:
        raise LongsumError(
            f"A source of {rows} × {tokens} tokens got section_of of the shape "
            f"{tuple(section_of.shape)} and section_parents of {tuple(parents.shape)}; give a "
            "section for each token, and a row of parents for each row."
        )
    order = torch.arange(parents.shape[1], device=parents.device)
    if bool(((parents >= order) | (parents < NO_SECTION)).any()):
        raise LongsumError(
            "section_parents names a section that does not come before its own; number sections "
            "in the order of reading, with −1 above those of the first level and −2 for none."
        )
    if real is not None:
        last = real_lengths(real, rows, tokens, real.device) - 1
        places = torch.arange(tokens, device=real.device).expand(rows, -1)
        nearest = places.clamp(min=first_real(real)[:, None]).minimum(last.clamp(min=0)[:, None])
        # A row of padding alone has no section.
        section_of = section_of.gather(1, nearest).where(real.any(dim=1)[:, None], 0)
    there = torch.nn.functional.pad(parents, (0, 1), value=NO_SECTION) != NO_SECTION
    missing = ~there.gather(1, section_of.clamp(-1, parents.shape[1]) % there.shape[1])
    if real is not None:
        missing &= real
    if bool(missing.any()):
        raise LongsumError(
            f"section_of names section {int(section_of[missing][0])}, which its row of "
            "section_parents does not have; give the parent of every section."
        )
    return SectionTree(section_of, parents)


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
