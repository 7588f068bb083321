"""Charts of what a model has learned of the section tree, in pages and as pictures."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from longsum.core.pages.figures import DPI, new_figure, to_png
from longsum.lab.pages.bias_layout import CHARACTER, TEXT, Drawing, lay_out
from longsum.lab.pages.bias_sheets import Sheet
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


MORE, LESS = "#4a90d9", "#e07b28"
"""The fullest blue and orange, as in the page's style sheet."""
_INK, _QUIET, _LINE = "#23211e", "#8a837a", "#ddd7cc"
_MARGIN = 16
_HEADING = 44
_ALIGNMENT = {"start": "left", "middle": "center", "end": "right"}
_UPWARDS = {"start": "bottom", "middle": "center", "end": "top"}


def render_png(sheet: Sheet) -> bytes:
    """Return a sheet as a PNG file.

    Raises:
        LongsumError: matplotlib is not installed.
    """
    drawing = lay_out(sheet)
    heading = max(len(sheet.title) * 1.3, len(sheet.note)) * CHARACTER
    width = max(drawing.width, heading) + 2 * _MARGIN
    height = drawing.height + _HEADING + 2 * _MARGIN
    figure = new_figure(width, height)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(-_MARGIN, width - _MARGIN)
    axes.set_ylim(drawing.height + _MARGIN, -_HEADING - _MARGIN)
    axes.set_axis_off()
    _write(axes, 0, -_HEADING + 8, sheet.title, size=TEXT * 1.3, weight="bold")
    _write(axes, 0, -_HEADING + 28, sheet.note, color=_QUIET)
    _draw(axes, drawing)
    return to_png(figure)


def _draw(axes: Any, drawing: Drawing) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    scale = LinearSegmentedColormap.from_list("biases", [LESS, "#ffffff", MORE], N=511)
    rectangles = [Rectangle((cell.x, cell.y), cell.width, cell.height) for cell in drawing.cells]
    colours = [scale((1 + cell.share) / 2) for cell in drawing.cells]
    axes.add_collection(
        PatchCollection(rectangles, facecolors=colours, edgecolors=_LINE, linewidths=0.4)
    )
    for path in drawing.paths:
        colour = {"axis": _LINE, "head": _QUIET, "average": _INK}[path.role]
        thick = {"axis": 0.8, "head": 0.5, "average": 1.1}[path.role]
        axes.plot(*zip(*path.points, strict=True), color=colour, linewidth=thick)
    for words in drawing.words:
        turned = {"rotation": 90, "ha": "center", "va": _UPWARDS[words.anchor]}
        upright = {"ha": _ALIGNMENT[words.anchor], "va": "center"}
        weight = "bold" if words.strong else "normal"
        placed = turned if words.turned else upright
        _write(axes, words.x, words.y, words.text, weight=weight, **placed)


def _write(axes: Any, x: float, y: float, text: str, size: float = TEXT, **looks: Any) -> None:
    looks = {"va": "center", "color": _INK, **looks}
    # Pixels to points.
    axes.text(x, y, text, fontsize=size * 72 / DPI, parse_math=False, **looks)
