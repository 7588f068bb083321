"""Charts of a comparison as inline SVG: distributions of scores, and scores by document length.

The style sheet sets their colours.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from longsum.common.wording import shorten
from longsum.core.pages.page_data import COLOURS
from longsum.lab.pages.comparison_view import ComparisonView, ScoreView

_WIDTH = 280
_EDGE = 8
_AXIS = 22
"""Height of an axis with its numbers."""
_ROW, _RIDGE = 46, 20
_LONGEST_NAME = 38
_HEIGHT, _LEFT, _BELOW = 208, 44, 38
"""Height of a line chart, and the room for its numbers on the left and below."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A line of a chart: its name, its CSS class, and its points."""

    name: str
    colour: str
    points: Sequence[tuple[float, float]]


def colour_of(system: int) -> str:
    """Return the CSS class of a system, counted from 0."""
    return f"system-{system % COLOURS}"


def render_spread(view: ComparisonView, score: ScoreView) -> str:
    """Return a chart of how a score is distributed over the documents, a row for each system.

    Below each histogram, a dot marks the mean, with its 95 % interval.
    """
    low, high = bounds(score.values)
    scale = (_WIDTH - 2 * _EDGE) / (high - low)
    counts = [histogram(values, low, high) for values in score.values]
    most = max(map(max, counts))
    height = _ROW * len(view.systems) + _AXIS
    marks: list[str] = []
    for place, (name, bins) in enumerate(zip(view.systems, counts, strict=True)):
        base = _ROW * place + 14 + _RIDGE
        estimate = score.estimates[place]
        left, mean, right = (
            _EDGE + (value - low) * scale for value in (estimate.low, estimate.mean, estimate.high)
        )
        colour = colour_of(place)
        marks += [
            f'<text x="{_EDGE}" y="{base - _RIDGE - 4}">{escape(shorten(name, _LONGEST_NAME))}'
            "</text>",
            f'<path class="ridge {colour}" d="{_steps(bins, most, base)}"/>',
            f'<path class="interval {colour}" d="M{left:.1f} {base + 6}H{right:.1f}"/>',
            f'<circle class="{colour}" cx="{mean:.1f}" cy="{base + 6}" r="3.5">'
            f"<title>{escape(name)}: {estimate.mean:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"
            "</title></circle>",
        ]
    axis = height - _AXIS + 4
    marks.append(f'<path class="axis" d="M{_EDGE} {axis}H{_WIDTH - _EDGE}"/>')
    marks += [_number(_EDGE + (tick - low) * scale, axis + 14, tick) for tick in ticks(low, high)]
    return _svg(height, f"Distribution of {score.name}", marks)


def _steps(bins: Sequence[int], most: int, base: float) -> str:
    """Return the outline of a histogram as the path data of SVG."""
    width = (_WIDTH - 2 * _EDGE) / BINS
    steps = "".join(
        f"V{base - _RIDGE * count / most:.1f}H{_EDGE + width * place:.1f}"
        for place, count in enumerate(bins, start=1)
    )
    return f"M{_EDGE} {base}{steps}V{base}Z"


def render_by_length(view: ComparisonView, score: ScoreView) -> str:
    """Return a chart of a score by document length; empty if there are too few documents."""
    lines = [
        ChartLine(
            name,
            colour_of(place),
            [(group.words, group.mean) for group in by_length(values, view.lengths)],
        )
        for place, (name, values) in enumerate(zip(view.systems, score.values, strict=True))
    ]
    if not all(line.points for line in lines):
        return ""
    across = bounds([[x for x, _ in line.points] for line in lines])
    upwards = bounds([[y for _, y in line.points] for line in lines])
    return render_lines(
        f"{score.name} by length of the document", lines, across, upwards, "words of the document"
    )


def render_positions(view: ComparisonView) -> str:
    """Return a chart of where in the documents the bigrams of the summaries first occur."""
    lines = [
        ChartLine(
            name,
            colour_of(view.systems.index(name)) if name in view.systems else "even",
            [(10.0 * tenth, 100 * share.mean) for tenth, share in enumerate(shares, 1)],
        )
        for name, shares in view.positions.items()
    ]
    label = "% of the document"
    return render_lines("Position of salient pairs of words", lines, (0, 100), (0, 100), label)


def render_lines(
    title: str,
    lines: Sequence[ChartLine],
    across: tuple[float, float],
    upwards: tuple[float, float],
    label: str,
) -> str:
    """Return a line chart.

    `across` and `upwards` are the ranges of the axes; `label` belongs to the horizontal one.
    """
    floor = _HEIGHT - _BELOW
    wide = (_WIDTH - _LEFT - 2 * _EDGE) / (across[1] - across[0])
    high = (floor - 2 * _EDGE) / (upwards[1] - upwards[0])

    def place(x: float, y: float) -> tuple[float, float]:
        return _LEFT + (x - across[0]) * wide, floor - _EDGE - (y - upwards[0]) * high

    marks = [f'<path class="axis" d="M{_LEFT - 4} {_EDGE}V{floor}H{_WIDTH - _EDGE}"/>']
    marks += [_number(place(x, 0)[0], floor + 14, x) for x in ticks(*across)]
    marks += [_number(_LEFT - 8, place(0, y)[1] + 4, y, "end") for y in ticks(*upwards)]
    middle = (_LEFT + _WIDTH) / 2
    marks.append(f'<text x="{middle}" y="{_HEIGHT - 6}" text-anchor="middle">{label}</text>')
    for line in lines:
        marks += _line_marks(line, [place(*point) for point in line.points])
    return _svg(_HEIGHT, title, marks)


def _line_marks(line: ChartLine, placed: Sequence[tuple[float, float]]) -> Iterator[str]:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in placed)
    yield f'<path class="line {line.colour}" d="M{path}"/>'
    for (x, y), (across, upwards) in zip(placed, line.points, strict=True):
        yield (
            f'<circle class="{line.colour}" cx="{x:.1f}" cy="{y:.1f}" r="3">'
            f"<title>{escape(line.name)}: {upwards:.2f} at {across:,.0f}</title></circle>"
        )


def _number(x: float, y: float, number: float, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{number:,g}</text>'


def _svg(height: float, title: str, marks: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img" '
        f'aria-label="{escape(title)}">\n' + "\n".join(marks) + "\n</svg>"
    )


BINS = 24
MOST_GROUPS = 5
_FEWEST_IN_GROUP = 4
_STEPS = (1, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Group:
    """Documents of about the same length: the median of their words, and their mean score."""

    words: float
    mean: float


def bounds(rows: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the ends of an axis for these values: the lowest and the highest, nan left out.

    If they are equal, the axis extends by a half on both sides.

    Raises:
        ValueError: There is no value.
    """
    known = [value for row in rows for value in row if not math.isnan(value)]
    low, high = min(known), max(known)
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return at most `most` round numbers of a range: multiples of 1, 2 or 5 times 10ⁿ."""
    power = 10 ** math.floor(math.log10((high - low) / most))
    for step in (power * factor for factor in _STEPS):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            break
    return [round(place * step, 12) for place in range(first, last + 1)]


def histogram(values: Sequence[float], low: float, high: float) -> list[int]:
    """Return how many values lie in each of `BINS` equal parts of a range; nan is left out."""
    known = [value for value in values if not math.isnan(value)]
    counts: list[int] = np.histogram(known, bins=BINS, range=(low, high))[0].tolist()
    return counts


def by_length(values: Sequence[float], lengths: Sequence[int]) -> list[Group]:
    """Return the means of up to `MOST_GROUPS` equally large groups of documents, shortest first.

    Args:
        values: A score per document; documents without one (nan) do not count.
        lengths: The words of each document.

    Returns:
        The groups; none if the documents are too few, or all of the same length.
    """
    known = np.flatnonzero(~np.isnan(np.asarray(values, dtype=np.float64)))
    ordered = sorted(known.tolist(), key=lambda place: lengths[place])
    count = min(MOST_GROUPS, len(ordered) // _FEWEST_IN_GROUP)
    if count < 2 or lengths[ordered[0]] == lengths[ordered[-1]]:
        return []
    return [
        Group(
            float(np.median([lengths[place] for place in group])),
            float(np.mean([values[place] for place in group])),
        )
        for group in np.array_split(ordered, count)
    ]
