"""Contents and indexes of marked-up documents."""

import pytest

from document_views import texts
from longsum.documents import Document, Source
from longsum.documents.readers.html.html import read_html
from longsum.documents.readers.plain.markdown import read_markdown
from longsum.documents.readers.structure.contents_and_indexes import (
    ListingsBuilder,
    count_links,
    holds_text,
    is_listing_title,
    is_prose,
    listing_titles,
)
from tables import rows

_TEXT = "<h2>Rivers</h2><p>The river is long and carries water to the sea.</p>"
_LINKS = "".join(f'<li><a href="#s{n}">Chapter {n} of it</a></li>' for n in range(4))


def _read(body: str) -> Document:
    return read_html(f"<html><body>{body}</body></html>", Source("a.html", "html"))


def _titles(document: Document) -> list[str]:
    return [section.title for section in document.walk()]


def _left_out(document: Document) -> str:
    return " ".join(document.warnings)


_LISTS = [
    "1. Contents", "Appendix D. Function Index", "A.2 Index", "Index of Names",
    "Parameter and Variable Index", "Python Module Index",
]  # fmt: skip
_OTHER = [
    "", "A", "1", "Consumer Price Index", "Index funds", "Indexing", "Contents of the box",
    "The index", "Body Mass Index", "Index of the ways in which prices are told by all",
]  # fmt: skip


@pytest.mark.parametrize("title", [*_LISTS, *_OTHER])
def test_titles_of_lists_and_of_other_things(title: str) -> None:
    assert is_listing_title(title) == (title in _LISTS)


@pytest.mark.parametrize(
    "listing",
    [
        f"<nav>{_LINKS}</nav>",
        f"<nav epub:type='toc'><h2>What is in it</h2><ol>{_LINKS}</ol></nav>",
        f"<section epub:type='index'><h2>What is where</h2><ul>{_LINKS}</ul></section>",
        f"<div role='doc-toc'>{_LINKS}</div>",
        "<div role='doc-index'><p>rivers, 12</p></div>",
        "<div role='navigation'><p>Home and away</p></div>",
        f"<ul>{_LINKS}</ul>",
        _LINKS.replace("li>", "p>"),
        "<dl><dt>1. <a href='#a'>One</a></dt><dd><dl><dt>1.1. <a href='#b'>Two</a></dt></dl></dd>"
        "<dt>2. <a href='#c'>Three</a></dt></dl>",
        "<p><a href='a.html'>Home</a> | <a href='b.html'>Contents</a> | <a href='#c'>Up</a></p>",
        "<h2>Index</h2><table><tr><td><a href='#a'>rivers</a></td></tr></table>",
        "<h2>Index</h2><h3>A</h3><ul><li>aqueducts, 3</ul><h3>Symbols</h3><p>#, 12, 14</p>",
        "<h2>Index</h2><h2>A</h2><p>aqueducts, 3</p><h2>B</h2><p>boats, 4</p>",
        "<h1>Function Index</h1><h2>F</h2><table><tr><td>free</td></tr></table>",
        "<h2>Table of Contents</h2><p>Rivers 3</p><p>Lakes 5</p>",
    ],
)
@pytest.mark.parametrize("after", [True, False])
def test_lists_are_no_text_and_no_sections(check_document, listing, after) -> None:
    more = "<h2>Lakes</h2><p>The lakes are deep and hold the water of three rivers.</p>"
    document = _read(_TEXT + more + listing if after else listing + _TEXT + more)
    check_document(document)
    assert _titles(document) == ["Rivers", "Lakes"]
    assert [s.text for s in document.sentences] == [
        "The river is long and carries water to the sea.",
        "The lakes are deep and hold the water of three rivers.",
    ]


def test_lines_are_counted() -> None:
    counted = _read(f"<h2>Index</h2><p>aqueducts, 3</p><p>boats, 4</p>{_TEXT}<ul>{_LINKS}</ul>")
    assert "6 contents or index lines" in _left_out(counted)


def test_an_index_may_open_with_a_sentence() -> None:
    opening = "Numbers in italics are those of pages with pictures."
    document = _read(f"{_TEXT}<h2>Index</h2><p>{opening}</p><h3>A</h3><p>aqueducts, 3</p>")
    assert _titles(document)[:2] == ["Rivers", "Index"]
    assert [s.text for s in document.sentences][1:] == [opening]


def test_text_under_a_heading_that_only_sounds_like_a_list_stays() -> None:
    text = "<p>The price of goods rose by four in a hundred over the year.</p>"
    body = f"<h1>Contents</h1><h2>Rivers</h2>{text}<ul><li>Boats</ul><h2>Lakes</h2>{text}"
    document = _read(body)
    assert _titles(document) == ["Rivers", "Lakes"]
    assert "Boats" in [s.text for s in document.sentences]


@pytest.mark.parametrize(
    "kept",
    [
        "<p>See <a href='#a'>Dams</a> and <a href='#b'>Lakes</a>.</p>",
        "<ul><li><a href='https://a.example'>One place</a><li><a href='//b.example'>Two places</a>"
        "<li><a href='mailto:c@d.example'>Three places</a></ul>",
        "<ul><li><a href='#a'>Dams</a> that hold the water of all the rivers back"
        "<li><a href='#a'>Lakes</a> that were made by the dams<li><a href='#a'>Boats</a> of many "
        "kinds</ul>",
        "".join(
            f"<p><a href='n{n}.html'>The mayor said on day {n} that the bridge would be built.</a>"
            for n in range(4)
        ),
    ],
)
def test_links_in_text_and_to_other_places_stay(kept: str) -> None:
    document = _read(_TEXT + kept)
    assert len(document.sentences) > 1
    assert "contents or index" not in _left_out(document)


def test_questions_that_lead_to_their_answers_are_contents() -> None:
    links = "".join(f"<p><a href='#q{n}'>Where does river {n} meet the sea?</a>" for n in range(4))
    document = _read(_TEXT + links)
    assert len(document.sentences) == 1
    assert "4 contents or index lines" in _left_out(document)


def test_contents_of_markdown() -> None:
    text = (
        "# Manual\n\n## Table of Contents\n\n- [Rivers](#rivers)\n- [Lakes](lakes.md)\n\n"
        "## Rivers\n\nThe river is long and carries water to the sea.\n\n"
        "- [Boats](#boats)\n- [Ships](#ships)\n- [Rafts](#rafts)\n\n"
        "## Links\n\n- [A](https://a.example)\n- [B](https://b.example)\n- [C](https://c.example)\n"
    )
    document = read_markdown(text, Source("a.md", "markdown"))
    assert _titles(document) == ["Rivers", "Links"]
    assert [s.text for s in document.sentences][1:] == ["A", "B", "C"]
    assert "5 contents or index lines" in _left_out(document)


@pytest.mark.parametrize(("text", "prose"), rows(__file__, "prose"))
def test_prose(text: str, prose: bool) -> None:
    assert is_prose(text) is prose


def test_half_of_a_block_are_links_and_half_of_a_table_paragraphs() -> None:
    links = {(4, 2, 1): 1, (5, 2, 1): 0, (0, 0, 1): 0, (4, 4, 0): 1, (4, 4, 3): 3}
    assert {each: count_links(*each) for each in links} == links
    cell, short = "It is one of the nine words seen now.", "It is one of the eight seen now."
    for cells in ([cell], [cell, "a b c d e f g h"]):
        assert holds_text(cells)
    for cells in ([short], [cell, "a b c d e f g h i"], []):
        assert not holds_text(cells)


def test_an_index_of_names_has_six_words() -> None:
    assert is_listing_title("Index of all of its names")
    assert not is_listing_title("Index of all of its many names")


def test_the_titles_of_listings_in_many_languages_and_their_subjects() -> None:
    titles = [title for kind in ("contents", "index") for title in listing_titles(kind)]
    assert len(titles) > 60
    for title in titles:
        assert is_listing_title(f"Appendix B. {title.upper()}"), title
    for subject in listing_titles("subject"):
        assert is_listing_title(f"{subject.title()} Index"), subject
        assert is_listing_title(f"{subject}s and {subject} indices"), subject
    for part in ["appendix", "annex", "chapter", "part", "section", "anhang", "kapitel", "annexe"]:
        assert is_listing_title(f"{part} 3 Index"), part


def test_pending_text_comes_before_a_listing_that_follows() -> None:
    builder = ListingsBuilder()
    builder.paragraph("The river is wide.")
    builder.links("Next", 1)
    builder.code("x = 1", 7)
    builder.code("y = 2", 8)
    builder.listing(["River 3", "Dam 4"])
    builder.paragraph("It flows.")
    document = builder.build()
    assert texts(document) == ["The river is wide.", "Next", "It flows."]
    code, *lines = document.omitted
    place = document.text.index("Next")
    assert (code.kind, code.text, code.page) == ("code block", "x = 1\ny = 2", 7)
    assert code.place < place
    assert [(line.text, line.place) for line in lines] == [
        *(("River 3", place + 4), ("Dam 4", place + 4)),
    ]
