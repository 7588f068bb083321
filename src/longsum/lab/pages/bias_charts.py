"""Which learned biases stand where in the charts of what a model has learned of the tree."""

from collections.abc import Sequence

import torch
from torch import Tensor

from longsum.lab.pages.bias_view import Axes
from longsum.models.attention.biases.relative import RelativeLabels
from longsum.models.attention.biases.section_bias import EncoderBiasConfig
from longsum.models.attention.biases.section_cross_bias import DecoderBiasConfig
from longsum.models.attention.biases.section_labels import NO_LABEL, PathLabels
from longsum.models.attention.biases.section_tree import ROOT, SectionTree

RELATIONS = (
    "itself",
    "child",
    "parent",
    "descendant",
    "ancestor",
    "later sibling",
    "earlier sibling",
    "next in the text",
    "previous in the text",
    "later, same top section",
    "earlier, same top section",
)
"""What the key's section is to the query's, by the labels of `SelectedLabels`."""


def label_chart(
    settings: EncoderBiasConfig | DecoderBiasConfig, longest: int | None = None
) -> tuple[Axes, Tensor]:
    """Return where the labels of these settings stand in a chart.

    Args:
        settings: Which biases are learned.
        longest: The longest path that a chart of levels shows; all that have labels by default.

    Returns:
        The chart's axes, and its labels, `[rows, columns]`; `NO_LABEL` where no two sections are so
        related.

    Raises:
        LongsumError: The settings are impossible.
    """
    if isinstance(settings, EncoderBiasConfig) and not settings.by_sections:
        return _distances("distance in tokens", settings.token_reach)
    match settings.kind:
        case "hibrids_selected":
            labels = torch.arange(len(RELATIONS))[None]
            return Axes("relations", "relation", "", RELATIONS, (0,)), labels
        case "section_distance":
            return _distances("distance in sections", settings.section_reach)
    match settings.without:
        case "level_difference":
            return _distances("path length", settings.path_reach)
        case "path_length":
            return _distances("level difference", settings.path_reach)
    labelling = PathLabels(settings.path_reach, settings.without)
    return _levels(labelling, min(longest or labelling.reach, labelling.reach))


def section_labels(
    settings: EncoderBiasConfig | DecoderBiasConfig, parents: Sequence[int]
) -> Tensor | None:
    """Return the label of each section (first) with each other as key, `[S, S]`.

    Args:
        settings: Which biases are learned.
        parents: The section above each, or `ROOT`.

    Returns:
        The labels; None where sections play no part.

    Raises:
        LongsumError: The settings are impossible.
    """
    if isinstance(settings, EncoderBiasConfig) and not settings.by_sections:
        return None
    return settings.labelling().of(_tree(parents))[0]


def longest_path(parents: Sequence[int]) -> int:
    """Return the length of the longest path between two sections, over the virtual root."""
    return int(_tree(parents).path_lengths().amax()) if parents else 0


def chart_values(table: Tensor, labels: Tensor) -> Tensor:
    """Look up what a table holds for each place of a chart.

    Args:
        table: `[…, labels, h]`.
        labels: `[rows, columns]`, of any length.

    Returns:
        `[…, h, rows, columns]` in fp64; NaN where there is no label.
    """
    found = table.detach().double().mT[..., labels.clamp_min(0)]
    return found.masked_fill(labels == NO_LABEL, torch.nan)


def _tree(parents: Sequence[int]) -> SectionTree:
    """Return the tree of one document, without its tokens."""
    return SectionTree(torch.zeros(1, 0, dtype=torch.long), torch.tensor([[*parents]]).long())


def _distances(across: str, reach: int) -> tuple[Axes, Tensor]:
    offsets = torch.arange(-reach, reach + 1)
    labels = RelativeLabels(reach).of_distance(offsets)[None]
    return Axes("distance", across, "", tuple(offsets.tolist()), (0,)), labels


def _levels(labelling: PathLabels, longest: int) -> tuple[Axes, Tensor]:
    # Two branches below the root contain every path from one section to another: some levels up,
    # then some down. A pair that they lack occurs in no tree, such as an ancestor that comes later.
    branch = torch.arange(longest + 1) - 1
    parents = torch.cat([branch, torch.where(branch == ROOT, ROOT, branch + len(branch))])
    tree = _tree(parents.tolist())
    path, difference = tree.path_lengths()[0], tree.level_differences()[0]
    symmetric = labelling.without == "asymmetry"
    if symmetric:
        path = path.abs()
    first = 0 if symmetric else -longest
    rows, columns = range(-longest, longest + 1), range(first, longest + 1)
    labels = torch.full((len(rows), len(columns)), NO_LABEL)
    near = path.abs() <= longest
    labels[difference[near] + longest, path[near] - first] = labelling.of(tree)[0][near]
    return Axes("levels", "path length", "level difference", tuple(columns), tuple(rows)), labels
