"""The plot of salient content: its size, and one sentence without matplotlib."""

import struct
import sys

import pytest

from longsum.common.errors import LongsumError
from longsum.lab.pages.figures import render_positions

LINE = [(tenth / 10, tenth / 10 - 0.05, tenth / 10 + 0.05) for tenth in range(1, 11)]


def test_a_panel_for_each_size() -> None:
    pytest.importorskip("matplotlib")
    both = render_positions({"unigrams": {"a": LINE}, "bigrams": {"a": LINE, "b": LINE}})
    one = render_positions({"bigrams": {"a": LINE}})
    widths = [struct.unpack(">II", picture[16:24])[0] for picture in (one, both)]
    assert widths == [880, 1760]
    assert render_positions({"bigrams": {"a": LINE}}) == one
    drawn = render_positions({"bigrams": {"a": LINE}}, "svg")
    assert b"% of the document</text>" in drawn


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.figure", "matplotlib.backends.backend_agg"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(LongsumError, match=r"longsum\[plots\]"):
        render_positions({"bigrams": {"a": LINE}})
