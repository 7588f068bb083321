"""The section tree of a PDF: the effect of each sign, and that the tree is always valid."""

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longsum.documents import Document, Source
from longsum.documents.readers.pdf.pdf import lay_out
from longsum.documents.readers.pdf.pdf_columns import lines_of, shared_gutters
from longsum.documents.readers.pdf.pdf_content import Bookmark, Font, Line, Page, PdfText, Piece
from longsum.documents.readers.pdf.pdf_evidence import (
    Candidate,
    Usual,
    _Judge,
    _place,
    _stated_elsewhere,
    _wraps,
)
from longsum.documents.readers.pdf.pdf_paragraphs import mend_words
from longsum.documents.readers.structure.heading_candidates import Sign, decode
from longsum.documents.readers.structure.heading_numbers import heading_number
from tables import rows

_SERIF = Font("times")
_BOLD = Font("times", bold=True)
_WORDS = [
    *("the", "river", "was", "high", "in", "spring", "and", "the", "town", "built", "a", "wall"),
    *("along", "its", "bank", "so", "that"),
]


class _Sheet:
    """A page that is written from top to bottom, in one column or two."""

    def __init__(self, left: float = 72, width: float = 450) -> None:
        self.pieces: list[Piece] = []
        self._left, self._width, self._height = left, width, 720.0

    def heading(self, text: str, size: float = 10, font: Font = _BOLD, role: str = "") -> None:
        self._height -= 10
        self._put(text, len(text) * 0.5 * size, size, font, role)
        self._height -= 4

    def text(self, lines: int = 4, seed: int = 0, role: str = "") -> None:
        for number in range(lines):
            last = number == lines - 1
            width = self._width * (0.5 if last else 1)
            words = [_WORDS[(seed + number + n) % len(_WORDS)] for n in range(int(width / 27))]
            self._put(" ".join(words) + "." * last, width, 10, _SERIF, role)
        self._height -= 3

    def _put(self, text: str, width: float, size: float, font: Font, role: str) -> None:
        self._height -= 1.2 * size
        number = len(self.pieces)
        right = self._left + width
        self.pieces.append(Piece(text, self._left, right, self._height, size, font, role, number))


def _read(sheets: Sequence[_Sheet], outline: dict[int, list[Bookmark]] | None = None) -> Document:
    pages = tuple(Page(612, 792, sheet.pieces) for sheet in sheets)
    return lay_out(PdfText("", pages, outline or {}), Source("a.pdf", "pdf"))


def _outline(document: Document) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in document.walk() if section.title]


def _report(*headings: tuple[float, str], font: Font = _BOLD, opening: str = "") -> _Sheet:
    sheet = _Sheet()
    if opening:
        sheet.heading(opening, 18)
    sheet.text()
    for size, title in headings:
        sheet.heading(title, size, font)
        sheet.text()
    return sheet


def test_larger_headings_are_above_smaller_ones() -> None:
    sizes = [(14, "Aims"), (12, "Of rivers"), (12, "Of towns"), (14, "Means"), (12, "Of walls")]
    document = _read([_report(*sizes)])
    levels = [(1 if size == 14 else 2, title) for size, title in sizes]
    assert _outline(document) == levels
    section = document.walk()[1]
    assert section.evidence is not None
    assert section.evidence.confidence > 0.9
    assert section.evidence.signs[0] == "14 pt, text 10 pt"
    assert "bold" in section.evidence.signs


def test_short_lines_in_another_family_are_headings() -> None:
    titles = ["Aims of it", "Of rivers", "Of the town"]
    sans = _report(*((10, title) for title in titles), font=Font("helvetica"))
    assert _outline(_read([sans])) == [(1, title) for title in titles]
    assert _outline(_read([_report(*((10, title) for title in titles), font=_SERIF)])) == []


def test_numbers_give_depth_if_headings_look_alike() -> None:
    titles = ["1 Aims", "1.1 Of rivers", "1.1.1 In spring", "1.2 Of towns", "2 Means"]
    document = _read([_report(*((10, title) for title in titles))])
    assert _outline(document) == [(1 + title.split()[0].count("."), title) for title in titles]


def test_numbers_that_restart_are_one_level_below() -> None:
    italic = Font("times", italic=True)
    sheet = _Sheet()
    sheet.text()
    for title, font in [
        ("I. AIMS OF ALL", _BOLD),
        ("A. Rivers of it", italic),
        ("B. Towns of it", italic),
        ("II. MEANS OF ALL", _BOLD),
        ("A. Walls of it", italic),
        ("B. Banks of it", italic),
    ]:
        sheet.heading(title, 10, font)
        sheet.text()
    assert [level for level, _ in _outline(_read([sheet]))] == [1, 2, 2, 1, 2, 2]


def test_tags_have_priority_over_appearance() -> None:
    sheet = _Sheet()
    for role, title in [("H2", "Aims"), ("H3", "Of rivers"), ("P", "Bold words"), ("H2", "Means")]:
        sheet.heading(title, 10, _BOLD, role)
        sheet.text(role="P")
    assert _outline(_read([sheet])) == [(1, "Aims"), (2, "Of rivers"), (1, "Means")]


def test_an_outline_of_chapters_is_completed_from_the_looks_of_the_text() -> None:
    sheet = _report((14, "Aims"), (12, "Of rivers"), (14, "Means"), (12, "Of walls"))
    document = _read([sheet], {1: [Bookmark(0, "Aims"), Bookmark(0, "Means")]})
    assert _outline(document) == [(1, "Aims"), (2, "Of rivers"), (1, "Means"), (2, "Of walls")]
    assert "in the outline" in document.walk()[1].evidence.signs  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("titles", "title"), rows(__file__, "what_comes_before_the_numbers_is_the_title")
)
def test_a_heading_before_the_numbered_ones_is_the_title(titles: list[str], title: str) -> None:
    sheet = _Sheet()
    for heading in ["On Rivers and Towns", *titles]:
        sheet.heading(heading)
        sheet.text()
    assert _read([sheet]).title == title


@pytest.mark.parametrize(
    ("title", "page", "is_title"),
    [*(("Rain", 1, True), ("Ram", 1, False), ("Rain", 2, True), ("Rain", 3, False))],
)
def test_a_title_has_four_letters_on_the_first_two_pages(title, page, is_title) -> None:
    sheets = [_Sheet() for _ in range(page - 1)]
    for number, sheet in enumerate(sheets):
        sheet.heading(f"Draft {number}", 8, _SERIF)
    document = _read([*sheets, _report((12, "Aims"), (12, "Means"), opening=title)])
    assert (document.title == title) is is_title
    assert (title in dict(map(reversed, _outline(document)))) is not is_title


def test_authors_between_title_and_text_are_no_headings() -> None:
    sheet = _Sheet()
    sheet.heading("On Rivers and Towns", 18)
    sheet.heading("Ann Author and Bob Writer", 12)
    sheet.heading("University of the Bank", 10, _SERIF)
    sheet.heading("Abstract", 9)
    sheet.text()
    for title in ("Aims", "Means", "Ends"):
        sheet.heading(title, 12)
        sheet.text()
    document = _read([sheet])
    assert document.title == "On Rivers and Towns"
    assert [title for _, title in _outline(document)] == ["Abstract", "Aims", "Means", "Ends"]


def test_columns_are_read_one_after_the_other_whatever_the_order_of_the_file() -> None:
    left, right = _Sheet(72, 220), _Sheet(320, 220)
    for sheet, seed in ((left, 0), (right, 3)):
        for _ in range(3):
            sheet.text(4, seed)
    mixed = [piece for pair in zip(left.pieces, right.pieces, strict=True) for piece in pair]
    title = Piece("A title over both columns", 150, 460, 760, 16, _BOLD)
    lines = lines_of(Page(612, 792, [*mixed, title]), 1, 0)
    assert [line.text for line in lines] == [
        title.text,
        *(piece.text for piece in left.pieces),
        *(piece.text for piece in right.pieces),
    ]


@pytest.mark.parametrize(
    ("head", "tail", "known", "whole"),
    rows(__file__, "hyphens_stay_where_the_document_writes_them"),
)
def test_hyphens_are_kept_if_the_document_uses_them(head, tail, known, whole) -> None:
    lines = [Line(known, 1), Line(f"An {head}", 1, broken=True), Line(tail, 2)]
    mend_words(lines)
    assert lines[1].text == f"An {whole}"
    assert lines[2].text == tail.partition(" ")[2]
    aside = [Line("An aside -", 1), Line("so it is", 1)]
    mend_words(aside)
    assert aside[0].text == "An aside -"


@pytest.mark.parametrize(
    ("head", "tail", "goes_on"),
    [
        ("https://a.org/", "package=b) is", True),
        ("https://a.org/", "b.html is", True),
        ("https://a.org/", "is old", False),
        ("https://a.org/", "1.2 Aims", False),
        ("https://a.", "org is", True),
        ("https://A.", "R-b.org/c is", True),
        ("https://a.org.", "It is", False),
        ("https://a.org/b/.", "macOS is", False),
        ("https://a.org/b?c=", "It is", True),
        ("https://a.org/b-", "c is", True),
        ("https://a.org/?", "b=c is", True),
        ("Is it www.a.org?", "It is", False),
        ("https://a.org", "/b is", True),
        ("https://a.org)", "/b is", False),
        ("See a.org/", "b.html is", False),
    ],
)  # fmt: skip
def test_addresses_continue_in_the_next_line(head: str, tail: str, goes_on: bool) -> None:
    lines = [Line(head, 1), Line(tail, 1)]
    mend_words(lines)
    word, _, rest = tail.partition(" ")
    assert [line.text for line in lines] == ([head + word, rest] if goes_on else [head, tail])


@pytest.mark.parametrize(
    ("last", "text", "known", "signs"), rows(__file__, "where_candidates_stand")
)
def test_evidence_from_the_place_of_candidates(
    last: int, text: list[int], known: str, signs: str
) -> None:
    lines = [*[Line("Aims", 1)] * 12, *[Line("Aims", 2)] * 20]
    candidate = Candidate(last - 1, last, known or "Aims", lines[0], number=heading_number(known))
    assert told(_place(candidate, lines, text)) == signs


@pytest.mark.parametrize(
    ("role", "listed", "tagged", "number", "signs", "level"),
    rows(__file__, "what_tags_and_contents_say"),
)
def test_evidence_from_tags_and_contents(role, listed, tagged, number, signs, level) -> None:
    own = Candidate(0, 1, "Aims", Line("Aims", 1, role=role), number=heading_number(f"{number}A"))
    assert told(_stated_elsewhere(own, set(listed.split()), tagged)) == signs
    assert own.level == level


def told(signs: Iterable[Sign]) -> str:
    return "|".join(f"{sign.weight:g} {sign.text}" for sign in signs)


_PLAIN = "|-1.8 no space above|0.8 alone after a sentence|0 space below"


@pytest.mark.parametrize(
    ("look", "signs"), rows(__file__, "what_speaks_for_a_heading_and_how_much")
)
def test_evidence_for_a_heading_and_its_weight(look: dict, signs: str) -> None:
    assert (
        _judged([{}, {"baseline": 88.0, "right": 200.0, "text": "Aims", **look}, _BELOW]) == signs
    )


_BELOW = {"text": "So it is", "baseline": 40.0}


def _font(look: dict) -> Font:
    """Return a font by its family and what it is: `times bold`."""
    family, *styles = look.get("font", "times").split()
    return Font(family, **dict.fromkeys(styles, True))


def _judged(looks: Sequence[dict], spaced: bool = True, font: Font = _SERIF) -> str:
    """Return the evidence for the second of some lines, without the prior."""
    usual = {"text": "It rose.", "page": 1, "size": 10.0, "font": _SERIF, "right": 450.0}
    lines = [
        Line(**{**usual, "edges": (0.0, 450.0), "baseline": 100.0, **look, "font": _font(look)})
        for look in looks
    ]
    own = Candidate(1, 2, lines[1].text, lines[1])
    found = told(_Judge(lines, Usual(10.0, font, 12.0, 400.0, spaced), own).signs())
    prior = f"{-3.2 if spaced else -1.8} most lines are text"
    assert found.startswith(prior)
    return found.removeprefix(prior)


@pytest.mark.parametrize(
    ("above", "below", "signs"), rows(__file__, "what_stands_above_and_below_a_heading")
)
def test_evidence_from_the_lines_above_and_below(above, below, signs) -> None:
    own = {"baseline": 88.0, "right": 200.0, "text": "Aims", "gaps": int("rows" in signs)}
    assert _judged([above, own, *([] if below is None else [_BELOW | below])]) == signs


@pytest.mark.parametrize(
    ("look", "after", "wraps"), rows(__file__, "what_goes_on_in_the_next_line")
)
def test_headings_that_continue_in_the_next_line(look, after, wraps) -> None:
    usual = {"page": 1, "size": 10.0, "edges": (0.0, 450.0), "right": 400.0, "baseline": 100.0}
    first = Line(**usual | {"text": "Of the river"} | look | {"font": _font(look)})
    last = Line(**usual | {"text": "and it", "baseline": 88.0} | after | {"font": _font(after)})
    assert _wraps(first, last, Usual(10.0, _SERIF, 12.0, 400.0)) is wraps


def test_if_no_line_is_set_off_missing_space_above_is_no_evidence() -> None:
    own = {"baseline": 88.0, "right": 200.0, "text": "Aims"}
    assert _judged([{}, own, _BELOW], spaced=False) == "|0.8 alone after a sentence|0 space below"
    assert _judged([{}, {**own, "font": "times bold"}, _BELOW], font=_BOLD) == _PLAIN


def test_running_heads_that_vary_are_found_by_their_height() -> None:
    sheets = []
    for number in range(8):
        sheet = _Sheet()
        head = Piece(f"Chapter of {_WORDS[number]} things", 72, 200, 760, 9, _SERIF)
        sheet.pieces.append(head)
        sheet.text(12, number)
        sheets.append(sheet)
    document = _read(sheets)
    assert "Chapter of" not in document.text
    assert document.warnings == ("Left out of the text: 8 running heads (32 words).",)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.floats(-8, 8),
            st.sampled_from([8.0, 10.0, 12.0, 14.0]),
            st.sampled_from(["Aims", "1 Aims", "1.1 Of it", "2.3.4 So", "A. Rivers", "IV. Ends"]),
            st.sampled_from([None, None, 1, 2, 5, 9]),
        ),
        max_size=12,
    )
)
def test_levels_always_make_a_tree(rows: list[tuple[float, float, str, int | None]]) -> None:
    candidates = [
        Candidate(
            place,
            place + 1,
            text,
            Line(text, 1, size=size, font=_BOLD),
            number=heading_number(text),
            signs=[Sign(score, "score")],
            level=level,
            stated=level is not None,
        )
        for place, (score, size, text, level) in enumerate(rows)
    ]
    levels = decode(candidates)
    assert len(levels) == len(rows)
    last = 0
    for candidate, level in zip(candidates, levels, strict=True):
        # What the outline states is always kept; a heading is at most one below the last.
        assert level or not candidate.stated
        if level:
            assert 1 <= level <= last + 1
            last = level


def test_evenly_spaced_words_from_edge_to_edge_are_not_cells() -> None:
    def gaps(*places: float, words: str = "water", edge: float = 215) -> int:
        row = [Piece(words, left, left + 30, 700, 10) for left in places]
        full = [Piece("The water of it", 50, edge, 720 + 12 * n, 10) for n in range(2)]
        return lines_of(Page(600, 800, [*row, *full]), 1, 0)[-1].gaps

    assert gaps(50, 95, 140, 185) == 0
    assert gaps(50, 185) == 0
    assert gaps(50, 95, 120, 185) == 3, "cells stand apart unevenly"
    assert gaps(50, 95, 140, 185, edge=300) == 3, "the row ends far from the edge"
    assert gaps(50, 95, 140, 185, words="4,050,312") == 3, "figures are cells"
    assert gaps(50, 185, words="of it") == 1, "two cells of several words"
    assert gaps(50) == 0


def test_a_gutter_is_shared_by_two_pages_or_all_that_have_much_text() -> None:
    def page(rows: int, right: float = 320) -> Page:
        sides = ((50, 300), (right, 570))
        return Page(
            612,
            792,
            [
                Piece("water flows to the sea", left, end, 700 - 12 * n, 10)
                for n in range(rows)
                for left, end in sides
            ],
        )

    full, short = page(8), page(2)
    assert shared_gutters([full, full]) == shared_gutters([full, short]) == [319]
    for apart in range(5):
        found = shared_gutters([full, page(8, right=320 + apart)])
        assert found == (sorted({319, 319 + apart}) if apart <= 2 else [])


def test_a_note_takes_no_word_of_the_text_of_the_next_page() -> None:
    sheets = [_Sheet(), _Sheet()]
    for sheet in sheets:
        sheet.text(3)
    sheets[0]._put("1 The wall is of type A-", 200, 7, _SERIF, "")
    assert "\n\n1 The wall is of type A-\n\nthe river was high" in _read(sheets).text
