"""Charts as PNG, PDF and SVG files, drawn by matplotlib if it is installed."""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args

from longsum.common.extras import missing_extras_explained
from longsum.lab.pages.bias_layout import CHARACTER, TEXT, Drawing, lay_out
from longsum.lab.pages.bias_sheets import Sheet
from longsum.lab.pages.comparison_charts import by_length
from longsum.lab.pages.comparison_view import ComparisonView, ScoreView

VectorFormat = Literal["pdf", "svg"]
PlotFormat = Literal["png", "pdf", "svg"]
DPI = 96
MARKS = "os^Dvx"
"""The markers of lines, in matplotlib's notation."""
_HOME = "MPLCONFIGDIR"


def new_figure(width: float, height: float) -> Any:
    """Return an empty white figure of a size in pixels.

    Raises:
        LongsumError: matplotlib is not installed.
    """
    with missing_extras_explained(), TemporaryDirectory() as folder:
        # On import, matplotlib would write a cache of fonts into the home folder.
        home = os.environ.setdefault(_HOME, folder)
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        if home == folder:
            del os.environ[_HOME]
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def written(figure: Any, form: PlotFormat) -> bytes:
    """Return a figure as a file: PNG at twice the screen resolution, or PDF or SVG without a date.

    In PDF and SVG files, which are for papers, text can be selected. The same figure gives the
    same bytes with the same version of matplotlib.
    """
    from matplotlib import rc_context

    file = BytesIO()
    volatile = {"png": "Software", "pdf": "CreationDate", "svg": "Date"}[form]
    settings: Any = {"pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "longsum"}
    with rc_context(settings):
        figure.savefig(file, format=form, dpi=2 * DPI, metadata={volatile: None})
    return file.getvalue()


def _line(axes: Any, place: int, name: str, across: Sequence[float], up: Sequence[float]) -> None:
    axes.plot(across, up, marker=MARKS[place % len(MARKS)], label=name)


def _legend(axes: Any) -> None:
    for name in axes.legend(frameon=False).get_texts():
        name.set_parse_math(False)


_WIDTH, _HEIGHT = 380, 300
_MOST_UPRIGHT = 3
"""Most systems whose names fit beside each other."""


def comparison_figures(view: ComparisonView) -> Iterator[tuple[str, bytes]]:
    """Yield the charts of a comparison, each as a PDF and as an SVG file, with their file names.

    A score has box plots of the documents' values (a diamond is the mean) and its mean by document
    length; `positions` shows where in the documents salient bigrams first occur.

    Raises:
        LongsumError: matplotlib is not installed.
    """
    for score in view.scores:
        yield from _written(score.name, _score_figure(view, score))
    if view.positions:
        figure = new_figure(_WIDTH, _HEIGHT)
        lines = {
            name: [(share.mean, share.low, share.high) for share in shares]
            for name, shares in view.positions.items()
        }
        draw_positions(figure, {"bigrams": lines})
        yield from _written("positions", figure)


def _written(name: str, figure: Any) -> Iterator[tuple[str, bytes]]:
    for form in get_args(VectorFormat):
        yield f"{name}.{form}", written(figure, form)


def _score_figure(view: ComparisonView, score: ScoreView) -> Any:
    groups = [by_length(values, view.lengths) for values in score.values]
    panels = 2 if all(groups) else 1
    figure = new_figure(_WIDTH * panels, _HEIGHT)
    axes = figure.subplots(1, panels, squeeze=False)[0]
    known = [[value for value in values if not math.isnan(value)] for values in score.values]
    axes[0].boxplot(known, showmeans=True, meanprops={"marker": "D"})
    slanted = {"rotation": 20, "ha": "right"} if len(view.systems) > _MOST_UPRIGHT else {}
    for label in axes[0].set_xticklabels(view.systems, **slanted):
        label.set_parse_math(False)
    axes[0].set_ylabel(score.name)
    if panels == 2:
        for place, (name, lengths) in enumerate(zip(view.systems, groups, strict=True)):
            _line(
                axes[1],
                place,
                name,
                *zip(*((group.words, group.mean) for group in lengths), strict=True),
            )
        _legend(axes[1])
        axes[1].set_xlabel("words of the document")
        axes[1].set_ylabel(f"mean {score.name}")
    figure.tight_layout()
    return figure


Panels = Mapping[str, Mapping[str, Sequence[tuple[float, float, float]]]]
"""By the size of n-grams and the name of a line: the share at the end of each tenth, in [0, 1],
and the bounds of its interval, `[10]`."""
_POINTS = tuple(range(10, 101, 10))


def render_positions(panels: Panels, form: PlotFormat = "png") -> bytes:
    """Return a plot with a panel for each size of n-grams as a file.

    Raises:
        LongsumError: matplotlib is not installed.
    """
    figure = new_figure(440 * len(panels), 360)
    draw_positions(figure, panels)
    return written(figure, form)


def draw_positions(figure: Any, panels: Panels) -> None:
    """Draw a panel for each size of n-grams, beside each other, into an empty figure."""
    all_axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, (title, lines) in zip(all_axes, panels.items(), strict=True):
        for place, (name, shares) in enumerate(lines.items()):
            means, lows, highs = zip(*shares, strict=True)
            _line(axes, place, name, _POINTS, [100 * mean for mean in means])
            axes.fill_between(
                _POINTS, [100 * low for low in lows], [100 * high for high in highs], alpha=0.2
            )
        # The diagonal stands for an even distribution over the document.
        axes.plot((0, 100), (0, 100), color="#8a837a", linewidth=0.8, linestyle=":")
        axes.set_xlabel("% of the document")
        axes.set_title(title)
        axes.set_xlim(0, 102)
        axes.set_ylim(0, 102)
    all_axes[0].set_ylabel("% of the salient n-grams")
    _legend(all_axes[0])
    figure.tight_layout()


MORE, LESS = "#4a90d9", "#e07b28"
"""Full blue and full orange, as in the page's style sheet."""
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
    return written(figure, "png")


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
        thickness = {"axis": 0.8, "head": 0.5, "average": 1.1}[path.role]
        axes.plot(*zip(*path.points, strict=True), color=colour, linewidth=thickness)
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
