import socket
from pathlib import Path

import pytest

from longsum.documents import Document, Source
from longsum.documents.readers import read_bytes
from longsum.documents.readers.html import read_html
from longsum.errors import LongsumError


def _read(text: str) -> Document:
    return read_html(text, Source("a.html", "html"), [])


def _texts(text: str) -> list[str]:
    return [" ".join(s.text for s in paragraph) for paragraph in _read(text).paragraphs]


def _outline(text: str) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in _read(text).walk()]


def test_headings_make_sections() -> None:
    text = "<h1>T</h1><p>t.</p><h2>A</h2><p>a.</p><h4>A1</h4><p>a1.</p><h2>B</h2><p>b.</p>"
    assert _read(text).title == "T"
    assert _outline(text) == [(1, ""), (1, "A"), (2, "A1"), (1, "B")]


def test_words_of_a_heading_in_blocks_and_inline_marks() -> None:
    assert _outline("<h2>A <em>b</em><br>c</h2><p>x.</p><h2><div>D</div></h2><p>y.</p>") == [
        (1, "A b c"),
        (1, "D"),
    ]


def test_a_heading_that_is_never_closed_takes_only_its_own_line() -> None:
    text = "<h2>Open<p>One.</p><div>Two.</div><h2>Next</h2><p>Three.</p>"
    assert _outline(text) == [(1, "Open"), (1, "Next")]
    assert _texts(text) == ["One.", "Two.", "Three."]


def test_a_heading_without_words_is_none() -> None:
    assert _outline("<h1>T</h1><h3><img src=x></h3><p>a.</p><h2> </h2><p>b.</p>") == [(1, "")]


def test_inline_tags_part_no_words_and_blocks_do() -> None:
    text = "<p>un<b>bro</b>ken <a href='javascript:x()'>link</a></p>one<br>two<div>three</div>four"
    assert _texts(text) == ["unbroken link", "one two", "three", "four"]


def test_entities() -> None:
    assert _texts("<p>&lt;a&gt; &amp; &eacute; &#233; &#x1F600; &nbsp;b &unknown; &#0;</p>") == [
        "<a> & é é 😀 b &unknown; \ufffd"
    ]


def test_what_is_no_text_is_skipped() -> None:
    text = (
        "<head><style>p{}</style></head><nav>menu</nav><p>One<script>alert('no')</script> two.</p>"
        "<!-- no --><noscript>no</noscript><template><p>no</p></template><form>no</form>"
        "<button>no</button><iframe>no</iframe><svg><title>no</title></svg><?php no ?>"
        "<script>document.write('<p>no</p>')</script><p onclick='no()'>Three.</p>"
    )
    assert _texts(text) == ["One two.", "Three."]


def test_tables_code_figures_and_formulas_are_left_out_with_a_warning() -> None:
    document = _read(
        "<p>The value <math><mi>x</mi></math> is small.</p><pre>code</pre>"
        "<table><tr><td>1<td>2</table><figure><img><figcaption>f</figcaption></figure>"
    )
    assert [sentence.text for sentence in document.sentences] == ["The value is small."]
    assert document.warnings == (
        "Left out, as they hold no sentences: 1 formula, 1 code block, 1 table, 1 figure.",
    )


def test_a_table_that_lays_out_the_page_is_text() -> None:
    text = "<table><tr><td><h2>A</h2><p>a.</p></td><td><p>b.</p></td></tr></table>"
    assert _texts(text) == ["a.", "b."]


@pytest.mark.parametrize(
    "wrapped", ["<main>{}</main>", "<div role=main>{}</div>", "<article>{}</article>"]
)
def test_the_main_part_is_read_alone(wrapped: str) -> None:
    inner = "<p>" + "word " * 60 + "end.</p>"
    text = f"<body><div>Before.</div>{wrapped.format(inner)}<footer>After.</footer></body>"
    assert _texts(text) == ["word " * 60 + "end."]


def test_of_several_articles_and_of_a_short_main_part_the_whole_page_is_read() -> None:
    long = "<article><p>" + "word " * 60 + "</p></article>"
    assert len(_texts(f"<p>Before.</p>{long}{long}")) == 3
    assert _texts("<p>Before.</p><main><p>Short.</p></main>") == ["Before.", "Short."]


def test_the_title_is_the_heading_that_opens_the_page_or_else_the_head_s() -> None:
    head = "<head><title> Page &amp; site </title></head>"
    assert _read(f"{head}<h1>H</h1><p>x.</p>").title == "H"
    assert _read(f"{head}<p>Skip to text.</p><h1>H</h1><p>x.</p>").title == "Page & site"
    assert _read(f"{head}<h2>A</h2><p>x.</p><h2>B</h2><p>y.</p>").title == "Page & site"
    assert _read("<svg><title>Icon</title></svg><p>x.</p>").title == ""


def test_unclosed_tags_and_stray_ends() -> None:
    assert _texts("<ul><li>One.<li>Two.</ul></div></b><p>Three.<p>Four.<b>") == [
        "One.",
        "Two.",
        "Three.",
        "Four.",
    ]


@pytest.mark.parametrize("text", ["<html><!-- only -->", "<p></p>", "<html><script>x()</script>"])
def test_a_page_without_text_is_refused(text: str) -> None:
    with pytest.raises(LongsumError, match=r"cannot be read as HTML|holds no sentence"):
        read_bytes(text.encode(), "a.html")


@pytest.mark.parametrize("tag", ["div", "b", "span", "blockquote"])
def test_elements_nested_two_thousand_deep_are_read(tag: str) -> None:
    document = _read(f"<{tag}>" * 2000 + "deep." + f"</{tag}>" * 2000 + "<p>After.</p>")
    assert [sentence.text for sentence in document.sentences] in (
        ["deep.", "After."],
        ["deep. After."],
    )


@pytest.mark.parametrize("closing", ["</div>", ""])
def test_elements_nested_beyond_the_parser_are_refused_rather_than_cut(closing: str) -> None:
    with pytest.raises(LongsumError, match=r"a\.html is HTML nested too deep"):
        _read("<div>" * 10_000 + "deep." + closing * 10_000 + "<p>After.</p>")


def test_entities_of_a_document_type_are_not_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret words", encoding="utf-8")
    text = (
        f'<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY file SYSTEM '
        f'"{secret.as_uri()}">]>'
        "<html><body><p>&b; &file; end.</p></body></html>"
    )
    document = _read(text)
    assert "haha" not in document.text.replace(" ", "")
    assert "secret words" not in document.text
    assert "end." in document.text


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    text = (
        '<!DOCTYPE html SYSTEM "http://example.org/a.dtd"><html><head>'
        '<link rel=stylesheet href="http://example.org/a.css"><base href="http://example.org/">'
        '</head><body><img src="http://example.org/a.png"><p>Text.</p>'
        '<iframe src="http://example.org/"></iframe></body></html>'
    )
    assert _texts(text) == ["Text."]


def test_a_declared_encoding_is_ignored_in_text_that_is_decoded() -> None:
    text = '<?xml version="1.0" encoding="iso-8859-1"?><html><head><meta charset="koi8-r"></head>'
    assert _texts(text + "<body><p>größer.</p></body></html>") == ["größer."]


def test_controls_and_half_pairs_do_not_reach_the_text() -> None:
    assert _texts("<p>a\x00b \x1b[31mred\x1b[0m</p>") == ["a\ufffdb red"]
