"""Figures as PNG, PDF and SVG files, with matplotlib if it is installed."""

import os
from io import BytesIO
from tempfile import TemporaryDirectory
from typing import Any, Literal

from longsum.common.extras import missing_extras_explained

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
    with missing_extras_explained(), TemporaryDirectory() as folder:
        # While it loads, matplotlib would leave a list of fonts in the home folder.
        kept = os.environ.setdefault(_HOME, folder)
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        if kept == folder:
            del os.environ[_HOME]
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


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
