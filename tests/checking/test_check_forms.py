"""A check is shown as before in every format, whatever was found."""

import json
from dataclasses import replace

import pytest

import longsum
from longsum.checking.checker import Checker
from longsum.checking.citations import misquoted
from longsum.checking.formats import to_json, to_markdown, to_text
from longsum.checking.page import render_check
from longsum.checking.text_check import CheckedSentence, TextCheck
from longsum.core.summaries import Doubt, SourceSpan
from longsum.documents.builder import DocumentBuilder
from longsum.documents.dossier import joined
from longsum.documents.model import Document

TEXT = """# Dams

The dam *rose* to 12 metres in 1913. Water was cold. Gold fell.

## More

Why?
"""


def parts() -> list[Document]:
    """Make a document with title and levels, one with only a file name, and one with neither."""
    report = longsum.read_bytes(
        b"# The report\n\nThe dam is 21 metres high. "
        + b"It fell in 1931 after a long and wet winter in which nobody had looked at it once.\n\n"
        + b"## Cost\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nIt cost much.\n\n### Who\n\nAlpha paid.\n"
    )
    named, bare = (DocumentBuilder() for _ in range(2))
    named.paragraph("Water is cold in May.")
    named.heading(1, "Later")
    named.paragraph("It is warm in June.")
    bare.paragraph("Nothing is said here.")
    file = named.build()
    file = replace(file, source=replace(file.source, name="water.txt"), warnings=("It is short.",))
    return [report, file, bare.build()]


def check() -> TextCheck:
    document = joined(parts())
    text = longsum.read_bytes(TEXT.encode())

    def doubt(kind: str, words: str, **more: object) -> Doubt:
        start = text.sentences[0].text.index(words)
        return Doubt(kind, "differs", "cited", words, start, start + len(words), **more)  # type: ignore[arg-type]

    first = (
        Doubt("wording", "missing", "document"),
        doubt("direction", "rose", instead="fell", sentence=1),
        # It lies within the one before, and is told without a mark of its own.
        doubt("name", "os", instead="Os", sentence=1),
        doubt("quantity", "12 metres", instead="21 metres", sentence=0),
        doubt("date", "1913", instead="1931", sentence=1),
    )
    found = (
        ("differs", (1, 0), first),
        ("confirmed", (4,), ()),
        ("not_found", (), (Doubt("source", "missing", "document"),)),
        ("not_checkable", (), ()),
    )
    sentences = tuple(
        CheckedSentence(
            each.text,
            each.start,
            each.end,
            verdict,  # type: ignore[arg-type]
            tuple(SourceSpan.of(document, place, 0.75, "aligned") for place in places),
            findings,
            ("<cold>", "May") if verdict == "confirmed" else (),
        )
        for each, (verdict, places, findings) in zip(text.sentences, found, strict=True)
    )
    return TextCheck(text, document, sentences, ("[7] is <none>.",), {"reading": 1 / 3})


@pytest.mark.parametrize(
    ("form", "write"),
    [
        ("text", to_text),
        ("markdown", to_markdown),
        ("json", lambda check: json.dumps(to_json(check), indent=1, ensure_ascii=False)),
        ("html", render_check),
    ],
)
def test_every_form_is_as_it_was(as_before, form, write) -> None:
    as_before(f"check-{form}", write(check()))


def test_joined_documents_keep_their_content() -> None:
    given = parts()
    whole = joined(given)
    shape = [(section.level, section.title) for section in whole.walk()]
    assert shape == [
        *((1, "The report"), (2, "Cost"), (3, "Who")),
        *((1, "water.txt"), (2, "Later"), (1, "Document 3")),
    ]
    assert whole.title == "The report · water.txt · Document 3"
    assert whole.warnings == (
        *(f"The report: {each}" for each in given[0].warnings),
        "water.txt: It is short.",
    )
    assert whole.source.name == "water.txt"
    assert (whole.language, joined(given[:1] * 2).language) == (None, "en")
    (table,) = whole.omitted
    before = [each for each in whole.sentences if each.end <= table.place]
    assert (
        len(before)
        == len([each for each in given[0].sentences if each.end <= given[0].omitted[0].place])
        == 2
    )
    assert joined(given[:1]) is given[0]


def test_a_checker_without_numbers_takes_none_for_a_citation() -> None:
    (report,) = (longsum.read_bytes(b"The dam was built in 1931. It holds water."),)
    text = longsum.read_bytes(b"The dam was built in 1931 [3].")
    assert [each.verdict for each in Checker(report).checked(text.sentences)] == ["confirmed"]


@pytest.mark.parametrize(
    ("quoted", "is_there"),
    [
        ("water levels were never", True),
        ("Water levels, were NEVER measured", True),
        ("water levels … in winter", True),
        ("water levels [...] in winter", True),
        ("[The] water level[s] were never measured", True),
        ("levels water were never", False),
        ("levels were never mea", False),
        ("cold winter", True),  # too short to be a quotation
        ("water levels … in spring", False),
    ],
)
def test_words_in_quotation_marks_stand_in_the_document(quoted: str, is_there: bool) -> None:
    document = longsum.read_bytes(b"The water levels were never measured in winter. So be it.")
    for said in (f"He says “{quoted}” of it.", f'He says "{quoted}" of it.'):
        found = [*misquoted(said, document)]
        assert [said[each.start : each.end] for each in found] == [quoted] * (not is_there)


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_counts_and_controls_of_the_page_are_in_their_bar(visit, tmp_path, width) -> None:
    path = tmp_path / "check.html"
    path.write_text(render_check(check()), encoding="utf-8")
    page = visit(path.as_uri(), width=width)
    bar = page.locator("#summary .strip").bounding_box()
    for name in ("#reached", "#only-doubts", "#summary .menu"):
        box = page.locator(name).bounding_box()
        assert bar["x"] < box["x"]
        assert box["x"] + box["width"] < bar["x"] + bar["width"]
        assert bar["y"] < box["y"]
        assert box["y"] + box["height"] < bar["y"] + bar["height"]
