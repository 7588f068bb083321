"""Figures as PNG, PDF and SVG files, with matplotlib if it is installed."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from tempfile import TemporaryDirectory
from typing import Any, Literal

from longsum.extras import missing_extras_explained

VectorFormat = Literal["pdf", "svg"]
PlotFormat = Literal["png", "pdf", "svg"]
DPI = 96
MARKS = "os^Dvx"
"""Marks of lines, one for each."""
_HOME = "MPLCONFIGDIR"


def new_figure(width: float, height: float) -> Any:
    """Return an empty white figure of a size in pixels.

    Raises:
        LongsumError: matplotlib is not installed.
    """
    with missing_extras_explained(), _nothing_kept():
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


@contextmanager
def _nothing_kept() -> Iterator[None]:
    """Let matplotlib load without settings and a list of fonts in the home folder.

    It changes nothing if the user has said where they are, or if it is already loaded.
    """
    if "matplotlib" in sys.modules or _HOME in os.environ:
        yield
        return
    with TemporaryDirectory() as folder:
        os.environ[_HOME] = folder
        try:
            yield
        finally:
            del os.environ[_HOME]


def to_png(figure: Any) -> bytes:
    """Return a figure as a PNG file at twice the screen resolution.

    The same figure gives the same bytes with the same version of matplotlib.
    """
    file = BytesIO()
    figure.savefig(file, format="png", dpi=2 * DPI, metadata={"Software": None})
    return file.getvalue()


def to_vector(figure: Any, form: VectorFormat) -> bytes:
    """Return a figure as a file for papers, with text that can be selected, and no date.

    The same figure gives the same bytes with the same version of matplotlib.
    """
    from matplotlib import rc_context

    file = BytesIO()
    dates = {"pdf": "CreationDate", "svg": "Date"}
    settings: Any = {"pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "longsum"}
    with rc_context(settings):
        figure.savefig(file, format=form, metadata={dates[form]: None})
    return file.getvalue()


def written(figure: Any, form: PlotFormat) -> bytes:
    """Return a figure as a file; see `to_png` and `to_vector`."""
    return to_png(figure) if form == "png" else to_vector(figure, form)
