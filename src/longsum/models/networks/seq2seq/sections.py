"""The sections of a batch, checked; the first token of each; and their relations.

Relations are predicted in addition to the summary (MultiTask of HIBRIDS, §5.2). A bilinear
classifier predicts the relation of every pair of sections from the states of their first tokens.
Each pair is used once, in reading order, so that a relation has one label of HIBRIDS_S: five
relations and none. For LED-large, six matrices of 1,024 × 1,024 are 6.3 M weights on top of 459.8
M, 466.1 M in all, as in the paper. With both orders, and each section with itself, there would be
twelve, and 472 M.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from transformers.modeling_outputs import Seq2SeqLMOutput

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_tree import (
    NO_LABEL,
    NO_SECTION,
    SectionTree,
    SelectedLabels,
)
from longsum.models.attention.softmax import at_least_float32, real_lengths
from longsum.models.networks.seq2seq.part_settings import SectionRelationsConfig
from longsum.models.networks.seq2seq.seq2seq_layers import first_real, real_tokens


def section_tree(
    section_of: Tensor | None, parents: Tensor | None, real: Tensor | None, shape: torch.Size
) -> SectionTree:
    """Return the sections of the source.

    Padding is put into the section of the token next to it, whatever the caller gives.

    Args:
        section_of: `[b, n]`, the section of each token.
        parents: `[b, S]`, the section above each.
        real: Boolean `[b, n]`, True for tokens; None if all are.
        shape: Shape of the source, which begins with b and n.

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
        # A row of only padding has no section.
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
        places: `[b, S]`, the position of each; arbitrary if there is none.
        present: Boolean `[b, S]`, whether there is one: not for padding, for sections that
            were cut off, and for those that a source keeps only in the section tree.
    """

    places: Tensor
    present: Tensor

    def states(self, hidden: Tensor) -> Tensor:
        """Return the state of each mark, `[b, S, D]`, from those of all tokens, `[b, n, D]`."""
        return hidden.gather(1, self.places[..., None].expand(-1, -1, hidden.shape[-1]))


def section_marks(tree: SectionTree, real: Tensor | None) -> SectionMarks:
    """Find the first token of each section.

    Args:
        tree: The sections, checked; see `section_tree`.
        real: Boolean `[b, n]`, True for tokens; None if all are.
    """
    section_of, tokens = tree.section_of, tree.section_of.shape[1]
    order = torch.arange(tokens, device=section_of.device).expand_as(section_of)
    if real is not None:
        order = order.where(real, tokens)
    first = torch.full_like(tree.parents, tokens).scatter_reduce(1, section_of, order, "amin")
    return SectionMarks(first.clamp(max=tokens - 1), first < tokens)


Measured = tuple[Tensor, Tensor]
"""A loss and an accuracy."""

RELATIONS = 5
"""Relations to an earlier section: parent, other ancestor, sibling, neighbour, same top section."""
UNCOUNTED = -100
"""The class of a pair that does not count."""


@dataclass
class LongsumSeq2SeqOutput(Seq2SeqLMOutput):
    """The model's output, with the loss and accuracy of its predicted relations of sections.

    Attributes:
        relation_loss: Mean cross-entropy of the pairs of sections of the batch, without its weight;
            a part of `loss` in training.
        relation_accuracy: Share of the pairs whose relation has the highest score.
    """

    relation_loss: Tensor | None = None
    relation_accuracy: Tensor | None = None


class SectionRelations(nn.Module):
    """The classifier: for each relation, xᵀ · W · y / √D + b of a section and a later one.

    The division is that of attention scores, for the same reason; the paper does not state it.

    Args:
        settings: The weight of the loss.
        size: D, the model's dimension.
        std: Standard deviation of initial weights.
    """

    def __init__(self, settings: SectionRelationsConfig, size: int, std: float = 0.02) -> None:
        super().__init__()
        self.loss_weight = settings.weight
        self.std = std
        self.weight = nn.Parameter(torch.empty(RELATIONS + 1, size, size))
        self.bias = nn.Parameter(torch.empty(RELATIONS + 1))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize the weights."""
        nn.init.normal_(self.weight, std=self.std)
        nn.init.zeros_(self.bias)

    def forward(self, states: Tensor) -> Tensor:
        """Score each relation, and none, of each section to each other, `[b, S, S, r + 1]`.

        Args:
            states: States of the marks, `[b, S, D]`.
        """
        scores: Tensor = (states[:, None] @ self.weight) @ states[:, None].mT
        scores = scores * states.shape[-1] ** -0.5 + self.bias[:, None, None]
        return scores.permute(0, 2, 3, 1)

    def measure(self, hidden: Tensor, tree: SectionTree, real: Tensor | None) -> Measured:
        """Return the `relation_loss` of a batch.

        Args:
            hidden: The encoder's last states, `[b, n, D]`.
            tree: The sections.
            real: Boolean `[b, n]`, or None.
        """
        marks = section_marks(tree, real)
        scores: Tensor = self(marks.states(hidden))
        return relation_loss(scores, relation_classes(tree, marks))


def relation_classes(tree: SectionTree, marks: SectionMarks) -> Tensor:
    """Return the relation of each section (first) to each later one, `[b, S, S]`.

    Relations are numbered in the order of `SelectedLabels`; `RELATIONS` stands for none. All other
    pairs, and those with a section without tokens, are `UNCOUNTED`.
    """
    labels = SelectedLabels().of(tree)
    classes = torch.where(labels == NO_LABEL, RELATIONS, (labels - 1) // 2)
    there = marks.present[:, :, None] & marks.present[:, None, :]
    return classes.masked_fill(~there.triu(1), UNCOUNTED)


def counted_pairs(
    section_of: Tensor, section_parents: Tensor, attention_mask: Tensor | None
) -> Tensor:
    """Return the number of section pairs in the mean of `relation_loss`; see `LongsumEncoder`."""
    real = real_tokens(attention_mask)
    marks = section_marks(section_tree(section_of, section_parents, real, section_of.shape), real)
    sections = marks.present.sum(dim=1)
    return (sections * (sections - 1)).sum() // 2


def relation_loss(scores: Tensor, classes: Tensor) -> Measured:
    """Return the mean cross-entropy of the pairs that count, and the share of correct ones.

    The scores are `[b, S, S, relations + 1]`, the classes `[b, S, S]`.

    Returns:
        Two numbers, both 0 if no pair counts.
    """
    count = (classes != UNCOUNTED).sum().clamp_min(1)
    precise = scores.to(at_least_float32(scores.dtype))
    total = nn.functional.cross_entropy(
        precise.flatten(0, 2), classes.flatten(), ignore_index=UNCOUNTED, reduction="sum"
    )
    return total / count, (scores.argmax(dim=-1) == classes).sum() / count
