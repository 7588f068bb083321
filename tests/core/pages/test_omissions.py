from collections.abc import Callable

from longsum.core.pages import render_html
from longsum.core.pages.document_pane import Omissions
from longsum.core.summaries import NestedSummaries
from longsum.documents.model import Omission
from longsum.documents.readers import read_bytes


def _folded(markup: list[str]) -> list[str]:
    return [part.split("<summary>")[1].split("</summary>")[0] for part in markup]


def test_parts_come_once_in_the_order_of_the_text() -> None:
    left_out = Omissions(
        [
            Omission("menu", "Home", 0),
            Omission("table", "a\tb", 10),
            Omission("contents line", "1 Aims", 10),
            Omission("contents line", "2 Means", 10),
            Omission("picture", "", 12),
            Omission("code block", "x < y", 20),
        ]
    )
    assert _folded(list(left_out.before(0))) == []
    assert _folded(list(left_out.before(11))) == [
        "menu, left out",
        "table, left out",
        "2 contents lines, left out",
    ]
    rest = list(left_out.before(float("inf")))
    assert _folded(rest) == ["code block, left out"]
    assert "<pre>x &lt; y</pre>" in rest[0]


def test_a_long_part_is_cut() -> None:
    (markup,) = Omissions([Omission("table", "x" * 30_000, 0)]).before(1)
    assert len(markup) < 21_000


def test_code_stands_in_its_place_on_the_page(make_ladder: Callable[..., NestedSummaries]) -> None:
    text = b"# Floods\n\nThe river rose in spring.\n\n```\nrise(river)\n```\n\nThe dam held.\n"
    document = read_bytes(text, "a.md")
    page = render_html(make_ladder(order=(0, 1), sizes=(1,), start=0, of=document))
    places = [page.rindex(words) for words in ("in spring.", "rise(river)", "The dam held.")]
    assert places == sorted(places)
