"""Charts of scores over lengths as PNG files, one line per system."""

from collections.abc import Mapping, Sequence

from longsum.reports.figures import MARKS, new_figure, to_png


def render_curves(
    title: str, lengths: Sequence[str], scores: Mapping[str, Sequence[float]], *, unit: str
) -> bytes:
    """Return a chart as a PNG file.

    Args:
        title: The title of the chart.
        lengths: Names of the lengths, shortest first.
        scores: The values of each line at each length, by its name.
        unit: Label of the value axis.

    Raises:
        LongsumError: matplotlib is not installed.
    """
    figure = new_figure(480, 360)
    axes = figure.add_subplot()
    for place, (name, values) in enumerate(scores.items()):
        axes.plot(range(len(lengths)), values, marker=MARKS[place % len(MARKS)], label=name)
    axes.set_xticks(range(len(lengths)), lengths)
    axes.set_xlabel("share of the document")
    axes.set_ylabel(unit)
    axes.set_title(title, parse_math=False)
    axes.legend(frameon=False)
    figure.tight_layout()
    return to_png(figure)
