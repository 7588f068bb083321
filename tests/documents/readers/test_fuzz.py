"""Any bytes of any name: a valid document or a `LongsumError`, and nothing else."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from document_views import CheckDocument
from effort import examples
from longsum.common.errors import LongsumError
from longsum.documents.document_json import document_to_json
from longsum.documents.readers import read_bytes

from .conftest import make_pdf

_NAMES = st.sampled_from(
    [
        *("", "a.txt", "a.md", "a.adoc", "a.rst", "a.org", "a.wiki", "a.html", "a.json", "a.jsonl"),
        *("a.pdf", "\x00.md"),
    ]
)
_MARKDOWN = (
    "---\ntitle: x\n---\n# A\n\ntext *b* [c](d) ![e](f) `g` <br> &amp; \\*\n\n> q\n\n- a\n  - b\n\n"
    "```\ncode\n```\n\n|a|b|\n|-|-|\n|c|d|\n\nS\n===\n\n[r]: /u 'x'\n<div>\n\n## B\nx\n"
)
_HTML = (
    "<!DOCTYPE html><html><head><title>T</title><meta charset=utf-8></head><body><nav>n</nav>"
    "<h1>A</h1><p>b<br>c &amp; <b>d</b><table><tr><td>1</table><ul><li>x</ul><script>s</script>"
    "<!-- c --><h2><div>d</div></h2><pre>p</pre><math>m</math></body></html>"
)
_TEXT = (
    "CHAPTER I\n\nSome “text” here. More.\n\n1. One\n\n2. Two\n\nTitle\n=====\n\nbody 日本。\r\n"
)
_RECORD = json.dumps(
    {
        "title": "T",
        "sections": [
            {"level": 1, "title": "A", "paragraphs": ["One two. Three.", "x\ny"]},
            {"level": 2, "title": "B", "paragraphs": []},
        ],
    }
)
_FILE = json.dumps(document_to_json(read_bytes(_MARKDOWN.encode(), "a.md")))
_LATEX = (
    "\\documentclass{article}\\newcommand{\\a}{b}\\title{T}\\begin{document}\\section{A}x \\a"
    "\\cite{c}$d$\\[e\\]\\footnote{f}\\begin{table}g & h\\end{table}"
    "\\begin{itemize}\\item i\\end{itemize}"
)
_RTF = (
    "{\\rtf1\\ansi{\\stylesheet{\\s1 heading 1;}}\\pard\\s1 A\\par\\pard x \\'e9\\u8217?"
    "{\\footnote b}\\par\\intbl c\\cell d\\cell\\row{\\field{\\*\\fldinst TOC}{\\fldrslt e\\par}}}"
)
_JATS = (
    "<article article-type='x'><front><article-meta><title-group><article-title>T</article-title>"
    "</title-group></article-meta></front><body><sec><title>A</title><p>x<sup>2</sup> y.</p><fig/>"
    "</sec></body><back><ref-list><ref>r</ref></ref-list></back></article>"
)
_TEI = (
    "<TEI><teiHeader/><text><body><div><head n='1.1'>A</head><p>x <note>n</note></p><pb n='2'/>"
    "<sp><speaker>B</speaker><l>y</l></sp></div></body></text></TEI>"
)
_XML = (
    "<?xml version='1.0'?><z><s topic='A'><t>The river rose in <b>one</b> night.</t>"
    "<screen>$ x</screen></s><s><title>B</title><item>y<object>z</object></item><table><tr>"
    "<td>c</td></tr></table></s></z>"
)
_ODT = (
    "<office:document xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0'><office:body>"
    "<office:text><h>A</h><p>x<note><note-body><p>n</p></note-body></note></p><list><p>y</p></list>"
    "<table><table-row><table-cell/></table-row></table></office:text></office:body></office:document>"
)
_DOCLING = json.dumps(
    {
        "schema_name": "DoclingDocument",
        "body": {"children": [{"$ref": "#/texts/0"}, {"$ref": "#/texts/1"}]},
        "texts": [
            {"label": "section_header", "text": "A", "level": 1},
            {"label": "text", "text": "One two.", "prov": [{"page_no": 1}]},
        ],
    }
)
_ELEMENTS = json.dumps(
    [
        {"type": "Title", "text": "A", "metadata": {"category_depth": 0}},
        {"type": "NarrativeText", "text": "One two.", "metadata": {"page_number": 1}},
    ]
)
_SEEDS = [
    text.encode()
    for text in (
        *(_MARKDOWN, _HTML, _TEXT, _RECORD, _FILE),
        *(_LATEX, _RTF, _JATS, _TEI, _XML, _ODT, _DOCLING, _ELEMENTS),
    )
]
_PARTS = [
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xe2\x80", b"\xc2\x85"),
    *(b"\xe2\x80\xa8", b"\xcc\x81"),
    *(b"<", b">", b"</", b"<!--", b"<h1>", b"<svg>", b"<frameset>", b"<?xml?>", b"&#0;", b"]]>"),
    *(b"\n", b"\r", b"# ", b"> ", b"    ", b"```", b"1. ", b"- ", b"|", b"---\n", b"===\n", b"\\"),
    *(b"{", b"}", b"[", b"]", b'"', b",", b"null", b"true", b"-1", b"1e999", b"NaN", b"\\ud800"),
    *(b"%PDF-", b"endobj", b"stream", b"\x1b[31m", b"\x1b]", b"99999999999999999999"),
]


def _read_or_refuse(check: CheckDocument, data: bytes, name: str) -> None:
    try:
        document = read_bytes(data, name)
    except LongsumError:
        return
    # A document file may state a text that its sections do not cover; all else must hold.
    if b"longsum/document" not in data:
        check(document)
    assert document.sentences


@given(data=st.binary(max_size=400), name=_NAMES)
@settings(max_examples=examples(200), derandomize=True)
def test_arbitrary_bytes(check_document: CheckDocument, data: bytes, name: str) -> None:
    _read_or_refuse(check_document, data, name)


@given(text=st.text(max_size=300), name=_NAMES)
@settings(max_examples=examples(200), derandomize=True)
def test_arbitrary_text(check_document: CheckDocument, text: str, name: str) -> None:
    _read_or_refuse(check_document, text.encode(errors="surrogatepass"), name)


@given(parts=st.lists(st.sampled_from(_PARTS), max_size=40), name=_NAMES)
@settings(max_examples=examples(200), derandomize=True)
def test_marks_of_all_formats_in_any_order(check_document, parts, name) -> None:
    _read_or_refuse(check_document, b"x".join(parts), name)


_CHANGES = st.lists(
    st.tuples(
        st.integers(0, 600), st.integers(0, 30), st.sampled_from(_PARTS) | st.binary(max_size=9)
    ),
    min_size=1,
    max_size=6,
)


def _changed(data: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for place, removed, put in changes:
        start = place % (len(data) + 1)
        data = data[:start] + put + data[start + removed :]
    return data


@given(seed=st.sampled_from(_SEEDS), changes=_CHANGES, name=_NAMES)
@settings(max_examples=examples(320), derandomize=True)
def test_files_with_damage(check_document, seed, changes, name) -> None:
    _read_or_refuse(check_document, _changed(seed, changes), name)


@given(changes=_CHANGES, end=st.integers(0, 2000))
@settings(max_examples=examples(200), derandomize=True)
def test_pdf_files_with_damage(check_document, changes, end) -> None:
    whole = make_pdf([["1 Aims", "Some text here."], ["More of it."]], [(0, "Aims", 0)])
    _read_or_refuse(check_document, _changed(whole, changes), "a.pdf")
    _read_or_refuse(check_document, whole[:end], "a.pdf")
