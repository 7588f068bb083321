"""Large, odd and malicious texts: linear time, exact spans, and no surprise."""

import json

import pytest

from linear_time import assert_linear
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.readers import read_bytes


def _read(text: str, name: str) -> Document | None:
    """Read a text; return None if it is refused as it should be."""
    try:
        return read_bytes(text.encode(), name)
    except LongsumError:
        return None


# Half the length in characters up to which it is tried, and what is repeated.
_MILLION = 1_000_000
_REPEATED = {
    "a.txt": {
        4_000: ["<!-- -->"],
        30_000: ["e\u0301\u0301\u0301"],
        60_000: ["# \n"],
        100_000: [
            *("# Head\n\nText.\n\n", "A\n=\n\n", "\u200b", "\u202e", "م\u200c", "\u200d"),
            *("a\ufe0f\ufe0f", "\u00ad\n ", "中\n", "👩\u200d🚀"),
        ],
        120_000: ["1. x\n\n"],
        160_000: ["1. Item\n\n", "Chapter\n"],
        200_000: [
            *("A.B. ", "... ", "。", "“。”", "word\n\n", "Dr. ", "CHAPTER I\n\nx.\n\n", "• "),
            *("• 3 1 A\n\n", "NAME\n   x\n\n", "A(1)  A(1)\n"),
        ],
        500_000: ['{"a":'],
        _MILLION: [
            *("a", "(", "?", "![", "a.", ". ", "A.B.", "word ", "word\n", " \n", "\t \n\n"),
            "\x1b]",
        ],
    },
    "a.md": {
        5_000: [">"],
        10_000: ["- "],
        50_000: ["`", "> "],
        200_000: ["[a]("],
        40_000: ["\n> >\n  )", "\n> * \n  &", "- a\n", "|a|b|\n|-|-|\n"],
        100_000: [
            *("[", "![", "http:(![", "*a", "**a ", "`a``", "> a\n", "[a]: /u\n", "title: \t"),
            *("<a ", "<![CDATA[", "&", "\\", "***a___"),
        ],
    },
    "a.html": {
        10_000: ["<svg><math>"],
        20_000: ["<table><tr><th>x"],
        30_000: ["<table><tr><td>"],
        40_000: ["<dl><dt>x"],
        100_000: ["<h2>x", "<a href=#a>", "<ruby><rt>x</rt>"],
        120_000: ["<p>x. ", "<br>a"],
        500_000: ["<div>", "<p a='"],
        800_000: ["<b>x</b>"],
        200_000: [
            *("<li><a href=#a>x</a>", "<h2>Index</h2><p>x", "<dt>x<dd>y."),
            *("<!DOCTYPE a [<!ENTITY a 'x'>", "<!DOCTYPE a [<!-- ' "),
        ],
        300_000: ["<b>"],
        400_000: ["<!--"],
        _MILLION: ["<", "&", "&amp;"],
    },
    "a.tex": {
        60_000: ["\\section{x}\n\nx.\n\n"],
        100_000: ["$", "\\'", "\\x"],
        200_000: ["{", "%\n"],
    },
    "a.rtf": {60_000: ["\\par x."], 200_000: ["{x}", "\\'e9", "\\cell ", "\\u8217?"]},
    "a.xml": {60_000: ["<p>x. </p>", "<fig/>"], 400_000: ["&amp;"]},
}
_CASES = [
    (name, unit, size)
    for name, sizes in _REPEATED.items()
    for size, units in sizes.items()
    for unit in units
]
_OPENING = {
    "a.txt": "",
    "a.md": "",
    "a.html": "<html>",
    "a.tex": "\\begin{document} ",
    "a.rtf": "{\\rtf1 ",
    "a.xml": "<article article-type='x'><body>",
}
_CLOSING = {"a.xml": "</body></article>"}


def _repeat(name: str, unit: str, size: int) -> Document | None:
    whole = _OPENING[name] + unit * (size // len(unit)) + _CLOSING.get(name, "")
    return _read(whole, name)


_repeated = pytest.mark.parametrize(
    ("name", "unit", "size"), _CASES, ids=[f"{name} {unit!a}" for name, unit, _ in _CASES]
)


@_repeated
def test_positions_in_read_documents_are_exact(check_document, name, unit, size) -> None:
    document = _repeat(name, unit, size // 256)
    if document is not None:
        check_document(document)


@pytest.mark.timing
@_repeated
def test_time_is_linear(name: str, unit: str, size: int) -> None:
    assert_linear(lambda n: _repeat(name, unit, n), size)


@pytest.mark.timing
@pytest.mark.parametrize(
    ("opening", "gap", "closing"),
    [
        *(("a", "\n", "b."), ("a", " ", "b."), ("a", "\n ", "b.")),
        *(("---\ntitle: a", " ", "b\n---\nText."), ("---\ntitle: a\n", "x\n", "Text.")),
        *(
            ("# a", " ", "\n\n# b\n\nText."),
            ("# 1", " 1", "\n\nText."),
            ("<html><p>", " ", "</p>Text."),
        ),
    ],
)
def test_time_is_linear_in_a_gap(opening: str, gap: str, closing: str) -> None:
    def read(size: int) -> None:
        for name in ("a.txt", "a.md"):
            document = _read(opening + gap * (size // len(gap)) + closing, name)
            assert document is not None
            assert document.sentences

    assert_linear(read, 200_000)


def test_quotations_and_brackets_nested_deep_are_text() -> None:
    document = _read("> " * 5000 + "The innermost words.\n\nAfter.", "a.md")
    assert document is not None
    assert document.text == "The innermost words.\n\nAfter."
    # So are brackets, which in JSON are refused.
    document = read_bytes(b"[" * 20_000, "a.txt")
    assert document.source.format == "text"


_ODD = {
    "NUL": "a\x00b",
    "terminal escapes": "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1bc and on and on it goes as text.",
    "C1 controls": "a\x9b31mb\x85c",
    "right to left": "\u202eabc\u202c \u2066x\u2069 שלום.",
    "zero width": "a\u200bb\u200c\u200d\ufeff c.",
    "combining": "e" + "\u0301" * 10_000 + ".",
    "emoji": "👩\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈 👍🏽. Next 😀!",
    "line ends": "a one.\r\nb two.\rc three.\n\rd four.\u2028e five.\u2029f six.\x0bg.\x0ch.",
    "spaces": "a\u00a0b\u2003c\u3000d\u1680e.",
    "outside the plane": "\U0001d54f \U0010ffff \uffff \ufffe.",
    "replacement": "\ufffd\ufffd.",
}


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.json"])
@pytest.mark.parametrize("text", _ODD.values(), ids=_ODD)
def test_odd_characters_keep_spans_exact(check_document, text, name) -> None:
    whole = f"Plain text before it{', a good deal of it' * 10}. {text} Plain text after it."
    wrapped = {
        "a.html": f"<html><h1>{text}</h1><p>{whole}</p></html>",
        "a.json": json.dumps({"title": text, "sections": [{"title": text, "paragraphs": [whole]}]}),
    }.get(name, f"# {text}\n\n## A\n\n{whole}")
    document = read_bytes(wrapped.encode(), name)
    assert "Plain text before it" in document.text
    assert "Plain text after it." in document.text
    assert "\x1b" not in document.text
    assert "[31m" not in document.text
    check_document(document)


@pytest.mark.parametrize("raw", [r"\ud800", r"\udc00", r"\udc00\ud800", r"\ud83d\ud83d\ude00"])
def test_half_surrogate_pairs_from_json(check_document, raw: str) -> None:
    for form in (
        '{"title": "RAW", "text": "RAW a."}',
        '{"sections": [{"title": "RAW", "paragraphs": ["RAW."]}]}',
    ):
        document = read_bytes(form.replace("RAW", raw).encode(), "a.json")
        assert document.text[:4] in ("\ufffd\n\n\ufffd", "\ufffd\ufffd\n\n", "\ufffd😀\n\n")
        check_document(document)


@pytest.mark.parametrize("level", [10_000, -10_000])
def test_headings_of_extreme_levels(check_document, level: int) -> None:
    sections = [{"level": level * n, "title": "", "paragraphs": ["x."]} for n in range(200)]
    document = read_bytes(json.dumps({"sections": sections}).encode(), "a.json")
    assert len(document.walk()) == 200
    check_document(document)
