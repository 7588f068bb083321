"""The charts of a comparison for papers, drawn by matplotlib as vector graphics."""

import math
from collections.abc import Iterator
from typing import Any, get_args

from longsum.core.pages.figures import MARKS, VectorFormat, new_figure, to_vector
from longsum.lab.pages.comparison_series import by_length
from longsum.lab.pages.comparison_view import ComparisonView, ScoreView
from longsum.lab.pages.position_plots import draw_positions

_WIDTH, _HEIGHT = 380, 300
_MOST_UPRIGHT = 3
"""Systems whose names have room beside each other."""


def comparison_figures(view: ComparisonView) -> Iterator[tuple[str, bytes]]:
    """Yield the charts of a comparison, each as a PDF and as an SVG file, with their file names.

    For each score box plots of the documents' values (a diamond is the mean) and the mean by length
    of the document; `positions` is where in the documents salient pairs of words first occur.

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
        yield f"{name}.{form}", to_vector(figure, form)


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
        for place, (name, found) in enumerate(zip(view.systems, groups, strict=True)):
            axes[1].plot(
                [group.words for group in found],
                [group.mean for group in found],
                marker=MARKS[place % len(MARKS)],
                label=name,
            )
        for label in axes[1].legend(frameon=False).get_texts():
            label.set_parse_math(False)
        axes[1].set_xlabel("words of the document")
        axes[1].set_ylabel(f"mean {score.name}")
    figure.tight_layout()
    return figure
