"""The reader in a browser, on a server with a worker: a document's path, and each feature."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from axe import axe_script, serious_faults
from pdf_writer import raw_pdf
from reader_pages import HOSTILE
from running_service import running
from service_calls import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve until the tests of this file are done; return the address."""
    folder = tmp_path_factory.mktemp("service") / "service"
    with running(folder, "--workers", "1") as service:
        service.wait_until_ready()
        yield service.url


@pytest.fixture
def open_page(visit: Open, server: str) -> Open:
    """Open a page of the reader."""

    def open_it(path: str = "/", **options: Any) -> Any:
        return visit(server + path, near=(server, "data:", "blob:"), **options)

    return open_it


def upload(page: Any, name: str, data: bytes, **chosen: str) -> None:
    """Send a file from the library, and wait for its summary."""
    form = page.locator("form.drop")
    form.locator("input[type=file]").set_input_files({"name": name, "mimeType": "", "buffer": data})
    for field, value in chosen.items():
        form.locator(f"select[name={field}]").select_option(value)
    form.locator("button").click()
    page.wait_for_selector("#sentences", timeout=60_000)


def shown(page: Any) -> list[str]:
    return page.locator("#sentences li[id]:not([hidden]) .text").all_text_contents()


def words_of(texts: list[str]) -> int:
    return sum(len(text.split()) for text in texts)


def saved(page: Any, act: Callable[[], None]) -> bytes:
    with page.expect_download() as download:
        act()
    return Path(download.value.path()).read_bytes()


def found_one(page: Any) -> bool:
    return page.locator("#find output").inner_text().startswith("1 of")


@pytest.fixture(scope="module")
def report(brief_path: Path) -> bytes:
    return brief_path.read_bytes()


@pytest.mark.parametrize("events", [True, False])
def test_from_a_file_to_its_summary_and_out_again(open_page, report, events) -> None:
    page = open_page(mild=not events, accept_downloads=True)
    if not events:
        page.context.route("**/events", lambda route: route.abort())
    upload(page, f"report-{events}.md", report + (b"" if events else b"\n"), length="medium")
    texts = shown(page)
    assert texts
    first = page.locator("#sentences .text").first.bounding_box()
    assert first["y"] <= 740 / 5
    page.locator("#length").fill(str(int(page.locator("#length").get_attribute("max"))))
    assert len(shown(page)) > len(texts)
    page.locator("#length").fill("1")
    texts = shown(page)
    page.locator("#sentences li[id]:not([hidden]) .say").nth(1).click()
    assert page.locator(".source.current").count() == 1
    page.locator("#back").click()
    current = page.locator("li.current")
    current.hover()
    current.locator(".tools button.note").click()
    current.locator("textarea").fill("Ask about this.")
    current.locator("form button").first.click()
    current.locator("p.note").get_by_text("Ask about this.").wait_for()
    dropped = texts[2]
    last = page.locator("#sentences li[id]:not([hidden])").nth(2)
    last.hover()
    last.locator(".tools button.drop").click()
    page.locator("#annotations li").nth(1).wait_for()
    assert dropped not in shown(page)
    page.reload()
    page.locator("#length").fill("1")
    assert dropped not in shown(page)
    assert "adapted" in page.locator("#reached").text_content()
    page.locator(".controls summary").click()
    markdown = saved(page, lambda: page.locator("button[value=md]").click()).decode()
    assert "> Ask about this." in markdown
    assert all(text[:20] in markdown.replace("\\", "") for text in shown(page))
    as_json = json.loads(saved(page, lambda: page.locator("button[value=json]").click()))
    assert [each["text"] for each in as_json["sentences"]] == shown(page)
    assert saved(page, lambda: page.locator("button[value=docx]").click()).startswith(b"PK")


def test_all_of_it_by_keyboard(open_page: Open, report: bytes) -> None:
    page = open_page(accept_downloads=True)
    field = page.locator("form.drop input[type=file]")
    field.set_input_files({"name": "keys.md", "mimeType": "", "buffer": report + b"\n\n"})
    field.focus()
    while page.evaluate("document.activeElement.textContent") != "Summarize":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#sentences", timeout=60_000)
    before = shown(page)
    page.keyboard.press("]")
    assert len(shown(page)) > len(before)
    page.keyboard.press("[")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.className") == "badge"
    page.keyboard.press("b")
    assert page.evaluate("document.activeElement.className") == "say"
    page.keyboard.press("e")
    page.keyboard.type("By hand.")
    page.keyboard.press("Control+Enter")
    page.locator("li.current p.note").wait_for()
    page.keyboard.press("a")
    page.locator("li.current.kept").wait_for()
    page.keyboard.press("n")
    dropped = page.locator("li.current .text").text_content()
    page.keyboard.press("d")
    page.locator("#annotations li").nth(1).wait_for()
    assert dropped not in shown(page)
    assert page.evaluate("document.activeElement.className") == "say"
    page.locator(".controls summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    kept = saved(page, lambda: page.keyboard.press("Enter")).decode()
    assert "> By hand." in kept
    page.goto(page.url.partition("/read")[0])
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("cryptocurrency")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hits")


def test_documents_that_are_ticked_become_one(open_page: Open) -> None:
    page = open_page()
    for name, text in (("weirs.md", b"A weir holds the river."), ("mills.md", b"A mill grinds.")):
        upload(page, name, b"# " + name.encode() + b"\n\n" + text)
        page.goto(page.url.partition("/read")[0])
    assert not page.locator("#together").is_visible()
    for name in ("weirs.md", "mills.md"):
        page.get_by_label(f"Summarize {name} together with others").check()
    page.locator("#together button").click()
    page.wait_for_selector("#sentences", timeout=60_000)
    assert set(shown(page)) == {"A weir holds the river.", "A mill grinds."}


def test_a_key_is_for_the_sentence_that_has_the_focus(open_page: Open, report: bytes) -> None:
    page = open_page()
    upload(page, "focus.md", report + b"\nOf its own.\n", length="medium")
    lines = page.locator("#sentences li[id]:not([hidden])")
    lines.nth(2).locator(".say").focus()
    page.keyboard.press("e")
    page.keyboard.type("Mine.")
    page.keyboard.press("Control+Enter")
    assert lines.nth(2).locator("p.note").text_content() == "Mine."


def test_a_note_that_cannot_be_stored_stays_until_it_can(open_page: Open, report: bytes) -> None:
    page = open_page(mild=True)
    upload(page, "down.md", report + b"\nNote.\n", length="short")
    page.context.route("**/lines/*", lambda route: route.abort())
    page.keyboard.press("n")
    page.keyboard.press("e")
    page.keyboard.type("Mine.")
    page.keyboard.press("Control+Enter")
    page.locator("#complaint").wait_for()
    assert page.locator("form.noting textarea").input_value() == "Mine."
    page.context.unroute("**/lines/*")
    page.keyboard.press("Control+Enter")
    page.locator("#sentences p.note").get_by_text("Mine.").wait_for()
    until(lambda: page.locator("form.noting").count() == 0)


def test_of_several_files_those_that_can_be_stored_are(open_page: Open) -> None:
    page = open_page(mild=True)
    texts = {"a.md": b"The mill grinds.", "b.md": b"", "c.md": b"The weir holds."}
    files = [{"name": name, "mimeType": "", "buffer": text} for name, text in texts.items()]
    page.locator("form.drop input[type=file]").set_input_files(files)
    page.locator("form.drop button").click()
    page.locator(".chosen a").click()
    # The page is loaded again while documents are read, so that its texts cannot be asked for once.
    expect = pytest.importorskip("playwright.sync_api").expect
    titles = page.locator("article h3")
    for name in ("a.md", "c.md"):
        expect(titles.get_by_text(name, exact=True)).not_to_have_count(0)
    expect(titles.get_by_text("b.md", exact=True)).to_have_count(0)


def test_keeping_and_dropping_change_the_summary_within_its_length(open_page, report) -> None:
    page = open_page()
    upload(page, "keep.md", report + b"\n\n\n", length="medium")
    limit = 250
    top = int(page.locator("#length").get_attribute("max"))
    start = int(page.locator("#length").input_value())
    page.locator("#length").fill(str(top))
    longest = shown(page)
    page.locator("#length").fill(str(start))
    before = shown(page)
    # One for which there is no room.
    extra = max((text for text in longest if text not in before), key=len)
    assert words_of(before) + len(extra.split()) > limit
    page.locator("#length").fill(str(top))
    page.locator("#sentences li[id]:not([hidden])", has_text=extra).locator(".say").focus()
    page.locator("#sentences li[id]:not([hidden])", has_text=extra).hover()
    page.locator("#sentences li[id]:not([hidden])", has_text=extra).locator("button.keep").click()
    page.locator("#annotations li").wait_for()
    page.locator("#length").fill(str(start))
    after = shown(page)
    assert extra in after
    assert words_of(after) <= limit * 1.1
    assert set(before) - set(after)  # the one that was chosen last made room
    page.locator("#annotations button", has_text="Undo").click()
    until(lambda: page.locator("#annotations li").count() == 0)
    assert shown(page) == before


def test_search_leads_to_the_place(open_page: Open, report: bytes) -> None:
    page = open_page()
    upload(page, "search.md", report + b"\n\n\n\n\n", length="short")
    page.goto(page.url.partition("/read")[0] + "/?q=noise+pollut")
    page.goto(page.url.partition("/?q")[0] + "/?q=electricity+deman")
    hit = page.locator(".hits li", has_text="document").first
    assert hit.locator("mark").count() >= 2
    hit.locator("a").click()
    page.wait_for_selector("#find")
    until(lambda: found_one(page))


def test_a_page_of_a_pdf_has_the_sentence_marked(open_page: Open) -> None:
    lines = (b"(The river is wide in spring.)", b"(Dams hold the river back for a year.)")
    said = b"BT /F1 11 Tf 72 720 Td %s Tj 0 -14 Td %s Tj ET" % lines
    page = open_page()
    upload(page, "rivers.pdf", raw_pdf(said))
    page.keyboard.press("n")
    page.keyboard.press("g")
    page.wait_for_selector("#picture img")
    image = page.locator("#picture img")
    until(lambda: image.evaluate("image => image.naturalWidth") > 500)
    page.wait_for_selector("#picture svg rect", timeout=30_000)
    box = page.locator("#picture rect").first.bounding_box()
    whole = image.bounding_box()
    assert (box["x"] - whole["x"]) / whole["width"] == pytest.approx(72 / 612, abs=0.02)
    page.keyboard.press("Escape")
    assert not page.locator("#picture").is_visible()


def test_a_hostile_document_never_runs_anything(open_page: Open) -> None:
    quoted = HOSTILE.replace("<", "&lt;")
    text = (
        f"<h1>Rivers {HOSTILE}</h1><p onclick='alert(3)'>Rivers say {quoted} to the sea.</p>"
        "<svg onload=alert(4)><script>alert(5)</script></svg>"
        "<p>The second <a href='javascript:alert(6)'>link</a> says so, too.</p>"
    )
    page = open_page()
    upload(page, f"{'<b onmouseover=alert(7)>'}.html", text.encode())
    page.evaluate(
        "document.addEventListener('securitypolicyviolation', e => console.error(e.blockedURI))"
    )
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    page.keyboard.press("w")
    page.keyboard.press("e")
    page.keyboard.type(HOSTILE)
    page.keyboard.press("Control+Enter")
    page.locator("p.note").first.wait_for()
    assert HOSTILE in page.locator("p.note").first.text_content()
    page.reload()
    page.wait_for_selector("p.note")
    page.goto(page.url.partition("/read")[0] + "/?q=rivers")
    page.wait_for_timeout(200)
    assert page.locator("main img, main svg, main script").count() == 0


def test_without_a_script_it_is_plain_forms_and_text(open_page: Open, report: bytes) -> None:
    page = open_page(java_script_enabled=False)
    page.locator("form.drop input[type=file]").set_input_files(
        {"name": "plain.md", "mimeType": "", "buffer": report + b"\n\n\n\n\n\n"}
    )
    page.locator("form.drop button").click()
    page.wait_for_selector("#sentences", timeout=60_000)  # the page asks again by itself
    assert shown(page)
    page.locator("#sentences li[id]:not([hidden]) .say").first.click()
    assert "#s-" in page.url


def test_questions_are_a_tree(open_page: Open, report: bytes) -> None:
    page = open_page()
    upload(page, "questions.md", report + b"\n\n\n\n\n\n\n", kind="questions")
    strip = page.locator("#summary .strip").bounding_box()
    for button in ("#open-all", "#close-all"):
        box = page.locator(button).bounding_box()
        assert strip["y"] < box["y"]
        assert box["y"] + box["height"] < strip["y"] + strip["height"]
    page.locator("#open-all").click()
    assert page.locator("details.node[open]").count() > 1
    page.locator("#sentences li[id] .say").first.click()
    assert page.locator(".source.current").count() == 1
    page.keyboard.press("b")
    assert page.locator(".source.current").count() == 1


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_serious_keeps_anybody_out(open_page, report, width, tmp_path) -> None:
    script = axe_script(tmp_path)
    page = open_page(width=width, mild=True, bypass_csp=True)
    assert serious_faults(page, script) == []
    upload(page, "axe.md", report + b"\n\n\n\n\n\n\n\n", length="short")
    page.keyboard.press("n")
    page.keyboard.press("w")
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= width
    assert serious_faults(page, script) == []
    for opened in ("s", "/", "?"):
        page.keyboard.press(opened)
        page.wait_for_timeout(100)
        assert serious_faults(page, script) == []
        page.keyboard.press("Escape")
    server, _, job = page.url.partition("#")[0].partition("/read/")
    for address in ("/", "/?q=mining", f"/compare?left={job}&right={job}"):
        page.goto(server + address)
        assert page.evaluate(wide) <= width
        assert serious_faults(page, script) == []
