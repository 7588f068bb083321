"""Figures as PNG files, through matplotlib where it is installed."""

from io import BytesIO
from typing import Any

from longsum.errors import LongsumError

DPI = 96


def new_figure(width: float, height: float) -> Any:
    """Return an empty white figure of so many pixels.

    Raises:
        LongsumError: matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise LongsumError(
            "PNG files are drawn by matplotlib, which is not installed; run "
            "pip install 'longsum[plots]', or choose the format html."
        ) from None
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def to_png(figure: Any) -> bytes:
    """Return a figure as a file, twice as fine as on a screen.

    The same figure gives the same bytes with the same matplotlib.
    """
    file = BytesIO()
    figure.savefig(file, format="png", dpi=2 * DPI, metadata={"Software": None})
    return file.getvalue()
