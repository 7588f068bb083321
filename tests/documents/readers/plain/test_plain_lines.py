"""The same words in other lines: repeated prefixes are removed, titles and paragraphs separated."""

import pytest

from longsum.documents import Document, Source
from longsum.documents.readers.plain.plain_lines import (
    even_lines,
    find_titles,
    is_question_title,
    without_tags,
)
from longsum.documents.readers.plain.text import read_text

_TITLE = "How the Rivers Were Counted"
_HEADINGS = ["Where Is the Water?", "Results in brief"]
_PARAGRAPHS = [
    "The rivers of the north were counted by people who walked along them for a year. They "
    "found that most of them carry less water than the maps say.",
    "In spring the water of all of them rises by a metre, and the fields beside them are wet "
    "until the middle of the summer. Nobody had written that down before.",
    "What the count shows is that a map of rivers is out of date as soon as it is printed, "
    "since water does not stay where it was drawn.",
]


def _wrapped(text: str, first: str = "", rest: str = "", width: int = 50) -> list[str]:
    lines, line = [], first
    for word in text.split():
        if len(line) + len(word) >= width and line.strip():
            lines.append(line.rstrip())
            line = rest
        line += word + " "
    return [*lines, line.rstrip()]


def _laid_out(first: str = "", rest: str = "", *, blank: bool = True) -> list[str]:
    blocks = [
        [_TITLE],
        [_HEADINGS[0]],
        _wrapped(_PARAGRAPHS[0], first, rest),
        _wrapped(_PARAGRAPHS[1], first, rest),
        [_HEADINGS[1]],
        _wrapped(_PARAGRAPHS[2], first, rest),
    ]
    return [line for block in blocks for line in (*block, *[""] * blank)]


def _numbered(lines: list[str], every: int) -> list[str]:
    count, found = 0, []
    for line in lines:
        count += bool(line)
        shown = line and count % every == 0
        found.append(f"{count if shown else '':>3}  {line}".rstrip())
    return found


def _read(lines: list[str]) -> Document:
    return read_text("\n".join(lines), Source("a.txt"))


def test_a_page_of_law_with_numbered_lines_below_a_heading_is_running_text() -> None:
    above = [line for n in range(8) for line in (f"IN SENATE, {n}", "", f"      {430 + n}", "")]
    law = [_PARAGRAPHS[0], *_PARAGRAPHS[1:]]
    numbered = [line for line in _numbered(_laid_out(), 1) if line.strip()]
    text = _read([*above, *numbered, "", "EXPLANATION -- new.", "", *numbered]).text
    assert all(text.count(each) == 2 for each in law)


@pytest.mark.parametrize(
    "lines",
    [
        # Numbers of a list, of a table, and of years count nothing.
        [f"{number}. Item of the list that says it all." for number in range(1, 12)],
        ["1 Alice came first.", "2 Bert came second.", "7 Carla came last of them all."],
        [f"{1990 + number} was a year in which it rained." for number in range(12)],
    ],
)
def test_numbers_that_belong_to_the_text_stay(lines: list[str]) -> None:
    text = _read(lines).text
    assert all(line.split()[0].strip(".") in text for line in lines)


@pytest.mark.parametrize(
    "lines",
    [
        ["Anna", "", "Bert", "", "Carla", "", "Dora", "", _PARAGRAPHS[0]],
        ["It was late.", "", "Anna", "", "Good.", "", "Anna", "", "Yes.", "", "Anna", "", "No."],
        ["It was late", "", "Then It Rained", "", "And so on", "", "without an end of any line"],
        [_PARAGRAPHS[0], "", "Signed in the House of the River"],
        # The first line of a paragraph that is indented.
        [
            _PARAGRAPHS[0],
            "",
            "        Rather than waiting for it, the",
            "Council mends the roof in summer with its own men.",
            "It rained on each of the days and the roof was wet.",
        ],
        # Questions of a text whose paragraphs hang.
        [
            line
            for p in _PARAGRAPHS
            for t in (p, p, "But what if it rains again?")
            for line in (t[:60], *(f"    {t[at : at + 40]}" for at in (60, 100) if t[at:]), "")
        ],
    ],
)
def test_lists_speakers_verse_and_signatures_are_no_headings(lines: list[str]) -> None:
    assert [section.title for section in _read(lines).walk()] == [""]


def test_a_cell_of_prose_makes_no_table() -> None:
    assert _read([f"NAME:    {sentence}" for sentence in _PARAGRAPHS]).omitted == ()
    rows = ["Year    Rain    Snow", "=" * 20, "1999    12      3", "2000    14      5"]
    for table in (rows, rows[:1] + rows[2:]):
        document = _read([_PARAGRAPHS[0], "", *table])
        assert [part.kind for part in document.omitted] == ["table"]
        assert len(document.walk()) == 1


def test_speech_below_a_name_is_not_a_title() -> None:
    said = ["The river rose in the night and took the bridge of the mill away."]
    assert find_titles([["The Bridge"], said, ["Lane. Yes, sir"], said]) == {0}
    assert find_titles([["The Bridge"], said] * 2) == {0, 2}
    assert find_titles([["The Bridge"], said] * 3) == set()
    assert find_titles([["Ann: Yes, I do"], said, ["Ben: So do I"], said] * 2) == set()


def test_titles_may_be_above_items_or_numbered_above_text_but_not_among_items() -> None:
    lines = ["THE PARTIES", *(f"     {n}. {text}" for n, text in enumerate(_PARAGRAPHS, 1)), ""]
    lines += [line for n in (1, 2) for line in (f"{n}. The Pump", _PARAGRAPHS[n])]
    lines += ["", "1. It rained.", "2. Snow fell", f"3. {_PARAGRAPHS[0]}"]
    document = _read(lines)
    assert [section.title for section in document.walk()] == [
        *("THE PARTIES", "1. The Pump", "2. The Pump")
    ]
    assert sum(sentence.kind == "list_item" for sentence in document.sentences) >= 4


def test_a_tag_closes_within_the_last_thousand_characters() -> None:
    for more, tags in ((995, ["a", "b"]), (996, [])):
        text = f"<?xml?>\n<a>The river <b>rose</b>.</a>\n{'.' * more}"
        assert without_tags(text)[1] == tags


def test_a_question_title_may_contain_small_words() -> None:
    small = "a an and at by for from in of on or the to with"
    assert all(is_question_title(f"Who Is {word} River?") for word in small.split())
    assert not is_question_title("Who was There?")


_LISTED = ["Our works", "the dams", "the weirs", "The mills"]


def test_each_line_of_an_unwrapped_text_is_a_paragraph() -> None:
    lines = [*_PARAGRAPHS, *_LISTED, *_PARAGRAPHS]
    divided = even_lines("\n".join(lines)).split("\n\n")
    # What goes on in lower case belongs to the line above.
    listed = ["Our works\nthe dams\nthe weirs", "The mills"]
    assert [part.strip() for part in divided] == [*_PARAGRAPHS, *listed, *_PARAGRAPHS]


@pytest.mark.parametrize(
    "lines",
    [
        [*(text.rstrip(".") for text in _PARAGRAPHS), *_LISTED, *_PARAGRAPHS[:1]],
        [line for text in _PARAGRAPHS for line in (text, "", *_LISTED[:1])],
        [*_PARAGRAPHS, *[*_LISTED, "as long as they are, and longer"] * 9],
        _PARAGRAPHS,
    ],
)
def test_lines_without_an_end_or_between_blank_ones_and_short_ones_are_not_divided(lines) -> None:
    text = "\n".join(lines)
    assert even_lines(text) == text
