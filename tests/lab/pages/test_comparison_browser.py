"""The page of a comparison in a browser: order, search, differences, keys, a narrow screen."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from longsum.evaluation.metrics.significance import Interval
from longsum.lab.pages.comparison_page import render_comparison
from longsum.lab.pages.comparison_view import ExampleView, Lead, Passage

from .test_comparison_page import view as whole

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Visit = Callable[..., Any]
HOSTILE = '<img src=x onerror="alert(1)"></script><script>alert(2)</script>'
SAME, ALONE = "Dams held the water back.", "Nobody knows why levees break."
ONE, OTHER = "Rivers flood two towns every spring.", "Rivers flood ten towns every spring."
VALUES = [[1.0, 3.0, 2.0], [5.0, 4.0, float("nan")], [0.0, 0.0, 0.0]]


def text(*sentences: str) -> list[Passage]:
    return [Passage(sentences)]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a page of three documents and systems; the last document lacks one score."""
    plain = whole(3)
    score = replace(
        plain.scores[0],
        values=VALUES,
        estimates=[Interval(2, 1, 3)] * 3,
        leads=[None, Lead(1, 0.5), Lead(-1, 0.01)],
        letters=(),
    )
    examples = [
        ExampleView(
            f"{name} {HOSTILE}",
            [text("A reference.")],
            [text(SAME, ONE), text(OTHER, ALONE, SAME), text(SAME, name)],
        )
        for name in ("Ada", "Bea", "Cleo")
    ]
    systems = ("lead", "graph", f"x {HOSTILE}")
    view = replace(plain, systems=systems, scores=[score], examples=examples)
    made = tmp_path_factory.mktemp("pages") / "comparison.html"
    made.write_text(render_comparison(view), encoding="utf-8")
    return made


@pytest.fixture
def page(visit: Visit, path: Path) -> Any:
    return visit(path.as_uri())


def titles(page: Any) -> list[str]:
    shown = page.locator("#examples .example:not([hidden]) > summary > bdi").all_text_contents()
    return [title.split()[0] for title in shown]


def test_examples_are_sorted_by_a_score_of_a_system_or_by_the_difference(page: Any) -> None:
    page.select_option("#order", label="rouge1")
    page.select_option("#whose", label="lead")
    assert titles(page) == ["Bea", "Cleo", "Ada"]
    page.check("#rising")
    assert titles(page) == ["Ada", "Cleo", "Bea"]
    page.uncheck("#rising")
    # lead less graph: −4, −1, none, which comes last.
    page.select_option("#whose", "lead")
    assert titles(page) == ["Bea", "Ada", "Cleo"]
    first = page.locator(".sorted").first.text_content()
    assert first == "rouge1: lead 3.00 · graph 4.00"
    page.select_option("#order", "")
    assert titles(page) == ["Ada", "Bea", "Cleo"]


def test_examples_are_searched(page: Any) -> None:
    page.fill("#search", "bEA")
    assert titles(page) == ["Bea"]
    assert page.locator("#found").text_content() == "1 of 3 shown."
    # Names of systems are in every example.
    page.fill("#search", "graph")
    assert titles(page) == []


def test_differences_are_marked_by_sentence_and_by_word(page: Any) -> None:
    page.locator(".example > summary").first.click()
    example = page.locator(".example").first
    assert example.locator("mark").all_text_contents() == ["two", "ten"]
    assert example.locator(".alone").all_text_contents() == [ALONE]
    assert example.locator(".system:visible").count() == 2
    page.select_option("#second", "0")
    assert example.locator("mark, .alone").count() == 0
    page.check("#all")
    assert example.locator(".system:visible").count() == 3
    page.uncheck("#all")
    page.select_option("#first", "1")
    # The first of the two is on the left.
    left, right = (example.locator(f'.system[data-system="{place}"]') for place in "10")
    assert left.bounding_box()["x"] < right.bounding_box()["x"]
    assert left.locator("span").all_text_contents() == [OTHER, ALONE, SAME]


def test_keys_lead_through_the_examples(page: Any) -> None:
    focused = "document.activeElement.parentElement.id"
    for key, place in (("n", 1), ("n", 2), ("p", 1)):
        page.keyboard.press(key)
        assert page.evaluate(focused) == f"e-{place}"
    page.keyboard.press("Enter")
    assert page.locator("#e-1").get_attribute("open") is not None
    page.keyboard.press("/")
    page.keyboard.type("n")
    assert page.locator("#search").input_value() == "n"


def test_an_address_opens_an_example(path: Path, page: Any) -> None:
    page.goto(path.as_uri() + "#e-2")
    assert page.locator("#e-2").get_attribute("open") is not None


def test_a_narrow_screen_and_no_script(visit: Visit, path: Path) -> None:
    page = visit(path.as_uri(), 360)
    page.locator(".example > summary").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page = visit(path.as_uri(), 360, java_script_enabled=False)
    assert page.locator("#scores").is_visible()
    assert page.locator(".tools").is_hidden()
    page.locator(".example > summary").first.click()
    assert page.locator(".own").first.is_visible()
    assert page.locator(".system:visible").count() == 3
