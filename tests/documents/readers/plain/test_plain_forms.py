import re
from pathlib import Path

import pytest

from document_views import outline
from linear_time import assert_linear
from longsum.documents import Document, Source
from longsum.documents.readers.plain.plain_forms import as_info, is_mail
from longsum.documents.readers.plain.spoken_forms import as_chat
from longsum.documents.readers.plain.text import read_text

_PAGE = (Path(__file__).parents[1] / "readings" / "tar.txt").read_text(encoding="utf-8")


def _read(text: str) -> Document:
    return read_text(text, Source("a.txt"))


@pytest.mark.parametrize("opening", ["", "\n\n", " \n\t\n"])
def test_headings_of_a_manual_page_in_any_language(opening: str) -> None:
    page = _PAGE.replace("NAME", "名前").replace("BUGS", "Fehler")
    assert {(1, "名前"), (1, "Fehler")} <= set(outline(_read(opening + page)))


def test_in_other_texts_only_capitals_over_indented_lines_are_headings() -> None:
    text = (
        "An opening.\n\nSCOPE\n    What it is about.\n\nHe said\n    this much.\n\n"
        "1. First\n   item here.\n"
    )
    document = _read(text)
    assert outline(document) == [(1, ""), (1, "SCOPE")]
    assert document.warnings == ()
    assert len(document.sentences) == 4


@pytest.mark.parametrize(
    "text",
    ["    SCOPE\n        What it is about.", "SCOPE AND\nAIM OF IT.", "UN\n    What it is about."],
)
def test_what_is_no_heading_over_indented_lines(text: str) -> None:
    assert outline(_read(f"An opening.\n\n{text}")) == [(1, "")]


def test_other_texts_are_none():
    assert as_info("A text.\x1fFile: none") is None
    assert as_info("File: a.info,  Node: Top\n\nText.") is None


@pytest.mark.parametrize(
    "unit", ["x", " ", "*note ", "*note a:" + " " * 90, "see *note a: (b)c ", "-\n"]
)
def test_in_linear_time(unit: str) -> None:
    node = "\x1f\nFile: a.info,  Node: Top,  Up: (dir)\n\n"
    assert_linear(lambda size: as_info(node + unit * size), 10_000)


HEADER = ["From: Ann <ann@example.org>", "To: Ben", "Subject: The bridge", "Date: 2 May 2020"]


@pytest.mark.parametrize(
    "lines",
    [
        HEADER,
        [HEADER[0], "X-Way: one", "  two", *HEADER[1:]],
        ["TO: Ann", "FROM: Ben", "DATE: May"],
    ],
    ids=["a header", "a field of two lines", "a memo"],
)
def test_a_header_of_an_e_mail(lines: list[str]) -> None:
    text = "\n".join([*lines, "", "The river rose.", ""])
    assert is_mail(text.encode())
    assert is_mail(text.replace("\n", "\r\n").encode())
    assert not is_mail(text.replace("\n\n", "\nIt says:\n").encode())


@pytest.mark.parametrize(
    "lines",
    [["Ann: Hello.", "Ben: Hello to you.", "Ann: Well?"], HEADER[:2], ["The river rose."], []],
    ids=["a talk", "too short", "text", "nothing"],
)
def test_other_lines_are_no_header(lines: list[str]) -> None:
    assert not is_mail("\n".join([*lines, "", "The river rose.", ""]).encode())


SAID = [
    ("Maria Lopez", "9:12", "Did anyone hear back from the landlord?"),
    ("Tom de Vries", "9:14", "Yes, he called last night. A plumber comes on Thursday."),
    ("Maria Lopez", "9:21", "I'll be at home: I work there that day."),
    ("Tom de Vries", "9:25", "Then I'll tell him."),
]


@pytest.mark.parametrize(
    "form",
    [
        "{name}  {time} AM\n{text}\n",
        "[{time} AM] {name}\n{text}\n",
        "[01-Mar-26 {time} PM] {name}#1234\n{text}\n",
        "{name} — Today at {time}\n\n{text}",
        "{name} (00:{time}):\n{text}\n",
        "0{time}:05 From {name} to Everyone:\n\t{text}",
        "0{time}:05\t From {name} : {text}",
        "[2026-03-01, {time}:33] {name}: {text}",
        "3/1/26, {time}\u202fPM - {name}: {text}",
    ],
)
def test_chats_and_transcripts_say_who_speaks(form: str) -> None:
    lines = [form.format(name=name, time=time, text=text) for name, time, text in SAID]
    found = [(each.speaker, each.text) for each in _read("\n".join(lines)).sentences]
    said = [(name, part) for name, _, text in SAID for part in re.split(r"(?<=\.) ", text)]
    assert found == said


@pytest.mark.parametrize("form", ["[17:03] <{}> {}", "17:03:09 <@{}> {}", "5:03 PM <{}>\n{}"])
def test_irc_says_who_speaks_and_what_nobody_says(form: str) -> None:
    said = [("ana", "The build fails."), ("tom_2", "Ask Li."), ("ana", "No."), ("li", "It works.")]
    lines = [form.format(name, text) for name, text in said]
    lines.insert(2, "[17:04] -!- li [~li@host] has joined #build")
    lines.insert(3, "17:04 * li waves")
    turns = [f"{name}: {text}" for name, text in said]
    turns[2:2] = ["[li [~li@host] has joined #build]", "[li waves]"]
    assert as_chat("\n".join(lines)) == "\n\n".join(turns)


@pytest.mark.parametrize(
    "text",
    [
        "Keynote 9:00 AM\nAna speaks.\nCoffee 10:30 AM\nTalks 11:00 AM\nBen speaks.",
        "10-30-2019 17:11 PDT\nFixes.\n" * 5,
        "2026-11-01 14:36:25 startup archives unpack\n" * 5,
        "Alone  9:12 AM\nHello.\n" * 5,
        "12:03:01 <info> Link up.\n12:03:02 <warn> Link down.\n12:03:04 <info> Link up.\n" * 2,
    ],
)
def test_other_texts_with_times_are_no_chat(text: str) -> None:
    assert as_chat(text) is None
