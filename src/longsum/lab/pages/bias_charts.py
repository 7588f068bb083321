"""Learned attention biases as charts of numbers with named rows and columns (HIBRIDS, §7.1).

The label of a pair of sections decides which learned bias it gets, and its place in the chart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from longsum.common.arrays import Array
from longsum.models.attention.biases.relative import RelativeLabels
from longsum.models.attention.biases.section_bias import EncoderBiasConfig
from longsum.models.attention.biases.section_cross_bias import DecoderBiasConfig
from longsum.models.attention.biases.section_tree import NO_LABEL, ROOT, PathLabels, SectionTree

_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Axes:
    """What the columns and rows of a chart stand for.

    Attributes:
        form: `levels`, path lengths across and level differences down; `relations` and `distance`,
            one row of names or numbers.
        across: What the columns stand for.
        down: What the rows stand for; empty if there is one row.
        columns: The columns' names or numbers.
        rows: The rows' numbers; 0 if there is one row.
    """

    form: Literal["levels", "relations", "distance"]
    across: str
    down: str
    columns: tuple[str | int, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SectionPairs:
    """The biases of pairs of sections of an example, averaged over layers and heads.

    Attributes:
        labels: The sections' numbers, such as `1.2`.
        titles: Their headings; empty for a section that has none.
        values: From the section of the row to that of the column, `[S, S]`; NaN if there is none.
    """

    labels: tuple[str, ...]
    titles: tuple[str, ...]
    values: Array


@dataclass(frozen=True, slots=True, eq=False)
class BiasView:
    """The biases of an encoder or a decoder.

    Attributes:
        side: The part of the model that they belong to.
        settings: The kind of biases, as the model's configuration names it.
        axes: The axes that labels are placed on.
        layers: The layers' numbers.
        heads: The heads' names.
        values: `[layers, heads, rows, columns]`; NaN where no two sections can be so related.
        pairs: The biases between an example's sections; None if sections play no part.
    """

    side: Literal["encoder", "segments", "decoder"]
    settings: Mapping[str, Any]
    axes: Axes
    layers: tuple[int, ...]
    heads: tuple[str, ...]
    values: Array
    pairs: SectionPairs | None

    @property
    def mean(self) -> Array:
        """The labels' biases, averaged over layers and heads: `[rows, columns]`."""
        average: Array = self.values.mean(axis=(0, 1))
        return average


def biases_to_json(name: str, views: tuple[BiasView, ...]) -> dict[str, Any]:
    """Return biases as JSON values: raw, not times a hundred, rounded to nine decimals.

    Args:
        name: The model's name.
        views: The biases of its encoder, its decoder or both.
    """
    return {"model": name, "biases": [_side(view) for view in views]}


def _side(view: BiasView) -> dict[str, Any]:
    rows, columns = np.nonzero(~np.isnan(view.values[0, 0]))
    values = {
        "side": view.side,
        "settings": dict(view.settings),
        "layers": list(view.layers),
        "heads": list(view.heads),
        "labels": [
            _label(view.axes, *place) for place in zip(rows.tolist(), columns.tolist(), strict=True)
        ],
        "values": view.values[:, :, rows, columns].round(_DIGITS).tolist(),
        "average": view.mean[rows, columns].round(_DIGITS).tolist(),
    }
    if view.pairs is not None:
        named = zip(view.pairs.labels, view.pairs.titles, strict=True)
        values["sections"] = [{"label": label, "title": title} for label, title in named]
        values["section_average"] = [
            [None if np.isnan(value) else round(float(value), _DIGITS) for value in row]
            for row in view.pairs.values
        ]
    return values


def _label(axes: Axes, row: int, column: int) -> dict[str, Any]:
    label: dict[str, Any] = {axes.across.replace(" ", "_"): axes.columns[column]}
    if axes.down:
        label[axes.down.replace(" ", "_")] = axes.rows[row]
    return label


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
"""How the key's section is related to the query's, by the labels of `SelectedLabels`."""


def label_chart(
    settings: EncoderBiasConfig | DecoderBiasConfig, longest: int | None = None
) -> tuple[Axes, Tensor]:
    """Return the axes and labels of the chart for some settings.

    Args:
        settings: Which biases are learned.
        longest: The longest path that a chart of levels shows; by default all that have labels.

    Returns:
        The chart's axes, and its labels, `[rows, columns]`; `NO_LABEL` where no two sections can
        be so related.

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
    """Return the label of each pair of sections, query by key, `[S, S]`.

    None if the biases do not depend on sections.

    Args:
        settings: Which biases are learned.
        parents: The section above each, or `ROOT`.

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
    """Look up the bias of each place of a chart.

    Args:
        table: The biases by label and head, `[…, labels, h]`.
        labels: The label at each place, `[rows, columns]`.

    Returns:
        `[…, h, rows, columns]` in fp64; NaN where there is no label.
    """
    values = table.detach().double().mT[..., labels.clamp_min(0)]
    return values.masked_fill(labels == NO_LABEL, torch.nan)


def _tree(parents: Sequence[int]) -> SectionTree:
    """Return the tree of one document, without its tokens."""
    return SectionTree(torch.zeros(1, 0, dtype=torch.long), torch.tensor([[*parents]]).long())


def _distances(across: str, reach: int) -> tuple[Axes, Tensor]:
    offsets = torch.arange(-reach, reach + 1)
    labels = RelativeLabels(reach).of_distance(offsets)[None]
    return Axes("distance", across, "", tuple(offsets.tolist()), (0,)), labels


def _levels(labelling: PathLabels, longest: int) -> tuple[Axes, Tensor]:
    # Two branches below the root contain every possible path from one section to another: some
    # levels up, then some down. What they lack occurs in no tree, such as an ancestor that comes
    # after its descendant.
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
