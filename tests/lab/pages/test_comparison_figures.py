"""The charts of a comparison as files: their names, kinds and bytes."""

import sys

import pytest

from longsum.common.errors import LongsumError
from longsum.lab.pages.comparison_view import ComparisonView, Estimate, ScoreView
from longsum.lab.pages.figures import comparison_figures

ESTIMATES = [Estimate(1, 0, 2)] * 2
SCORE = ScoreView("meteor", "meteor", "words", "higher", [range(9), range(9)], ESTIMATES, [None])
VIEW = ComparisonView(
    "a set",
    "document",
    ("$lead$", "graph"),
    [SCORE],
    range(100, 109),
    [],
    {"references": [Estimate(tenth / 10, 0, 1) for tenth in range(1, 11)]},
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


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.figure", "matplotlib.backends.backend_agg"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(LongsumError, match=r"longsum\[plots\]"):
        next(comparison_figures(VIEW))
