"""The charts of a comparison for papers, drawn by matplotlib as vector graphics."""

from collections.abc import Iterator
from typing import Any, get_args

from longsum.reports.comparison_series import BINS, bounds, by_length
from longsum.reports.comparison_view import ComparisonView, ScoreView
from longsum.reports.figures import MARKS, VectorFormat, new_figure, to_vector
from longsum.reports.position_plots import draw_positions

_WIDTH, _HEIGHT = 380, 300


def comparison_figures(view: ComparisonView) -> Iterator[tuple[str, bytes]]:
    """Yield the charts of a comparison, each as a PDF and as an SVG file, with their file names.

    For each score how it is distributed over the documents and how it depends on their length;
    `positions` is where in the documents salient pairs of words first occur.

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
    limits = bounds(score.values)
    for place, (name, values) in enumerate(zip(view.systems, score.values, strict=True)):
        axes[0].hist(values, bins=BINS, range=limits, histtype="step", label=name)
        if panels == 2:
            axes[1].plot(
                [group.words for group in groups[place]],
                [group.mean for group in groups[place]],
                marker=MARKS[place % len(MARKS)],
                label=name,
            )
    axes[0].set_xlabel(score.name)
    axes[0].set_ylabel(f"{view.unit}s")
    for name in axes[0].legend(frameon=False).get_texts():
        name.set_parse_math(False)
    if panels == 2:
        axes[1].set_xlabel("words of the document")
        axes[1].set_ylabel(f"mean {score.name}")
    figure.tight_layout()
    return figure
