"""The page in a browser: clicks, keys, the slider, hostile texts, a narrow screen, no script."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from longsum.core.pages import render_html
from longsum.core.summaries import NestedSummaries
from longsum.core.summaries.sentence import Doubt
from longsum.core.summaries.summary import Importance
from longsum.documents import Document, DocumentBuilder

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., Any]


@pytest.fixture
def open_page(visit: Open, tmp_path, ladder: NestedSummaries) -> Open:
    """Write a ladder's page to a file and open it."""

    def open_it(shown: NestedSummaries = ladder, **options: Any) -> Any:
        path = tmp_path / "report.html"
        path.write_text(render_html(shown), encoding="utf-8")
        return visit(path.as_uri(), **options)

    return open_it


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


def test_a_click_marks_exactly_the_source_and_a_click_there_leads_back(
    open_page, ladder, document
) -> None:
    page = open_page()
    for place, sentence in enumerate(ladder.summaries[1].sentences):
        page.locator("#sentences li:not([hidden]) .say").nth(place).click()
        source = sentence.sources[0]
        assert marked(page) == document.text[source.start : source.end]
        assert page.locator(".source.current").get_attribute("id") == f"s-{source.sentence}"
        assert in_view(page, ".source.current")
    # And back to the sentence.
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
        spoken = page.locator("#length").get_attribute("aria-valuetext")
        assert spoken.startswith(f"{rung.words} words; ")
        assert page.locator(".source.used").count() == len(rung.sentences)
        assert page.locator("#rail i:not([hidden])").count() == len(rung.sentences)
    # A source that leaves the summary loses its colour.
    page.locator("#sentences li:not([hidden]) .say").last.click()
    assert page.locator(".source.current").count() == 1
    left = page.locator(".source.current").get_attribute("id")
    slide_to(page, 0)
    assert page.locator(f"#{left}.used").count() == 0
    assert page.locator(".source.current, #rail .current, li.current").count() == 0


def test_keys(open_page: Open, ladder: NestedSummaries) -> None:
    page = open_page()
    texts = [sentence.text for sentence in ladder.summaries[1].sentences]
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert page.locator("li.current .text").text_content() == texts[1]
    page.keyboard.press("p")
    assert page.locator("li.current .text").text_content() == texts[0]
    page.keyboard.press("p")  # there is nothing before the first
    assert page.locator("li.current .text").text_content() == texts[0]
    page.keyboard.press("Enter")
    assert marked(page) == texts[0]
    assert page.locator(":focus").get_attribute("class") == "badge"
    page.keyboard.press("Enter")
    assert page.locator(":focus").get_attribute("class") == "say"
    page.locator("#length").focus()
    page.keyboard.press("ArrowRight")
    assert len(shown(page)) == 5
    page.keyboard.press("[")
    assert page.locator("#length").input_value() == "1"
    page.keyboard.press("m")
    assert page.locator(":focus").get_attribute("id") == "document"
    page.keyboard.press("?")
    listed = page.locator("#keys dt").count()
    assert page.locator("#keys").is_visible()
    assert listed == page.evaluate("document.querySelectorAll('#keys dd').length") > 10
    page.keyboard.press("Escape")
    assert not page.locator("#keys").is_visible()


def test_reasons_are_shown_in_words_and_bars(open_page: Open) -> None:
    page = open_page()
    assert "0.4" not in page.locator("#sentences").inner_text()  # scores are only shown under "why"
    page.locator("#k-0 .say").hover()
    page.locator("#k-0 .ask").click()
    why = page.locator("#k-0 .why")
    assert why.locator("tr").all_text_contents() == [
        "topicsmuch for it0.400",
        "what it adds to the sentences chosen before itsome for it0.125",
        "redundancylittle against it−0.040",
        "together0.485",
    ]
    assert "What spoke most for it: topics. Against it: redundancy." in why.text_content()
    against = why.locator("svg .against")
    start, width = (float(against.get_attribute(name).rstrip("%")) for name in ("x", "width"))
    assert start + width == pytest.approx(50)  # negative shares are left of the line
    why.get_by_text("this sentence").click()
    assert page.locator(".source.current").get_attribute("id") == "s-83"
    page.locator("#back").click()
    page.keyboard.press("w")
    assert not why.is_visible()


def test_the_map_shades_sections_and_links_to_them(open_page: Open) -> None:
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
    # Its labels keep their words at any width.
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


def test_narrow_screen(open_page: Open, ladder: NestedSummaries) -> None:
    page = open_page(width=360)
    width = "document.documentElement.scrollWidth"
    slide_to(page, 2)
    page.keyboard.press("n")
    page.locator("#k-0 .ask").click()
    for fold in page.locator(".fold > summary").all():
        fold.click()
    assert page.evaluate(width) <= 360
    for sheet in (".coverage", ".menu"):
        page.locator(f"{sheet} > summary").click()
        box = page.locator(f"{sheet} .sheet").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        page.keyboard.press("Escape")
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
def test_a_single_length_shows_no_slider(open_page: Open, make_ladder: Any, scheme: str) -> None:
    page = open_page(make_ladder(sizes=(3,), start=0), color_scheme=scheme)
    assert not page.locator("#slider").is_visible()
    assert len(shown(page)) == 3


def test_shades_toggle_with_the_space_key_and_without_a_script(
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


def test_the_url_restores_the_selection(open_page: Open, ladder: NestedSummaries) -> None:
    page = open_page()
    slide_to(page, 2)
    assert page.url.endswith("#length-2")
    page.locator("#sentences li:not([hidden]) .say").nth(1).click()
    address, chosen = page.url, page.locator("li.current").get_attribute("id")
    assert address.endswith(f"#{chosen},length-2,document")
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
    page.keyboard.press("r")
    for marks in (".tools", ".number", ".badge", ".dose"):
        assert not any(each.is_visible() for each in page.locator(marks).all())
    assert shown(page) == before
    # The sentences of a section form one paragraph.
    tops = page.locator("#sentences li:not([hidden])").evaluate_all(
        "items => items.map(item => getComputedStyle(item).display)"
    )
    assert set(tops) == {"inline"}
    page.keyboard.press("r")
    assert page.locator(".number").first.is_visible()


def test_copies_take_their_citations_along(open_page: Open, ladder: NestedSummaries) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.locator("#k-0 .say").hover()
    page.locator("#k-0 .copy").click()
    page.locator("#status").get_by_text("Copied").wait_for(state="attached")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "“The opening names the matter.” (§1 Opening text, p. 1)"
    page.locator(".menu > summary").click()
    page.locator("#copy-all").click()
    page.wait_for_selector("#copy-all:text('Copied')", state="attached")
    cited = page.evaluate("navigator.clipboard.readText()")
    texts = [sentence.text for sentence in ladder.summaries[ladder.start].sentences]
    assert all(text in cited for text in texts)
    assert "(§" in cited
    page.wait_for_selector("#copy-all:text('Copy all')", state="attached")
    page.keyboard.press("r")
    page.locator(".menu > summary").click()
    page.locator("#copy-all").click()
    page.wait_for_selector("#copy-all:text('Copied')", state="attached")
    plain = page.evaluate("navigator.clipboard.readText()")
    assert plain.replace("\n\n", " ") == " ".join(texts)


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)])
def test_the_summary_begins_in_the_upper_fifth(open_page: Open, size: tuple[int, int]) -> None:
    page = open_page(width=size[0])
    page.set_viewport_size({"width": size[0], "height": size[1]})
    first = page.locator("#sentences li:not([hidden]) .text").first.bounding_box()
    assert first["y"] <= size[1] / 5


def scrolls(page: Any) -> list[float]:
    panes = "['summary', 'document'].map(id => document.getElementById(id).scrollTop)"
    return page.evaluate(f"[...{panes}, window.scrollY]")


@pytest.mark.parametrize("way", ["key", "button", "badge", "browser"])
@pytest.mark.parametrize("width", [1280, 360])
def test_the_way_back_is_exact_to_the_pixel(open_page: Open, way: str, width: int) -> None:
    page = open_page(width=width)
    page.set_viewport_size({"width": width, "height": 300})
    slide_to(page, 2)
    page.locator("#k-2 .say").scroll_into_view_if_needed()
    if width == 1280:
        page.evaluate("document.getElementById('document').scrollTop = 77")
    before = scrolls(page)
    assert any(before)
    page.locator("#k-2 .say").click()
    assert in_view(page, ".source.current")
    assert scrolls(page) != before
    if way == "key":
        page.keyboard.press("b")
    elif way == "button":
        page.locator("#back").click()
    elif way == "badge":
        page.locator(".badge[data-k='2']").click()
    else:
        page.evaluate("history.back()")
    page.wait_for_function("document.activeElement.closest('#k-2 .say')")
    page.wait_for_timeout(50)
    assert scrolls(page) == before
    assert page.locator("li.current").get_attribute("id") == "k-2"
    assert not page.locator("#back").is_visible()


def test_hovering_shows_the_source_in_its_paragraph(open_page: Open) -> None:
    page = open_page()
    slide_to(page, 2)
    page.locator("#k-3 .say").hover()
    card = page.locator("#preview")
    card.wait_for()
    assert card.locator("mark").text_content() == "The costs rose by a third."
    assert "Nobody had planned for that." in card.text_content()
    assert "Costs, p. 50" in card.locator(".where").text_content()
    assert page.locator("#k-3 .say").get_attribute("aria-describedby") == "preview"
    page.keyboard.press("Escape")
    assert not card.is_visible()
    page.locator("#k-4 .say").focus()
    page.locator("#k-4 .say").click()
    page.keyboard.press("b")
    page.evaluate("document.getElementById('document').scrollTop = 0")
    page.keyboard.press("v")
    assert card.locator("mark").text_content() == "The agency should plan ahead."


def test_a_source_shows_where_the_summary_uses_it(open_page: Open) -> None:
    page = open_page()
    page.set_viewport_size({"width": 1280, "height": 300})
    slide_to(page, 2)
    page.locator("#s-85").scroll_into_view_if_needed()
    page.locator("#s-85").hover()
    page.evaluate("document.getElementById('document').scrollTop -= 1")  # a scroll that ends late
    card = page.locator("#preview")
    card.wait_for()
    assert "In the summary, sentence 5" in card.text_content()
    assert card.locator("mark").text_content() == "The agency should plan ahead."
    page.locator("#s-85").click()
    assert page.locator("li.current").get_attribute("id") == "k-4"


def test_coverage_and_omissions_are_shown(open_page: Open) -> None:
    page = open_page()
    chip = page.locator("#coverage > summary")
    assert chip.text_content() == "Read 85 of 86 sentences · 1 note"
    chip.click()
    told = page.locator("#coverage .sheet").text_content()
    assert "The summary rests on 3 sentences, from 2 of 4 sections." in told
    assert "Two tables were left out." in told
    page.locator("#coverage .sheet a").click()
    assert in_view(page, "#sec-3 h3")


def test_a_doubt_leads_to_its_evidence(open_page: Open, ladder: NestedSummaries) -> None:
    doubt = Doubt("number", "missing", "cited", "41", 4, 11, sentence=30)
    rungs = tuple(
        replace(rung, sentences=(replace(rung.sentences[0], doubts=(doubt,)), *rung.sentences[1:]))
        for rung in ladder.summaries
    )
    page = open_page(replace(ladder, summaries=rungs))
    flagged = page.locator("#sentences li:has(> .doubts):not([hidden])").first
    assert "Check: the number 41 is not in the cited sentences" in flagged.text_content()
    assert flagged.locator(".text mark").count() == 1
    flagged.locator(".evidence").click()
    assert page.locator(".source.current").get_attribute("id") == "s-30"
    assert in_view(page, "#s-30")
    page.keyboard.press("b")
    assert page.locator(".source.current").get_attribute("id") != "s-30"
    assert flagged.locator(".say:focus").count() == 1


def test_a_section_can_have_more_or_fewer_sentences(open_page: Open) -> None:
    page = open_page()
    slide_to(page, 0)
    before = len(shown(page))
    page.keyboard.press("s")
    tree = page.locator("[role='tree']")
    assert tree.locator("[role='treeitem']").count() == 4
    advice = page.locator("#in-3")
    assert advice.locator("a").inner_text().split() == ["3.2", "Advice", "none", "of", "5", "words"]
    page.keyboard.press("End")
    assert page.locator(":focus").get_attribute("id") == "in-3"
    page.keyboard.press("+")
    page.keyboard.press("+")
    assert len(shown(page)) == before + 1
    assert "The agency should plan ahead." in shown(page)
    assert "adapted" in page.locator("#reached").text_content()
    assert advice.locator("a").inner_text().split() == ["3.2", "Advice", "5", "of", "5", "words"]
    address = page.url
    assert "section-3-2" in address
    page.goto("about:blank")
    page.goto(address)
    assert "The agency should plan ahead." in shown(page)
    page.keyboard.press("s")
    page.keyboard.press("End")
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert len(shown(page)) == before


def test_the_tree_of_sections_by_keyboard(open_page: Open) -> None:
    page = open_page()
    page.keyboard.press("s")
    focused = page.locator(":focus")
    page.keyboard.press("ArrowDown")
    assert focused.get_attribute("id") == "in-1"
    assert focused.get_attribute("aria-level") == "1"
    page.keyboard.press("ArrowLeft")
    assert focused.get_attribute("aria-expanded") == "false"
    assert not page.locator("#in-2").is_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert focused.get_attribute("id") == "in-2"
    page.keyboard.press("ArrowLeft")
    assert focused.get_attribute("id") == "in-1"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert in_view(page, "#sec-2 h4")
    assert not page.locator("#contents .sheet").is_visible()


def test_finding_words_in_summary_and_document(open_page: Open) -> None:
    page = open_page()
    page.keyboard.press("/")
    page.keyboard.type("rose by a third")
    places = page.locator("#find output")
    assert places.text_content() == "1 place"
    page.keyboard.press("Enter")
    assert places.text_content() == "1 of 1"
    assert in_view(page, "#s-83") or in_view(page, "#sec-2 p")
    page.keyboard.press("Escape")
    assert not page.locator("#find").is_visible()
    page.goto(page.url.split("#")[0] + "#find=Case%2040%20was%20closed")
    page.wait_for_function("document.querySelector('#find output').textContent === '1 of 1'")


@pytest.fixture
def three_hundred_pages(make_ladder: Any) -> NestedSummaries:
    """A document of 120,000 words on 300 pages, with summaries of 20 to 320 sentences."""
    builder = DocumentBuilder()
    for page in range(1, 301):
        if page % 5 == 1:
            builder.heading(1 + page % 3, f"Part {page} of the report")
        for paragraph in range(5):
            said = " ".join(
                f"Item {page}.{paragraph}.{item} was looked at twice, {'and again, ' * 4}at last."
                for item in range(5)
            )
            builder.paragraph(said, page=page)
    document = builder.build("A long report")
    order = tuple(range(3, len(document.sentences), len(document.sentences) // 330))
    return make_ladder(order[:320], (20, 40, 80, 160, 320), 2, document)


@pytest.mark.timing
def test_three_hundred_pages_respond_at_once(open_page, three_hundred_pages) -> None:
    page = open_page(three_hundred_pages)
    timed = """(act) => new Promise(done => {
        const start = performance.now();
        new Function(act)();
        requestAnimationFrame(() => {
            document.body.getBoundingClientRect();
            done(performance.now() - start);
        });
    })"""
    slide = (
        "const slider = document.getElementById('length');"
        "slider.value = {}; slider.dispatchEvent(new Event('input', {{bubbles: true}}))"
    )
    press = (
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{}', bubbles: true}}))"
    )
    click = "document.querySelectorAll('#sentences li:not([hidden]) .say')[{}].click()"
    acts = [
        *(slide.format(rung) for rung in (0, 4, 1, 3, 2)),
        *(each for row in (3, 60, 30) for each in (click.format(row), press.format("b"))),
    ]
    rounds = [[page.evaluate(timed, act) for act in acts] for _ in range(4)]
    for act, seconds in zip(acts, zip(*rounds, strict=True), strict=True):
        assert min(seconds) < 50, act
