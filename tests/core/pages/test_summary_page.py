"""The page as text: its content, and that nothing in it can act or load."""

import hashlib
import json
import re
from base64 import b64encode
from dataclasses import replace

import lxml.html
import pytest

from document_views import document_of
from longsum.core.pages import render_html
from longsum.core.pages.page import host_page
from longsum.core.summaries import Budget, NestedSummaries, SourceSpan, Summary
from longsum.core.summaries.sentence import Doubt, Insertion
from longsum.documents import DocumentBuilder
from longsum.language.compression import Deletion


def parse(page: str):
    return lxml.html.document_fromstring(
        page.encode(), parser=lxml.html.HTMLParser(encoding="utf-8")
    )


def element_text(page: str, name: str) -> str:
    """Text of the style sheet or of the module, byte for byte."""
    start = '<script type="module">' if name == "script" else f"<{name}>"
    return re.search(f"{start}(.*?)</{name}>", page, re.DOTALL)[1]


def fingerprint(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_a_page_from_a_server_may_query_it_and_contains_its_data(ladder) -> None:
    page = render_html(ladder)
    with pytest.raises(ValueError, match="not a page of a summary"):
        host_page("<p>Nothing.</p>", "", "", {})
    status = '<p id="status" class="off-screen" role="status"></p>'
    kept = host_page(page, "<nav>1</nav>", "<b>2</b>", {"a": "</script>"}, sent=False)
    data = '\n<script type="application/json" id="host">{"a":"\\u003c/script\\u003e"}</script>'
    expected = page.replace('<header class="top">\n', '<header class="top">\n<nav>1</nav>', 1)
    expected = expected.replace("</header>", "<b>2</b></header>", 1)
    assert kept == expected.replace(status, status + data, 1)
    sent = host_page(page, "<nav>1</nav>", "<b>2</b>", {"a": "</script>"})
    allowed = (
        "img-src data:; base-uri 'none'; form-action 'none'",
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'",
    )
    kept = kept.replace(*allowed, 1)
    assert sent == kept.replace('content="no-referrer"', 'content="same-origin"', 1) != kept


class TestSafety:
    def test_policy_allows_exactly_the_inlined_script_and_style(self, ladder) -> None:
        page = render_html(ladder)
        policy = parse(page).xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
        assert policy == (
            f"default-src 'none'; script-src {fingerprint(element_text(page, 'script'))}; "
            f"style-src {fingerprint(element_text(page, 'style'))}; img-src data:; "
            "base-uri 'none'; form-action 'none'"
        )

    def test_nothing_is_loaded_and_no_text_becomes_markup(self, ladder: NestedSummaries) -> None:
        tree = parse(render_html(ladder))
        elements = [element for element in tree.iter() if isinstance(element.tag, str)]
        names = [name for element in elements for name in element.attrib]
        assert not tree.xpath("//img | //iframe | //object | //embed | //base | //form")
        assert len(tree.xpath("//script")) == 2
        assert "src" not in names
        assert "style" not in names  # the policy would refuse it
        assert not [name for name in names if name.startswith("on")]
        targets = {target[:1] for target in tree.xpath("//@href")}
        assert targets == {"#", "d"}
        assert tree.xpath("//link/@href") == ["data:,"]

    def test_assets_refer_to_nothing_outside_the_page(self, ladder: NestedSummaries) -> None:
        page = render_html(ladder)
        for name in ("style", "script"):
            urls = re.findall(r"https?://[^\"' ]*|url\(|@import", element_text(page, name))
            assert set(urls) <= {"http://www.w3.org/2000/svg"}  # a namespace, never loaded
        assert "innerHTML" not in element_text(page, "script")

    def test_same_ladder_gives_same_bytes_whatever_the_time_it_took(self, make_ladder) -> None:
        assert render_html(make_ladder(seconds=1.0)) == render_html(make_ladder(seconds=2.0))


class TestSentences:
    def test_no_sentence_fits(self, make_ladder) -> None:
        page = parse(render_html(make_ladder(sizes=(0,), start=0)))
        assert not page.xpath("//*[@id='sentences']//li[not(@hidden)]//*[@class='text']")
        assert page.get_element_by_id("nothing").get("hidden") is None

    def test_a_sentence_without_source_says_so(self, ladder: NestedSummaries) -> None:
        def unsourced(rung: Summary) -> Summary:
            first, *rest = rung.sentences
            bare = replace(first, sources=(), runner_up=None, reasons={}, score=0.0)
            return replace(rung, sentences=(bare, *rest))

        page = render_html(NestedSummaries((unsourced(ladder.summaries[2]),), 0))
        assert "no sure source" in parse(page).get_element_by_id("k-0").text_content()
        assert not parse(page).xpath("//*[@id='k-0']//a")

    def test_size_follows_the_text(self, make_ladder) -> None:
        builder = DocumentBuilder()
        builder.heading(1, "One")
        for number in range(2000):
            builder.sentences([f"Sentence {number} of a long document, {'and on ' * 10}on."])
        long = builder.build("Long")
        assert len(render_html(make_ladder(of=long))) < 1.2 * len(long.text) + 60_000

    def test_one_section_without_title_is_cited_by_the_document(self, make_ladder) -> None:
        plain = document_of("First comes this. Then comes that.", title="Plain notes")
        page = render_html(make_ladder(order=(1, 0), sizes=(1, 2), start=0, of=plain))
        data = parse(page).get_element_by_id("data").text
        assert [s["citation"] for s in json.loads(data)["sentences"]] == ["(Plain notes)"] * 2

    @pytest.mark.parametrize(
        ("budget", "label"),
        [
            (Budget(250), "250 words · 2 reached"),
            (Budget(1, "sentences"), "1 sentence · 1 reached, 2 words"),
            (Budget(50, "percent"), "50% · 50% reached, 2 words"),
        ],
    )
    def test_labels_show_the_requested_and_the_reached_length(
        self, make_ladder, budget, label
    ) -> None:
        document = document_of(["Two words.", "Two more."], title="Tiny")
        rung = make_ladder(order=(0,), sizes=(1,), start=0, of=document).summaries[0]
        page = render_html(NestedSummaries((replace(rung, budget=budget),), 0))
        assert parse(page).get_element_by_id("reached").text == label


@pytest.mark.parametrize("language", ["de-AT", None, '"<b>'])
def test_text_of_the_document_is_marked_with_its_language(document, make_ladder, language) -> None:
    told = replace(document, language=language)
    page = parse(render_html(make_ladder(of=told)))
    assert page.xpath("/html/@lang") == ["en"]
    places = page.xpath("//h1 | //article | //*[@id='sentences']")
    assert [place.get("lang") for place in places] == [language or ""] * 3


def test_invisible_characters_of_a_setting_are_not_on_the_page(ladder: NestedSummaries) -> None:
    rungs = [
        replace(rung, settings={"focus": "photo\u202egnp.exe\u200b"}) for rung in ladder.summaries
    ]
    page = render_html(NestedSummaries(tuple(rungs), ladder.start))
    assert "photognp.exe" in page
    assert not set(page) & {"\u202e", "\u200b"}


def test_pages_of_hostile_texts_are_what_they_were(ladder: NestedSummaries, as_before) -> None:
    """With citations, captions, coverage, card, explanation and marks in the document."""
    as_before("summary-hostile", render_html(ladder))
    as_before("cell", ladder.summaries[-1]._repr_html_())


def test_omitted_text_is_shown_in_its_place(make_ladder, as_before) -> None:
    builder = DocumentBuilder()
    builder.omit("menu", "Home", page=1)
    builder.paragraph("The opening stands before all headings.", page=1)
    builder.omit("picture", "")
    for number in range(2):
        builder.heading(1, f"Part {number}")
        builder.omit("contents line", "1 Aims")
        builder.omit("contents line", "2 Means")
        builder.paragraph("The river rose in spring.")
        builder.omit("code block", "rise(river) < 3")
        builder.paragraph("The dam held it back for a year.", page=number + 2)
        builder.omit("table", "x" * (20_000 + number))
    builder.heading(1, "An end without text")
    builder.omit("footnote", "See page 3.")
    document = builder.build("Of rivers")
    as_before("left-out", render_html(make_ladder((1, 4), (1, 2), 0, document)))


def test_the_page_is_the_same_as_before(make_ladder, as_before) -> None:
    builder = DocumentBuilder()
    for level in range(1, 9):
        builder.heading(level, f"Level {level}")
        builder.paragraph(f"ANN: The World Health Organization (WHO) counted {level} of us.")
        builder.paragraph(f"BOB: However, the WHO left {level} of them (in May) behind.")
    builder.omit("table", "a\tb\n1\t2", page=3)
    builder.paragraph("- It was the first item of all. The second sentence stands here.")
    document = builder.build("A meeting")
    ladder = make_ladder((1, 4, 17), (1, 2, 3), 2, document)
    source = SourceSpan.of(document, 0)
    first, second, *rest = ladder.summaries[2].sentences
    inserted = replace(
        first,
        text="However, the WHO (World Health Organization) left 1 of them (in May) behind.",
        insertions=(Insertion(16, " (World Health Organization)", source),),
    )
    start = second.sources[0].start
    shortened = replace(
        second,
        text=second.text.replace("counted ", ""),
        deletions=(Deletion(start + 36, start + 44, "frame"),),
        doubts=(Doubt("number", "missing", "cited", "3", 40, 41, sentence=5),),
    )
    told = replace(ladder.summaries[2], sentences=(inserted, shortened, *rest))
    as_before("summary", render_html(NestedSummaries((*ladder.summaries[:2], told), 2)))
    as_before("summary-plain", render_html(NestedSummaries((told,), 0), headings=False))
