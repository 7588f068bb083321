"""Relations of sections, predicted beside the summary (MultiTask of HIBRIDS, §5.2).

A bilinear classifier names the relation of every pair of sections from the states of their first
tokens. A pair is taken once, in the order of reading, in which a relation of HIBRIDS_S has one
label: five relations and none. For LED-large, six matrices of 1,024 × 1,024 are 6.3 M weights on
top of 459.8 M, 466.1 M, as the paper has it. With both orders, and each section with itself, there
would be twelve, and 472 M.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from transformers.modeling_outputs import Seq2SeqLMOutput

from longsum.models.attention.biases.section_labels import NO_LABEL, SelectedLabels
from longsum.models.attention.biases.section_tree import SectionTree
from longsum.models.attention.softmax import at_least_float32
from longsum.models.networks.seq2seq.padding import real_tokens
from longsum.models.networks.seq2seq.part_settings import SectionRelationsConfig
from longsum.models.networks.seq2seq.sections import SectionMarks, section_marks, section_tree

Measured = tuple[Tensor, Tensor]
"""A loss and an accuracy."""

RELATIONS = 5
"""Parent, other ancestor, sibling, neighbour, same section of the first level: of one before."""
UNCOUNTED = -100
"""The class of a pair that takes no part."""


@dataclass
class LongsumSeq2SeqOutput(Seq2SeqLMOutput):
    """What the model returns, and how well it knows the relations of its source's sections.

    Attributes:
        relation_loss: Mean cross-entropy of the pairs of sections of the batch, without its weight;
            a part of `loss` in training.
        relation_accuracy: Share of the pairs whose relation is the likeliest.
    """

    relation_loss: Tensor | None = None
    relation_accuracy: Tensor | None = None


class SectionRelations(nn.Module):
    """The classifier: for each relation, xᵀ · W · y / √D + b of a section and a later one.

    The division is that of attention's scores, and for the same reason; the paper does not say.

    Args:
        settings: The weight of the loss.
        size: D, the model's dimension.
        std: Standard deviation of the first weights.
    """

    def __init__(self, settings: SectionRelationsConfig, size: int, std: float = 0.02) -> None:
        super().__init__()
        self.loss_weight = settings.weight
        self.std = std
        self.weight = nn.Parameter(torch.empty(RELATIONS + 1, size, size))
        self.bias = nn.Parameter(torch.empty(RELATIONS + 1))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Give the weights their first values."""
        nn.init.normal_(self.weight, std=self.std)
        nn.init.zeros_(self.bias)

    def forward(self, states: Tensor) -> Tensor:
        """Score the relations of each section (first) and each other.

        Args:
            states: Those of the marks, `[b, S, D]`.

        Returns:
            `[b, S, S, relations + 1]`; the last is that of none.
        """
        scores: Tensor = (states[:, None] @ self.weight) @ states[:, None].mT
        scores = scores * states.shape[-1] ** -0.5 + self.bias[:, None, None]
        return scores.permute(0, 2, 3, 1)

    def measure(self, hidden: Tensor, tree: SectionTree, real: Tensor | None) -> Measured:
        """Return what `relation_loss` gives for a batch.

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

    Its number is in the order of `SelectedLabels`, and `RELATIONS` for none. All other pairs are
    `UNCOUNTED`, and those of a section without a token.
    """
    labels = SelectedLabels().of(tree)
    classes = torch.where(labels == NO_LABEL, RELATIONS, (labels - 1) // 2)
    there = marks.there[:, :, None] & marks.there[:, None, :]
    return classes.masked_fill(~there.triu(1), UNCOUNTED)


def counted_pairs(
    section_of: Tensor, section_parents: Tensor, attention_mask: Tensor | None
) -> Tensor:
    """Return over how many pairs of sections `relation_loss` is a mean; see `LongsumEncoder`."""
    real = real_tokens(attention_mask)
    marks = section_marks(section_tree(section_of, section_parents, real, section_of.shape), real)
    sections = marks.there.sum(dim=1)
    return (sections * (sections - 1)).sum() // 2


def relation_loss(scores: Tensor, classes: Tensor) -> Measured:
    """Return the mean cross-entropy of the pairs that count, and the share that is right.

    Args:
        scores: `[b, S, S, relations + 1]`.
        classes: `[b, S, S]`.

    Returns:
        Two numbers, both 0 where no pair counts.
    """
    count = (classes != UNCOUNTED).sum().clamp_min(1)
    precise = scores.to(at_least_float32(scores.dtype))
    total = nn.functional.cross_entropy(
        precise.flatten(0, 2), classes.flatten(), ignore_index=UNCOUNTED, reduction="sum"
    )
    return total / count, (scores.argmax(dim=-1) == classes).sum() / count
