"""The page of a table's report, as markup."""

import re
from html import unescape

import pytest

from longsum.tables import Entity, Plan, RecordType, make_table
from longsum.tables.report import Report
from longsum.tables.table_page import MOST_ROWS, render_table
from longsum.tables.templates import realize

HOSTILE = '<img src=x onerror="alert(1)"></script><script>alert(2)</script>'


@pytest.fixture
def hostile_report() -> Report:
    kind = RecordType(f"size {HOSTILE}", f"size {HOSTILE}", ranked=True, unit=HOSTILE)
    note = RecordType("note", "note", kind="text")
    things = [Entity(f"{name} {HOSTILE}", f"thing {HOSTILE}", of=HOSTILE) for name in "ab"]
    cells = [(thing, kind, str(size)) for size, thing in enumerate(things)]
    cells.append((things[0], note, HOSTILE))
    return realize(make_table(cells, title=f"Title {HOSTILE} $policy"), Plan(((0, 1), (2, 1))))


def text_of(page: str) -> str:
    (found,) = re.findall(r'<div id="text">\n<p>(.*?)</p>\n</div>', page, re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "", found))


def test_the_text_is_that_of_the_report(hostile_report: Report) -> None:
    page = render_table(hostile_report)
    assert text_of(page) == hostile_report.text
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert "alert(2)" in unescape(page)


def test_a_page_loads_nothing_and_is_the_same_each_time(hostile_report: Report) -> None:
    page = render_table(hostile_report)
    assert page == render_table(hostile_report)
    assert "default-src 'none'" in page
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)


def test_of_a_large_table_the_first_rows_and_the_reported_ones_are_shown() -> None:
    kind = RecordType("size", "size", ranked=True)
    table = make_table((Entity(f"row {n}", "row"), kind, str(n)) for n in range(10_000))
    page = render_table(realize(table, Plan(((9_999,),))))
    assert page.count("<tr>") == MOST_ROWS + 2
    assert f"{MOST_ROWS + 1} of 10,000 rows shown" in page
    assert len(page) < 200_000


def test_the_page_is_the_same_as_before(hostile_report, as_before) -> None:
    as_before("table", render_table(hostile_report))
