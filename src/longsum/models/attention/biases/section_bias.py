"""The biases that an encoder's self-attention learns from the document's structure (HIBRIDS)."""

from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn

from longsum.common.checked_settings import CLOSED, Size, check_settings_of_kind
from longsum.common.errors import LongsumError
from longsum.models.attention.biases.bias import ScoreBias
from longsum.models.attention.biases.relative import TokenDistance
from longsum.models.attention.biases.section_pairs import NOWHERE, SectionPairs
from longsum.models.attention.biases.section_tree import (
    Labelling,
    PathLabels,
    SectionDistanceLabels,
    SectionTree,
    SelectedLabels,
    Without,
)
from longsum.models.attention.softmax import at_least_float32

BiasKind = Literal["hibrids", "hibrids_selected", "section_distance", "token_distance"]
Start = Literal["normal", "zeros"]

_FIELDS: dict[str, set[str]] = {
    "hibrids": {"path_reach", "without"},
    "hibrids_selected": set(),
    "section_distance": {"section_reach"},
    "token_distance": {"token_reach"},
}
"""The settings of each kind, besides those that all kinds have."""
_COMMON = {"start", "global_biases", "shared", "average"}


@dataclass(frozen=True, slots=True)
class SectionBiasConfig:
    """The settings of biases of sections, wherever they are added.

    Attributes:
        kind: `hibrids`, by path length and level difference; `hibrids_selected`, by the salient
            relations (HIBRIDS_S); `section_distance` (SecBias); `token_distance` (TokBias).
        path_reach: `hibrids`: the longest path with its own biases. The released code has the
            same limit, and fails beyond it.
        without: `hibrids`: what an ablation removes (Table 4).
        section_reach: `section_distance`: the longest distance with its own bias, in sections.
        start: How a table starts: random like other weights, as in the released code, or with
            zeros, so that a converted model is unchanged at first.

    Raises:
        LongsumError: A field is set that the kind does not have.
    """

    __pydantic_config__ = CLOSED

    kind: BiasKind = "hibrids"
    path_reach: Size = 19
    without: Without | None = None
    section_reach: Size = 64
    start: Start = "normal"

    def __post_init__(self) -> None:
        check_settings_of_kind(self, _FIELDS, _COMMON, "A bias")

    def labelling(self) -> Labelling:
        """Return how pairs of sections are labelled.

        Raises:
            LongsumError: The kind is unknown or does not depend on sections, or its reach is too
                short.
        """
        match self.kind:
            case "hibrids":
                return PathLabels(self.path_reach, self.without)
            case "hibrids_selected":
                return SelectedLabels()
            case "section_distance":
                return SectionDistanceLabels(self.section_reach)
            case _:
                raise LongsumError(
                    f"There is no bias of sections of kind {self.kind!r}; choose hibrids, "
                    "hibrids_selected or section_distance."
                )


@dataclass(frozen=True, slots=True)
class EncoderBiasConfig(SectionBiasConfig):
    """The biases that the encoder's attentions learn, with a table for each layer and head.

    Attributes:
        token_reach: `token_distance`: the longest distance with its own bias, in tokens.
        global_biases: Whether pairs with a global token have biases. The paper's equation has them
            for all pairs; the released code has none there.
    """

    token_reach: Size = 512
    global_biases: bool = True

    @property
    def by_sections(self) -> bool:
        """Whether it needs to know the sections of the document."""
        return self.kind != "token_distance"

    def labels(self, tree: SectionTree) -> "Labels":
        """Return the labels of a batch, which serve all layers.

        Raises:
            LongsumError: As for `labelling`.
        """
        return Labels(tree.section_of, self.labelling().of(tree))


@dataclass(frozen=True, slots=True)
class Labels:
    """The sections of a batch, as the layers need them.

    Attributes:
        section_of: The section of each token, `[b, n]`, in [0, S) for padding too.
        pairs: The label of each pair of sections, `[b, S, S]`.
    """

    section_of: Tensor
    pairs: Tensor


class BiasTable(nn.Module):
    """A learned bias for each label and head, `[labels, h]`.

    There is one head if all share their biases. A random table has the standard deviation `std`;
    for `start` see `SectionBiasConfig`.
    """

    def __init__(self, labels: int, heads: int, start: Start, std: float) -> None:
        super().__init__()
        self.std = 0.0 if start == "zeros" else std
        self.table = nn.Parameter(torch.empty(labels, heads))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Give the table its first values."""
        nn.init.normal_(self.table, std=self.std)

    def forward(self, *_: Any) -> Any:
        """Return the table: calling the module loads weights that are offloaded."""
        return self.table


class EncoderBias(BiasTable):
    """The table of a layer.

    The first `global_tokens` see all and are seen by all; a random table has the standard deviation
    `std`.

    Raises:
        LongsumError: The settings are impossible.
    """

    def __init__(
        self, config: EncoderBiasConfig, heads: int, global_tokens: int = 0, std: float = 0.02
    ) -> None:
        count = config.labelling().count if config.by_sections else 2 * config.token_reach + 1
        super().__init__(count, heads, config.start, std)
        self.by_sections = config.by_sections
        self.plain = 0 if config.global_biases else global_tokens

    def forward(self, labels: Labels | None) -> ScoreBias:
        """Return the bias that the layer adds to its scores.

        Args:
            labels: Labels of the batch; None if the biases are not those of sections.

        Raises:
            LongsumError: The biases are those of sections, and there are no labels.
        """
        if not self.by_sections:
            return TokenDistance(self.table, self.plain)
        if labels is None:
            raise LongsumError("Biases of sections need the labels of the batch; give them.")
        # The last row is that of pairs without a label. Many gradients are summed in a row.
        table = self.table.to(at_least_float32(self.table.dtype))
        table, section_of = nn.functional.pad(table, (0, 0, 0, 1)), labels.section_of
        if self.plain:
            first = torch.arange(section_of.shape[1], device=section_of.device) < self.plain
            section_of = section_of.masked_fill(first, NOWHERE)
        return SectionPairs(table, labels.pairs, section_of)
