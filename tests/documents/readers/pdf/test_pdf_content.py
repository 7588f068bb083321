"""The appearance of fonts as a PDF describes them, and the usual layout of its lines."""

from collections.abc import Callable

import pytest

from longsum.documents.readers.pdf.pdf_content import PLAIN, Font, Line, Usual, usual_setting
from longsum.documents.readers.pdf.pdf_paragraphs import mark_notes, paragraphs, without_running
from tables import rows


@pytest.mark.parametrize(("described", "font"), rows(__file__, "fonts"))
def test_fonts(described: tuple[str, int, int, int], font: str) -> None:
    family, *styles = font.split()
    assert Font.described(*described) == Font(family, **dict.fromkeys(styles, True))


def line(text: str, baseline: float, right: float = 400, size: float = 10, column: int = 0) -> Line:
    return Line(text, 1, 0, right, baseline, size, column=column, edges=(0, 400))


@pytest.mark.parametrize(
    ("lines", "usual"),
    [
        ([], Usual()),
        ([line("x", 100, 100)], Usual(10, PLAIN, 12, 100)),
        ([line("x", 100, 100), *[line("x", 86, 100)] * 2], Usual(10, PLAIN, 14, 100)),
        # Neither larger lines, short ones, nor the step to another column say how far lines stand.
        ([line(9 * "x", 100), line(9 * "x", 88), line("x", 74), line(17 * "T", 60, size=14),
          line("y", 300, column=1), line("y", 288, 100, column=1), line("y", 200, 100, column=1)],
         Usual(10, PLAIN, 13, 400, is_spaced=True)),
        *(([*(line("x", 1000 - 12 * n) for n in range(9)), line("x", 904 - step)],
           Usual(10, PLAIN, 12, 400, is_spaced=step > 14.4)) for step in (14.4, 14.5)),
    ],
)  # fmt: skip
def test_how_most_lines_are_set(lines: list[Line], usual: Usual) -> None:
    assert usual_setting(lines) == usual


@pytest.mark.parametrize(
    ("left", "right", "centred"),
    [(21, 379, True), (20, 380, False), (30, 359, False), (30, 360, True), (99, 317, True),
     (99, 322, False)],
)  # fmt: skip
def test_lines_between_even_margins_are_centred(left: float, right: float, centred: bool) -> None:
    assert Line("x", 1, left, right, 0, 10, edges=(0, 400)).is_centred is centred


TITLES = ("Dams", "Rivers", "Floods", "Bridges", "Railways", "Boats", "Mills", "Lakes")


def _pages(headed: Callable[[int], bool], bare: Callable[[int], bool]) -> list[list[Line]]:
    """Make pages of text, some with a separate header, some with a single line."""
    pages = []
    for number, title in enumerate(TITLES):
        texts = [f"The {title.lower()} of page {number * 7} rise in {each}" for each in "abcd"]
        lines = [line(text, 600 - 12 * at, 300) for at, text in enumerate(texts)]
        head = [line(f"{title} of old", 700, 100)] if headed(number) else []
        pages.append(lines[:1] if bare(number) else [*head, *lines])
    return pages


@pytest.mark.parametrize(
    ("headed", "bare", "gone"),
    [
        # On all pages, on left or right ones beside others or pages with a line, on too few.
        (lambda _: True, lambda _: False, 8),
        (lambda number: number % 2 == 0, lambda _: False, 4),
        (lambda number: number % 2 == 1, lambda _: False, 4),
        (lambda number: number % 2 == 1, lambda number: number % 2 == 0, 4),
        (lambda number: number % 2 == 0, lambda number: number % 2 == 1, 4),
        (lambda number: number % 4 == 0, lambda _: False, 0),
        (lambda _: True, lambda number: number > 2, 0),
    ],
)
def test_page_headers_are_left_out_if_most_pages_of_a_side_have_one(headed, bare, gone) -> None:
    pages = _pages(headed, bare)
    kept, left_out = without_running(pages, 10)
    assert [line.text for line in left_out] == [
        lines[0].text for lines in pages if gone and lines[0].baseline == 700
    ]
    assert len(left_out) == gone
    assert kept == [[line for line in lines if line not in left_out] for lines in pages]


def test_small_lines_at_the_foot_of_a_column_are_notes_from_the_first_with_a_mark() -> None:
    columns = (
        (["It rains.", "It snows."], [], []),
        (["It rains."], [], ["1 A note", "goes on.", "* Another"]),
        (["It rains."], [], ["Table 1: Rain", "2 It fell."]),
        (["It rains."], ["small text"], ["3 A note"]),
        ([], [], ["4 A note"]),
        (["It rains."], ["small text", "2"], []),
    )
    lines = [
        line(text, 0, size=10 if place == 0 else 8, column=number)
        for number, parts in enumerate(columns)
        for place, texts in enumerate(parts)
        for text in texts
    ]
    mark_notes([[], lines], Usual(10))
    assert [each.text for each in lines if each.is_note] == [
        *("1 A note", "goes on.", "* Another", "3 A note"),
    ]


@pytest.mark.parametrize(
    ("texts", "lefts", "expected"),
    [
        (
            ["• our dams", "are low", "• our mills"],
            [0, 9, 0],
            ["• our dams are low", "• our mills"],
        ),
        (["• Our dams", "◦ our weirs"], [0, 9], ["• Our dams", "◦ our weirs"]),
        (["• Our dams • Our weirs", "• Our mills"], [0, 0], ["• Our dams • Our weirs • Our mills"]),
        (["We have dams", "• our mills"], [0, 0], ["We have dams • our mills"]),
        (["1. our dams", "2. our mills"], [0, 0.5], ["1. our dams", "2. our mills"]),
        (["1. our dams of", "2. our mills"], [0, 9], ["1. our dams of 2. our mills"]),
        (["1. our dams of", "3. our mills"], [0, 0], ["1. our dams of 3. our mills"]),
    ],
)
def test_an_item_ends_where_the_next_one_begins(texts, lefts, expected) -> None:
    lines = [line(text, 100 - 12 * number) for number, text in enumerate(texts)]
    for each, left in zip(lines, lefts, strict=True):
        each.left = left
    found = paragraphs(lines, Usual(10, PLAIN, 12, 400))
    assert [" ".join(each.text for each in paragraph) for paragraph in found] == expected
