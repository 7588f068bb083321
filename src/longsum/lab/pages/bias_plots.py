"""Charts of biases as PNG files, through matplotlib where it is installed."""

from typing import Any

from longsum.core.pages.figures import DPI, new_figure, to_png
from longsum.lab.pages.bias_layout import CHARACTER, TEXT, Drawing, lay_out
from longsum.lab.pages.bias_sheets import Sheet

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
