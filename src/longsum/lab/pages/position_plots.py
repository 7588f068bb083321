"""The plot of where salient content stands, (HEPOS, Figure 2)."""

from collections.abc import Mapping, Sequence
from typing import Any

from longsum.core.pages.figures import MARKS, PlotFormat, new_figure, written

Panels = Mapping[str, Mapping[str, Sequence[tuple[float, float, float]]]]
"""By the size of n-grams and the name of a line, the share at the end of each tenth, in [0, 1], and
the bounds of its interval, `[10]`."""
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
            mark = MARKS[place % len(MARKS)]
            axes.plot(_POINTS, [100 * mean for mean in means], marker=mark, label=name)
            axes.fill_between(
                _POINTS, [100 * low for low in lows], [100 * high for high in highs], alpha=0.2
            )
        # As much in each tenth as in any other.
        axes.plot((0, 100), (0, 100), color="#8a837a", linewidth=0.8, linestyle=":")
        axes.set_xlabel("% of the document")
        axes.set_title(title)
        axes.set_xlim(0, 102)
        axes.set_ylim(0, 102)
    all_axes[0].set_ylabel("% of the salient n-grams")
    for name in all_axes[0].legend(frameon=False).get_texts():
        name.set_parse_math(False)
    figure.tight_layout()
