"""Charts as files: their names, kinds, sizes and bytes, and the message without matplotlib."""

import struct
import sys
from dataclasses import replace

import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.metrics.significance import Interval
from longsum.lab.pages import figures
from longsum.lab.pages.comparison_view import ComparisonView, ScoreView
from longsum.lab.pages.figures import comparison_figures, render_positions

ESTIMATES = [Interval(1, 0, 2)] * 2
SCORE = ScoreView("meteor", "meteor", "words", "higher", [range(9), range(9)], ESTIMATES, [None])
VIEW = ComparisonView(
    "a set",
    "document",
    ("$lead$", "graph"),
    [SCORE],
    range(100, 109),
    [],
    {"references": [Interval(tenth / 10, 0, 1) for tenth in range(1, 11)]},
    [],
    [],
    [],
)


@pytest.mark.slow
def test_each_chart_is_a_pdf_and_an_svg_with_the_same_bytes_each_time() -> None:
    pytest.importorskip("matplotlib")
    found = dict(comparison_figures(VIEW))
    assert set(found) == {
        f"{name}.{form}" for name in ("meteor", "positions") for form in ("pdf", "svg")
    }
    assert found["meteor.pdf"].startswith(b"%PDF")
    assert b"words of the document" in found["meteor.svg"]
    # A name is no formula.
    assert b">$lead$</text>" in found["meteor.svg"]
    assert next(comparison_figures(VIEW)) == ("meteor.pdf", found["meteor.pdf"])


def test_positions_are_drawn_if_they_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    drawn = []
    monkeypatch.setattr(
        figures, "written", lambda figure, form: drawn.append(figure) or form.encode()
    )
    for positions, names in ((VIEW.positions, ["meteor", "positions"]), ({}, ["meteor"])):
        found = list(comparison_figures(replace(VIEW, positions=positions)))
        forms = ("pdf", "svg")
        assert found == [(f"{name}.{form}", form.encode()) for name in names for form in forms]
    score, _, positions, *_ = drawn
    labels = [[(axes.get_xlabel(), axes.get_ylabel()) for axes in each.axes] for each in drawn[:3]]
    assert labels[0] == labels[1] == [("", "meteor"), ("words of the document", "mean meteor")]
    assert labels[2] == [("% of the document", "% of the salient n-grams")]
    assert [each.get_text() for each in score.axes[1].get_legend().texts] == ["$lead$", "graph"]
    assert [each.get_text() for each in score.axes[0].get_xticklabels()] == ["$lead$", "graph"]
    assert [each.get_title() for each in positions.axes] == ["bigrams"]


def test_without_matplotlib_the_error_names_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("matplotlib", "matplotlib.figure", "matplotlib.backends.backend_agg"):
        monkeypatch.setitem(sys.modules, name, None)
    for draw in (lambda: next(comparison_figures(VIEW)), lambda: render_positions({"a": {}})):
        with pytest.raises(LongsumError, match=r"pip install 'longsum\[plots\]'"):
            draw()


LINE = [(tenth / 10, tenth / 10 - 0.05, tenth / 10 + 0.05) for tenth in range(1, 11)]


def test_a_panel_for_each_size() -> None:
    pytest.importorskip("matplotlib")
    both = render_positions({"unigrams": {"a": LINE}, "bigrams": {"a": LINE, "b": LINE}})
    one = render_positions({"bigrams": {"a": LINE}})
    widths = [struct.unpack(">II", picture[16:24])[0] for picture in (one, both)]
    assert widths == [880, 1760]
    assert render_positions({"bigrams": {"a": LINE}}) == one
    drawn = render_positions({"bigrams": {"$a$": LINE}}, "svg")
    assert b"% of the document</text>" in drawn
    assert b">$a$</text>" in drawn
