"""The page in a browser: clicks, keys, the slider, hostile texts, a narrow screen, no script."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from longsum.core.pages import render_html
from longsum.core.summaries import NestedSummaries
from longsum.core.summaries.summary import Importance
from longsum.documents import Document

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path, ladder: NestedSummaries) -> Iterator[Open]:
    """Open a ladder's page from a file; what it complains of or asks fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_it(shown: NestedSummaries = ladder, width: int = 1280, **options: Any) -> Any:
        path = tmp_path / "report.html"
        path.write_text(render_html(shown), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 740}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: (complaints.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: complaints.extend(_far(request)))
        page.goto(path.as_uri())
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []


def _far(request: Any) -> list[str]:
    return [] if request.url.startswith(("file:", "data:")) else [request.url]


def shown(page: Any) -> list[str]:
    texts = page.locator("#sentences li:not([hidden]) .text")
    return [text for text in texts.all_text_contents() if text]


def marked(page: Any) -> str:
    return page.locator(".source.current").text_content()


def in_view(page: Any, selector: str) -> bool:
    box = page.locator(selector).first.bounding_box()
    size = page.viewport_size
    return bool(box) and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def slide_to(page: Any, rung: int) -> None:
    page.locator("#length").fill(str(rung))


def test_click_marks_exactly_the_source(
    open_page: Open, ladder: NestedSummaries, document: Document
) -> None:
    page = open_page()
    for place, sentence in enumerate(ladder.summaries[1].sentences):
        page.locator("#sentences li:not([hidden]) .say").nth(place).click()
        source = sentence.sources[0]
        assert marked(page) == document.text[source.start : source.end]
        assert page.locator(".source.current").get_attribute("id") == f"s-{source.sentence}"
        assert in_view(page, ".source.current")


def test_source_leads_back_to_the_sentence(open_page: Open, ladder: NestedSummaries) -> None:
    page = open_page()
    slide_to(page, 2)
    badges = page.locator(".badge:not([hidden])")
    assert badges.all_text_contents() == ["1", "2", "3", "4", "5"]
    for place, sentence in enumerate(ladder.summaries[2].sentences):
        badges.nth(place).click()
        assert page.locator("li.current .text").text_content() == sentence.text
        assert in_view(page, "li.current .text")
    page.locator("#s-0").click()  # the marked text itself, not only its badge
    assert page.locator("li.current").get_attribute("id") == "k-0"


def test_slider_extends_the_summary(open_page: Open, ladder: NestedSummaries) -> None:
    page = open_page()
    former: set[str] = set()
    for place, rung in enumerate(ladder.summaries):
        slide_to(page, place)
        assert shown(page) == [sentence.text for sentence in rung.sentences]
        assert former <= set(shown(page))
        former = set(shown(page))
        numbers = page.locator("#sentences li:not([hidden]) .number").all_text_contents()
        assert numbers == [str(number + 1) for number in range(len(rung.sentences))]
        label = page.locator("#reached").text_content()
        assert f"{len(rung.sentences)} reached, {rung.words} words" in label
        assert page.locator("#length").get_attribute("aria-valuetext") == label
        assert page.locator(".source.used").count() == len(rung.sentences)
        assert page.locator(".tick:not(.off)").count() == len(rung.sentences)


def test_keys(open_page: Open, ladder: NestedSummaries) -> None:
    page = open_page()
    texts = [sentence.text for sentence in ladder.summaries[1].sentences]
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert page.locator("li.current .text").text_content() == texts[1]
    page.keyboard.press("p")
    assert page.locator("li.current .text").text_content() == texts[0]
    page.keyboard.press("p")  # nothing stands before the first
    assert page.locator("li.current .text").text_content() == texts[0]
    page.keyboard.press("Enter")
    assert marked(page) == texts[0]
    assert page.locator(":focus").get_attribute("class") == "badge"
    page.keyboard.press("Enter")
    assert page.locator(":focus").get_attribute("class") == "say"
    page.locator("#length").focus()
    page.keyboard.press("ArrowRight")
    assert len(shown(page)) == 5


def test_reasons_are_named_and_readable(open_page: Open) -> None:
    page = open_page()
    why = page.locator("#k-0 .why")
    name = why.locator("summary").get_attribute("aria-label")
    assert name == "Score 0.485: topics 0.400, redundancy −0.040, novelty 0.125"
    why.locator("summary").click()
    assert why.locator("tr").all_text_contents() == [
        "topics0.400",
        "redundancy−0.040",
        "novelty0.125",
        "score0.485",
    ]
    zero = float(why.locator(".zero").get_attribute("x").rstrip("%"))
    against = why.locator("svg .reason-2").first
    start, width = (float(against.get_attribute(name).rstrip("%")) for name in ("x", "width"))
    assert start + width == pytest.approx(zero)  # what speaks against it lies left of zero
    why.get_by_text("this sentence").click()
    assert page.locator(".source.current").get_attribute("id") == "s-83"


def test_map_shades_and_leads(open_page: Open) -> None:
    page = open_page()
    cells = page.locator(".map > svg > a")
    findings = cells.nth(1)
    # Of 24 words, 19 come from the second section.
    assert findings.get_attribute("aria-label").endswith("79% of the summary")
    slide_to(page, 0)
    assert findings.get_attribute("aria-label").endswith("100% of the summary")
    cells.nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert in_view(page, "#sec-3 h3")


def test_copy_takes_the_citation_along(open_page: Open) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.locator("#k-0 .copy").click()
    page.locator("#status").get_by_text("Copied").wait_for(state="attached")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "“The opening names the matter.” (§1 Opening text, p. 1)"


def test_narrow_screen(open_page: Open, ladder: NestedSummaries) -> None:
    page = open_page(width=360)
    width = "document.documentElement.scrollWidth"
    slide_to(page, 2)
    score, button = (page.locator(f"#k-0 .{part}").bounding_box() for part in ("score", "copy"))
    assert score["x"] + score["width"] <= button["x"]
    page.locator("#k-0 .why summary").click()
    for fold in page.locator(".fold > summary").all():
        fold.click()
    assert page.evaluate(width) <= 360
    page.locator("#k-1 .say").click()
    assert marked(page) == ladder.summaries[2].sentences[1].text
    assert in_view(page, ".source.current")
    assert not page.locator("#summary").is_visible()
    assert page.evaluate(width) <= 360
    page.locator(".badge", has_text="2").click()
    assert in_view(page, "#k-1 .text")


def test_without_script(open_page: Open, ladder: NestedSummaries) -> None:
    page = open_page(java_script_enabled=False)
    assert shown(page) == [sentence.text for sentence in ladder.summaries[1].sentences]
    assert not page.locator("#slider").is_visible()
    page.locator("#sentences li:not([hidden]) .say").nth(1).click()
    assert in_view(page, "#s-2")
    assert page.locator("article").get_by_text("Case 40 was closed.").count() == 1
    page.locator("a[href='#k-1']").click()
    assert in_view(page, "#k-1 .text")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_rung_shows_no_slider(open_page: Open, make_ladder: Any, scheme: str) -> None:
    page = open_page(make_ladder(sizes=(3,), start=0), color_scheme=scheme)
    assert not page.locator("#slider").is_visible()
    assert len(shown(page)) == 3


def test_shades_come_and_go_with_the_space_key_and_without_a_script(
    open_page: Open, ladder: NestedSummaries, document: Document
) -> None:
    known = Importance("a test", tuple(float(n) for n in range(len(document.sentences))))
    rungs = tuple(replace(rung, importance=known) for rung in ladder.summaries)
    for script in (True, False):
        page = open_page(replace(ladder, summaries=rungs), java_script_enabled=script)
        darkest, box = page.locator("article .heat-5").first, page.locator("#heat")
        colour = "element => getComputedStyle(element).backgroundColor"
        nothing = "rgba(0, 0, 0, 0)"
        assert darkest.evaluate(colour) == nothing
        box.focus()
        page.keyboard.press("Space")
        assert darkest.evaluate(colour) != nothing
        box.uncheck()
        assert darkest.evaluate(colour) == nothing


def test_labels_of_the_map_keep_their_words_at_any_width(open_page: Open) -> None:
    page = open_page()
    for width in (1280, 900, 700, 420):
        page.set_viewport_size({"width": width, "height": 740})
        page.wait_for_timeout(50)
        labels = page.locator(".cell text").evaluate_all(
            "texts => texts.map(t => [t.dataset.label, t.textContent, t.getComputedTextLength(),"
            " t.parentElement.querySelector('rect').getBoundingClientRect().width])"
        )
        assert labels
        for label, shown_label, length, room in labels:
            kept = shown_label.removesuffix("…").split(" ") if shown_label else []
            assert label.split(" ")[: len(kept)] == kept
            assert length <= room


def test_a_source_that_left_the_summary_loses_its_colour(open_page: Open) -> None:
    page = open_page()
    slide_to(page, 2)
    page.locator("#sentences li:not([hidden]) .say").last.click()
    assert page.locator(".source.current").count() == 1
    left = page.locator(".source.current").get_attribute("id")
    slide_to(page, 0)
    assert page.locator(f"#{left}.used").count() == 0
    assert page.locator(".source.current, .tick.current, li.current").count() == 0


def test_the_address_leads_back_to_the_selection(open_page: Open, ladder: NestedSummaries) -> None:
    page = open_page()
    slide_to(page, 2)
    assert page.url.endswith("#length-2")
    page.locator("#sentences li:not([hidden]) .say").nth(1).click()
    address, chosen = page.url, page.locator("li.current").get_attribute("id")
    assert address.endswith(f"#{chosen},length-2")
    marked_source = marked(page)
    page.goto("about:blank")
    page.goto(address)
    assert page.locator("li.current").get_attribute("id") == chosen
    assert marked(page) == marked_source
    assert shown(page) == [sentence.text for sentence in ladder.summaries[2].sentences]
    slide_to(page, ladder.start)
    page.goto(address.split("#")[0] + "#k-999,length-7")
    assert len(shown(page)) == len(ladder.summaries[ladder.start].sentences)


def test_the_reading_view_has_no_marks(open_page: Open) -> None:
    page = open_page()
    page.locator("#sentences li:not([hidden]) .say").first.click()
    before = shown(page)
    page.locator("#plain").click()
    for marks in (".tools", ".number", ".badge", "#legend"):
        assert not any(each.is_visible() for each in page.locator(marks).all())
    assert shown(page) == before
    # The sentences of a section stand in one line of text, as a paragraph does.
    tops = page.locator("#sentences li:not([hidden])").evaluate_all(
        "items => items.map(item => getComputedStyle(item).display)"
    )
    assert set(tops) == {"inline"}
    page.locator("#plain").click()
    assert page.locator(".number").first.is_visible()


def test_copy_all_copies_what_is_shown(open_page: Open, ladder: NestedSummaries) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.locator("#copy-all").click()
    page.wait_for_selector("#copy-all:text('Copied')")
    cited = page.evaluate("navigator.clipboard.readText()")
    texts = [sentence.text for sentence in ladder.summaries[ladder.start].sentences]
    assert all(text in cited for text in texts)
    assert "(§" in cited
    page.wait_for_selector("#copy-all:text('Copy all')")
    page.locator("#plain").click()
    page.locator("#copy-all").click()
    page.wait_for_selector("#copy-all:text('Copied')")
    plain = page.evaluate("navigator.clipboard.readText()")
    assert plain.replace("\n\n", " ") == " ".join(texts)
