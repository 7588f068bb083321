import socket
from unittest.mock import Mock

import pytest

from document_views import outline, texts
from longsum.common.errors import LongsumError
from longsum.documents import Document, Source
from longsum.documents.readers import ReadLimits, read_bytes
from longsum.documents.readers.html.html import read_html
from tables import rows


def _read(text: str) -> Document:
    return read_html(text, Source("a.html", "html"))


def test_hidden_text_is_not_read_except_in_tab_panels() -> None:
    hidden = ("hidden", 'aria-hidden="true"', 'style="display: none"')
    for how in hidden:
        assert texts(_read(f"<p>Seen is this.</p><div {how}><p>Hidden is that.</p></div>")) == [
            "Seen is this."
        ]
        panel = f'<p>Seen is this.</p><div role="tabpanel" {how}><p>A tab has that.</p></div>'
        assert texts(_read(panel)) == ["Seen is this.", "A tab has that."]


@pytest.mark.parametrize(
    "wrapped", ["<main>{}</main>", "<div role=main>{}</div>", "<article>{}</article>"]
)
def test_only_the_main_part_is_read(wrapped: str) -> None:
    inner = "<p>" + "word " * 60 + "end.</p>"
    text = f"<body><div>Before.</div>{wrapped.format(inner)}<footer>After.</footer></body>"
    assert texts(_read(text)) == ["word " * 60 + "end."]


def test_with_several_articles_or_a_short_main_part_the_whole_page_is_read() -> None:
    long = "<article><p>" + "word " * 60 + "</p></article>"
    assert len(texts(_read(f"<p>Before.</p>{long}{long}"))) == 3
    assert texts(_read("<p>Before.</p><main><p>Short.</p></main>")) == ["Before.", "Short."]


@pytest.mark.parametrize("end", ["</html>", "</HTML >", "</body></html>", "</body>", ""])
@pytest.mark.parametrize("start", ["<html><head></head>", "<html><body><p>It begins.</p>"])
def test_text_after_the_end_of_a_page_is_read(start: str, end: str) -> None:
    assert texts(_read(f"{start}{end}<p>It goes on.</p>"))[-1] == "It goes on."


def test_the_title_is_the_heading_that_opens_the_page_or_else_the_head_s() -> None:
    head = "<head><title> Page &amp; site </title></head>"
    assert _read(f"{head}<h1>H</h1><p>x.</p>").title == "H"
    assert _read(f"{head}<p>Skip to text.</p><h1>H</h1><p>x.</p>").title == "Page & site"
    assert _read(f"{head}<h2>A</h2><p>x.</p><h2>B</h2><p>y.</p>").title == "Page & site"
    assert _read("<svg><title>Icon</title></svg><p>x.</p>").title == ""


@pytest.mark.parametrize("text", ["<html><!-- only -->", "<p></p>", "<html><script>x()</script>"])
def test_a_page_without_text_is_refused(text: str) -> None:
    with pytest.raises(LongsumError, match=r"cannot be read as HTML|has no sentences"):
        read_bytes(text.encode(), "a.html")


@pytest.mark.parametrize("tag", ["div", "b"])
def test_elements_nested_two_thousand_deep_are_read_with_a_higher_limit(tag: str) -> None:
    page = f"<{tag}>" * 2000 + "deep." + f"</{tag}>" * 2000 + "<p>After.</p>"
    with pytest.raises(LongsumError, match=r"a\.html has elements nested more than 512 deep; "):
        _read(page)
    document = read_bytes(page.encode(), "a.html", limits=ReadLimits(html_depth=2002))
    assert [sentence.text for sentence in document.sentences] in (
        ["deep.", "After."],
        ["deep. After."],
    )


@pytest.mark.parametrize("closing", ["</div>", ""])
def test_elements_nested_beyond_the_parser_are_refused_rather_than_cut(closing: str) -> None:
    with pytest.raises(LongsumError, match=r"a\.html is HTML nested too deeply"):
        _read("<div>" * 10_000 + "deep." + closing * 10_000 + "<p>After.</p>")


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse = Mock(side_effect=AssertionError("a connection was tried"))
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    text = (
        '<!DOCTYPE html SYSTEM "http://example.org/a.dtd"><html><head>'
        '<link rel=stylesheet href="http://example.org/a.css"><base href="http://example.org/">'
        '</head><body><img src="http://example.org/a.png"><p>Text.</p>'
        '<iframe src="http://example.org/"></iframe></body></html>'
    )
    assert texts(_read(text)) == ["Text."]


def test_a_declared_encoding_controls_and_half_pairs_do_not_reach_the_text() -> None:
    text = '<?xml version="1.0" encoding="iso-8859-1"?><html><head><meta charset="koi8-r"></head>'
    assert texts(_read(text + "<body><p>größer.</p></body></html>")) == ["größer."]

    assert texts(_read("<p>a\x00b \x1b[31mred\x1b[0m</p>")) == ["a\ufffdb red"]


# Some that the HTML standard (§3.2.5.2.5) lists as phrasing content and that hold words, some of
# earlier standards, and some of nobody's.
_PHRASING = ["a", "b", "output", "q", "ruby", "span", "font", "tt", "my-word", "ns:word", "word"]


@pytest.mark.parametrize("tag", _PHRASING)
def test_inline_elements_do_not_split_a_sentence(tag: str) -> None:
    text = f"<p>The <{tag}>river</{tag}>s run <{tag}>deep and</{tag}> wide.</p><p>More.</p>"
    assert texts(_read(text)) == ["The rivers run deep and wide.", "More."]


@pytest.mark.parametrize(
    "tag",
    ["address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div",
     "fieldset", "footer", "header", "hgroup", "li", "main", "menu", "ol", "p", "section",
     "summary", "ul"],
)  # fmt: skip
def test_blocks_separate_sentences(tag: str) -> None:
    assert texts(_read(f"<section>One river<{tag}>Two rivers</{tag}>Three</section>")) == [
        *("One river", "Two rivers", "Three")
    ]


@pytest.mark.parametrize("link", rows(__file__, "a_link_of_a_heading_to_itself_is_no_part_of_it"))
def test_a_link_of_a_heading_to_itself_is_not_part_of_it(link: str) -> None:
    assert outline(_read(f"<h1>T</h1><h2>Scope{link}</h2><p>x.</p><h2>End</h2>"))[0] == (1, "Scope")


@pytest.mark.parametrize("prologue", rows(__file__, "entities_that_a_page_declares_leave_nothing"))
def test_entities_that_a_page_declares_leave_nothing(prologue: str) -> None:
    text = f"{prologue}<html><body><p>One &b; &amp; &eacute; end.</p></body></html>"
    assert texts(_read(text)) == ["One & é end."]


def test_an_undeclared_entity_stays_text() -> None:
    assert texts(_read("<!DOCTYPE html><p>AT&T; and &b; end.</p>")) == ["AT&T; and &b; end."]
    assert texts(_read("<!DOCTYPE html [<!ELEMENT b ANY>]><p>AT&T; end.</p>")) == ["AT&T; end."]
    assert "end." in texts(_read('<!DOCTYPE html [<!ENTITY a "ha"><p>&a; end.</p>'))[-1]


_ENGLISH = "The river is long and carries all of the water that falls on the hills to the sea. " * 4


@pytest.mark.parametrize(("opening", "language"), rows(__file__, "the_language_that_a_page_states"))
def test_the_language_that_a_page_states(opening: str, language: str | None) -> None:
    words = " ".join(f"lorem{n}" for n in range(60))
    assert _read(f"{opening}<p>{words}.</p>").language == language


def test_the_language_of_the_text_outweighs_a_wrong_statement() -> None:
    data = f'<html lang="de"><body><p>{_ENGLISH}</p></body></html>'.encode()
    assert read_bytes(data, "a.html").language == "en"
    assert read_bytes(data.replace(b' lang="de"', b""), "a.html").language == "en"


def test_a_tag_with_absurdly_many_attributes_loses_them() -> None:
    many = " ".join(f"attribute{n}=1" for n in range(12_000))
    document = read_bytes(f"<html><p {many}>The sea is wide.</p><p>It is.</p>".encode(), "a.html")
    assert document.text == "The sea is wide.\n\nIt is."


def test_a_play_in_a_table_has_speakers_and_directions() -> None:
    said = "Do you know that I was at home all of the day?"
    row = (
        '<tr><td epub:type="z3998:persona">{}</td>'
        f'<td><i epub:type="z3998:stage-direction">{{}}</i> {said}</td></tr>'
    )
    rows = [row.format("Ann", "Rises."), row.format("Ben", "To <b>Ann</b>.")] * 4
    document = _read(f"<table>{''.join(rows)}</table>")
    first = [(s.speaker, s.text, s.kind) for s in document.sentences[:4]]
    assert [(who, text) for who, text, _ in first] == [
        *(("Ann", "[Rises.]"), ("Ann", said), ("Ben", "[To Ann.]"), ("Ben", said))
    ]
    assert [kind for *_, kind in first][::2] == ["stage_direction"] * 2


def test_lines_of_their_own_are_text_unless_they_are_marked_as_code():
    lines = (
        "# Run it now, with the usual arguments.\n# All of the flags have to be the same.\nrun all"
    )
    page = f"<html lang=en><p>The river is wide.<pre>{lines}</pre><pre><code>{lines}</code></pre>"
    document = read_bytes(page.encode(), "a.html")
    assert "All of the flags have to be the same." in document.text
    assert [(part.kind, part.text) for part in document.omitted] == [("code block", lines)]


STATED = {
    "hidden part": (
        "sr-only visually-hidden visuallyhidden screen-reader-text skip-link skiplink "
        "mw-editsection mw-jump-link headerlink copiable-anchor",
        "",
    ),
    "menu": ("", "navigation search menu menubar doc-pagelist page-list"),
    "contents or index line": ("", "toc index landmarks loi lot loa lov doc-toc doc-index"),
    "footnote": (
        "footnote footnotes footnotes-segment endnotes footnotetext",
        "footnote footnotes endnote endnotes rearnotes doc-footnote doc-endnote doc-endnotes",
    ),
    "reference": (
        "citation bibliography references",
        "bibliography doc-bibliography doc-biblioentry",
    ),
    "boilerplate": (
        "legalnotice copyright",
        "copyright-page colophon doc-colophon acknowledgments doc-acknowledgments",
    ),
    "caption": ("caption", ""),
}


@pytest.mark.parametrize(
    ("attribute", "kind"),
    [
        (f'{attribute}="{name}"', kind)
        for kind, named in STATED.items()
        for attribute, names in zip(("class", "role"), named, strict=True)
        for name in names.split()
    ],
)
def test_a_class_or_a_role_determines_the_kind_of_text(attribute: str, kind: str) -> None:
    words = "Some words stand here."
    page = f"<html><p>The river is wide.</p><div {attribute}><p>{words}</p></div><p>It flows.</p>"
    document = read_bytes(page.encode(), "a.html")
    found = [each.kind for each in document.sentences if each.text == words]
    assert found + [part.kind for part in document.omitted if part.text == words] == [kind]


NAMED = {
    "menu": "nav navbar navigation navheader navfooter navlinks menu mainmenu submenu breadcrumb "
    "breadcrumbs crumbs toplang bottomlang pager pagination sidebar sphinxsidebar related toolbar "
    "share social switcher skip path",
    "page header": "header masthead banner topbar hd logo",
    "page footer": "footer ft bottom copyright colophon",
    "reader comment": "comment comments disqus",
    "page notice": "ambox consent cookie cookies gdpr hatnote newsletter noprint onetrust promo",
    # Whatever it is called.
    "contents or index line": "box",
}


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for kind, names in NAMED.items() for name in names.split()]
)
def test_lists_of_links_have_the_kind_of_their_name(name: str, kind: str) -> None:
    prose = "<p>The river rises in the hills and flows to the sea.</p>" * 6
    links = "".join(f'<a href="/{number}">Link {number}</a> ' for number in range(4))
    page = f"<html><h1>Rivers</h1>{prose}<div class='{name}'>{links}</div>{prose}</html>"
    document = read_bytes(page.encode(), "a.html")
    told = [(part.kind, part.text) for part in document.omitted]
    assert told == [(kind, "Link 0 Link 1 Link 2 Link 3")]


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("<math><mi>y</mi><mo>-</mo><mn>1</mn></math>", "It is y-1 here."),
        (r'<math alttext="{\displaystyle y_{1}\leq 2}"><mi>z</mi></math>', "It is y_1 ≤ 2 here."),
        (
            "<math><mi>z</mi><annotation encoding='application/x-tex'>y^{2}</annotation></math>",
            "It is y^2 here.",
        ),
        ('<math display="block"><mi>z</mi></math>', "It is here."),
    ],
)
def test_a_formula_within_a_sentence_is_part_of_it(formula: str, text: str) -> None:
    document = read_bytes(f"<p>It is {formula} here.</p>".encode(), "a.html")
    assert [sentence.text for sentence in document.sentences] == [text]
