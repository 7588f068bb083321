"""Where a page of a PDF is divided into columns and rows."""

from collections.abc import Sequence

import pytest

from longsum.documents.readers.pdf.pdf_columns import _divides, _edge, _fills, _gutter, _rows
from longsum.documents.readers.pdf.pdf_content import Piece
from tables import rows


def column(left: float, rights: Sequence[float], text: str = "the water is") -> list[Piece]:
    return [Piece(text, left, right, 700 - 12 * n, 10) for n, right in enumerate(rights)]


@pytest.mark.parametrize(
    ("rights", "text", "fills"), rows(__file__, "six_rows_of_twelve_characters_fill_a_column")
)
def test_six_rows_of_twelve_characters_fill_a_column(rights, text, fills) -> None:
    assert _fills(column(0, rights, text)) is fills


@pytest.mark.parametrize(
    ("left", "right", "gutter"),
    [
        *((column(0, [190] * 6), column(201, [1000] * 6), 200.0),),
        *((column(0, [190] * 6), column(200, [1000] * 6), None),),
        *((column(0, [790] * 6), column(801, [1000] * 6), 800.0),),
        *((column(0, [790] * 6), column(802, [1000] * 6), None),),
        *((column(0, [490] * 5), column(501, [1000] * 6), None),),
        # Four of ten rows may cross it, and three of six pieces begin elsewhere.
        (column(0, [*[490] * 6, *[600] * 4]), column(501, [1000] * 6), 500.0),
        (column(0, [*[490] * 6, *[600] * 5]), column(501, [1000] * 6), None),
    ],
)
def test_where_a_gutter_may_be(left: list[Piece], right: list[Piece], gutter: float | None) -> None:
    assert _gutter([*left, *right]) == gutter


def test_few_pieces_may_cross_a_gutter() -> None:
    for before, after, across, divides in (
        *((3, 3, 4, True), (3, 3, 5, False), (2, 2, 1, True), (1, 9, 0, False), (9, 1, 0, False)),
    ):
        pieces = column(0, [49] * before + [90] * across) + column(51, [90] * after)
        assert _divides(pieces, 50) is divides


def test_the_edge_of_a_column_is_where_two_lines_end() -> None:
    far = [0.0, 10.0, 12.0, 20.0, 20.0, 20.0, 20.0]
    assert (_edge(far), _edge(far[:6]), _edge([0.0, 10.0, *[12.5] * 5])) == (10.0, 0.0, 0.0)


def test_pieces_of_one_row_differ_little_in_height() -> None:
    def rows(*baselines: float) -> list[list[float]]:
        pieces = [Piece("a", 90 - n, 99, base, 10) for n, base in enumerate(baselines)]
        return [[piece.baseline for piece in row] for row in _rows(pieces)]

    assert rows(90, 100, 96.5) == [[96.5, 100], [90]]
    assert rows(96.4, 100) == [[100], [96.4]]
