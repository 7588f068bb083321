"""The section map: widths are words, and there are never more cells than can be seen."""

from dataclasses import replace

import lxml.html
import pytest

from document_views import document_of
from longsum.core.pages.lengths_view import LengthsView
from longsum.core.pages.section_map import lay_out, render_map


def test_widths_are_shares_of_words(make_ladder) -> None:
    document = document_of(
        ("# One", ["Two words."]),
        ("## Under one", ["Four words stand here."]),
        ("# Two", ["Two words.", "Two more."]),
        title="Widths",
    )
    view = LengthsView.of(make_ladder(order=(0,), sizes=(1,), start=0, of=document))
    layout = lay_out(view)
    # 2 + 4 + 2 + 2 = 10 words; section 0 with its child holds 6, the child starts after 2.
    cells = [(cell.row, cell.sections, cell.start, cell.width) for cell in layout.cells]
    assert cells == [
        (0, (0,), 0, pytest.approx(60)),
        (0, (2,), pytest.approx(60), pytest.approx(40)),
        (1, (1,), pytest.approx(20), pytest.approx(40)),
    ]
    assert layout.words == 10
    assert layout.chain(view, 1) == [2, 0]


def test_lengths_in_different_orders_are_shown_one_after_another(make_ladder) -> None:
    ladder = make_ladder()
    view = LengthsView.of(ladder)
    assert view.in_order
    assert [line.rungs for line in view.lines] == [(1, 2), (0, 1, 2), (1, 2), (2,), (2,)]
    first, *others, last = ladder.summaries
    turned = replace(last, sentences=last.sentences[::-1])
    view = LengthsView.of(replace(ladder, summaries=(first, *others, turned)))
    assert not view.in_order
    assert [line.rungs for line in view.lines] == [(0,), *[(1,)] * 3, *[(2,)] * 5]


def test_many_sections_share_cells(make_ladder) -> None:
    sections = ((f"{'#' * (1 + n % 4)} Section {n}", [f"Sentence {n}."]) for n in range(1000))
    document = document_of(*sections, title="Many")
    view = LengthsView.of(make_ladder(of=document))
    layout = lay_out(view)
    # Each heading of the first row has 0.4 % of the words.
    assert [cell.row for cell in layout.cells] == [0]
    assert sum(cell.words for cell in layout.cells if cell.row == 0) == layout.words == 2000
    assert all(layout.chain(view, section.number) for section in document.walk())
    # Half a percent is visible.
    document = document_of(
        *(("# Section", ["word " * words]) for words in (198, 1, 1)), title="Three"
    )
    layout = lay_out(LengthsView.of(make_ladder(order=(0,), sizes=(1,), start=0, of=document)))
    assert [cell.width for cell in layout.cells] == [99, 0.5, 0.5]


def test_a_label_is_cut_between_words(make_ladder) -> None:
    titles = ("A heading of many extraordinarily long words to read", "Short", "Next")
    sections = ((f"# {title}", [f"{title} has a sentence of its own."]) for title in titles)
    document = document_of(*sections, title="Labels")
    ladder = make_ladder(order=(0, 1, 2), sizes=(1, 2, 3), of=document)
    view = LengthsView.of(ladder)
    drawn = lxml.html.fromstring(render_map(view, lay_out(view)))
    labels = {text.get("data-label"): text.text or "" for text in drawn.iter("text")}
    # About half of the width is as many as 46 letters.
    long = "A heading of many extraordinarily long words to read"
    assert labels == {long: f"{long[:44]}…", "Short": "Short", "Next": "Next"}
