"""The page of a table's report in a browser: lighting, keys, an edited plan, hostile texts."""

import json

import pytest

from longsum.tables import Entity, Plan, RecordType, Table, make_table
from longsum.tables.plan import parse_plan
from longsum.tables.table_page import render_table
from longsum.tables.templates import realize

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HOSTILE = '<img src=x onerror="alert(1)"></script><script>alert(2)</script>'


@pytest.fixture(scope="module")
def table() -> Table:
    size, age = (RecordType(name, name, ranked=True) for name in ("size", "age"))
    rows = [Entity(name, "thing") for name in ("Ada", f"Bea {HOSTILE}", "Cleo")]
    return make_table(
        (row, type_, str(10 * place + number))
        for place, row in enumerate(rows)
        for number, type_ in enumerate((size, age))
    )


@pytest.fixture
def page(visit, table: Table, tmp_path):
    """The page of two sentences: sizes of all, and age and size of the first."""
    path = tmp_path / "report.html"
    report = realize(table, Plan(((4, 2, 0), (0, 1))))
    path.write_text(render_table(report), encoding="utf-8")
    return visit(path.as_uri())


def planned(page, table: Table) -> list[list[int]]:
    plan = parse_plan(page.locator("#json").input_value(), table)
    return [list(sentence) for sentence in plan.sentences]


def test_a_number_lights_its_cell_and_the_other_way_round(page) -> None:
    told = page.locator('#text .told[data-records="2"]').last
    told.hover()
    assert page.locator("td.lit").all_text_contents() == ["10"]
    page.locator('td[data-records="0"]').hover()
    assert page.locator("td.lit").all_text_contents() == ["0"]
    assert set(page.locator("#text .lit").all_text_contents()) >= {"0"}
    page.mouse.move(0, 0)
    assert page.locator(".lit").count() == 0


def test_keys_lead_over_and_back(page) -> None:
    page.locator('#text .told[data-records="2"]').last.focus()
    page.keyboard.press("Enter")
    focused = "document.activeElement.tagName + document.activeElement.dataset.records"
    assert page.evaluate(focused) == "TD2"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "TD3"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert page.evaluate(focused) == "SPAN2"


def test_a_plan_is_edited_by_keys_and_undone(page, table: Table) -> None:
    assert planned(page, table) == [[4, 2, 0], [0, 1]]
    page.locator("#plan .entry").first.focus()
    page.keyboard.press("ArrowRight")
    assert planned(page, table) == [[2, 4, 0], [0, 1]]
    page.keyboard.press("ArrowDown")
    assert planned(page, table) == [[2, 0], [0, 1, 4]]
    page.keyboard.press("Delete")
    assert planned(page, table) == [[2, 0], [0, 1]]
    for _ in range(3):
        page.locator("#undo").click()
    assert planned(page, table) == [[4, 2, 0], [0, 1]]
    assert page.locator("#undo").is_disabled()


def test_entries_are_dragged_and_cells_added(page, table: Table) -> None:
    entries = page.locator("#plan .entry")
    entries.nth(0).drag_to(entries.nth(4))
    assert planned(page, table) == [[2, 0], [0, 4, 1]]
    page.locator("#add-sentence").click()
    page.locator('td[data-records="5"]').click()
    page.locator("#add-cell").click()
    assert planned(page, table) == [[2, 0], [0, 4, 1], [5]]
    page.locator("#plan .entry button").first.click()
    assert planned(page, table)[0] == [0]


def test_a_plan_can_be_saved_and_reported(page, table: Table, tmp_path) -> None:
    page.locator("#plan .entry button").nth(1).click()
    with page.expect_download() as download:
        page.locator("#save").click()
    assert download.value.suggested_filename == "plan.json"
    download.value.save_as(tmp_path / "plan.json")
    text = (tmp_path / "plan.json").read_text(encoding="utf-8")
    assert len(json.loads(text)["sentences"]) == 2
    report = realize(table, parse_plan(text, table))
    assert report.sentences[0].text == "The size is 20 for Cleo and 0 for Ada."
