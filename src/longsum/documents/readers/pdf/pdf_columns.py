"""Puts the lines of a page into reading order: columns found by their gutter, rows joined."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from longsum.documents.readers.pdf.pdf_content import Line, Page, Piece
from longsum.language.characters import clean

_BREAK = re.compile("[\x02\ufffe\u00ad]")
# A space after the number of a heading, a list item or a note does not divide cells.
_LABEL = re.compile(r"(?:[\dA-Za-z]{1,4}(?:\.\d{1,3}){0,5}|[IVXLC]{1,7}|\W)[.):]?")
_SAME_ROW = 0.35
"""Largest difference of the baselines of one row, in multiples of its font size."""
_GUTTERS = (0.2, 0.8)
"""Where a gutter may be, as shares of the width of the text."""
_FEWEST_STARTS = 4
"""Fewest pieces that begin where a column does."""
_FEWEST_ROWS = 6
"""Fewest rows beside a gutter."""
_MOST_ACROSS = 0.4
"""Largest share of rows that may cross a gutter, such as titles and wide tables."""
_OVERLONG = 0.04
"""Share of the text's width by which a line may reach across the gutter."""
_ALIGNED = 2
"""Points by which the ends of lines at one edge may differ."""
_FULL = 0.6
"""Least width of most rows of a column, relative to the column; cells of tables are narrower."""
_NARROWEST = 12
"""Fewest characters of most rows of a column."""
_DEEPEST = 3
_EVEN, _RAGGED = 0.3, 0.5
"""Largest difference between the gaps of a justified row, and of its ends from the edges of the
column, in multiples of its font size."""


def shared_gutters(pages: Sequence[Page]) -> list[float]:
    """Return the gutters that two pages share, or all pages with much text."""
    full = [page.pieces for page in pages if len(page.pieces) >= 2 * _FEWEST_ROWS]
    places = Counter(round(place) for each in full if (place := _gutter(each)) is not None)
    least = min(2, len(full))
    return [
        place
        for place in places
        if sum(places[place + step] for step in (-2, -1, 0, 1, 2)) >= least
    ]


def lines_of(page: Page, number: int, column: int, gutters: Sequence[float] = ()) -> list[Line]:
    """Return the lines of a page in reading order.

    A page is divided at a gutter if most rows are wholly on one side of it and fill their side;
    what crosses the gutter divides the page into bands, which are read from top to bottom, the left
    column of each before the right one.

    Args:
        page: The page.
        number: Its number, from 1.
        column: The number of its first column.
        gutters: Where other pages have a gutter, which suffices for a page with little text.
    """
    pieces = [piece for piece in page.pieces if piece.text.strip(" \x02\ufffe\u00ad")]
    lines: list[Line] = []
    for rows in _columns(pieces, _DEEPEST, gutters):
        lines += _column_lines(rows, number, column)
        column += 1
    return lines


def _columns(
    pieces: Sequence[Piece], depth: int, gutters: Sequence[float] = ()
) -> Iterator[list[list[Piece]]]:
    """Yield columns in reading order, each as rows from top to bottom."""
    gutter = _gutter(pieces) if depth and len(pieces) >= 2 * _FEWEST_ROWS else None
    if gutter is None:
        gutter = next((place for place in gutters if _divides(pieces, place)), None)
    if gutter is None:
        if pieces:
            yield _rows(pieces)
        return
    # Lines that reach only slightly across the gutter are too long for their column.
    reach = _OVERLONG * (max(p.right for p in pieces) - min(p.left for p in pieces))
    across: list[Piece] = []
    beside: list[Piece] = []
    for piece in pieces:
        is_across = piece.left < gutter - reach and piece.right > gutter + reach
        (across if is_across else beside).append(piece)
    rows = _rows(across)
    tops = [-row[0].baseline for row in rows]
    bands: list[list[Piece]] = [[] for _ in range(len(rows) + 1)]
    for piece in beside:
        bands[bisect_left(tops, -piece.baseline)].append(piece)
    waiting: list[list[Piece]] = []
    for place, band in enumerate(bands):
        if band:
            if waiting:
                yield waiting
            waiting = []
            left = [piece for piece in band if piece.left + piece.right <= 2 * gutter]
            yield from _columns(left, depth - 1)
            right = [piece for piece in band if piece.left + piece.right > 2 * gutter]
            yield from _columns(right, depth - 1)
        if place < len(rows):
            waiting.append(rows[place])
    if waiting:
        yield waiting


def _divides(pieces: Sequence[Piece], gutter: float) -> bool:
    """Return whether pieces are on both sides of a gutter, and few across it."""
    before = sum(piece.right <= gutter for piece in pieces)
    after = sum(piece.left >= gutter for piece in pieces)
    across = len(pieces) - before - after
    return before > 1 and after > 1 and across <= _MOST_ACROSS * len(pieces)


def _gutter(pieces: Sequence[Piece]) -> float | None:
    """Return where a gutter divides the pieces, None if they are one column."""
    left, right = min(p.left for p in pieces), max(p.right for p in pieces)
    width = right - left
    edges = Counter(round(piece.left) for piece in pieces)
    rows = _rows(pieces)
    best: tuple[float, float] | None = None
    for edge in edges:
        if sum(edges[edge + step] for step in (-1, 0, 1)) < _FEWEST_STARTS:
            continue
        place = edge - 1.0
        if not _GUTTERS[0] <= (place - left) / max(width, 1) <= _GUTTERS[1]:
            continue
        before = [piece for piece in pieces if piece.right <= place]
        after = [piece for piece in pieces if piece.left >= place]
        across = sum(any(p.left < place < p.right for p in row) for row in rows)
        if across > _MOST_ACROSS * len(rows) or not (_fills(before) and _fills(after)):
            continue
        starts = sum(abs(piece.left - edge) <= 2 for piece in after)
        score = starts - across
        if best is None or score > best[0]:
            best = (score, place)
    return None if best is None else best[1]


def _fills(pieces: Sequence[Piece]) -> bool:
    """Return whether pieces fill a column of running text."""
    if len(pieces) < _FEWEST_ROWS:
        return False
    rows = _rows(pieces)
    width = max(p.right for p in pieces) - min(p.left for p in pieces)
    usual = median(row[-1].right - row[0].left for row in rows)
    characters = median(sum(len(piece.text) for piece in row) for row in rows)
    return len(rows) >= _FEWEST_ROWS and usual >= _FULL * width and characters >= _NARROWEST


def _rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Divide pieces into rows from top to bottom, each from left to right."""
    rows: list[list[Piece]] = []
    ordered = sorted(pieces, key=lambda piece: -piece.baseline)
    for piece in ordered:
        if rows and rows[-1][0].baseline - piece.baseline <= _SAME_ROW * max(piece.size, 1):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    for row in rows:
        row.sort(key=lambda piece: piece.left)
    return rows


def _column_lines(rows: Sequence[Sequence[Piece]], page: int, column: int) -> list[Line]:
    lines = [(line, row) for row in rows if (line := _line(row, page, column)) is not None]
    if not lines:
        return []
    edges = (
        _edge(sorted(line.left for line, _ in lines)),
        _edge(sorted((line.right for line, _ in lines), reverse=True)),
    )
    for line, row in lines:
        line.edges = edges
        if line.gaps and _is_justified(line, row):
            line.gaps = 0
    return [line for line, _ in lines]


def _edge(places: Sequence[float]) -> float:
    """Return the outermost of some positions, unless it is the only one so far out."""
    if len(places) > _FEWEST_ROWS and abs(places[1] - places[2]) <= _ALIGNED:
        return places[1]
    return places[0]


def _is_justified(line: Line, row: Sequence[Piece]) -> bool:
    """Return whether words are spaced evenly from edge to edge, as in narrow columns."""
    left, right = line.edges
    gaps = [after.left - before.right for before, after in pairwise(row)]
    alone = all(" " not in piece.text for piece in row)
    words = sum(any(map(str.isalpha, piece.text)) for piece in row)
    return (
        max(line.left - left, right - line.right) <= _RAGGED * line.size
        and max(gaps) - min(gaps) <= _EVEN * line.size
        and (alone or len(gaps) > 1)
        and 2 * words > len(row)
    )


def _line(row: Sequence[Piece], page: int, column: int) -> Line | None:
    text = " ".join(piece.text for piece in row)
    broken = bool(_BREAK.search(text[-1:]))
    text = clean(_BREAK.sub("-", text[:-1]) if broken else _BREAK.sub("-", text))
    if not text:
        return None
    main = max(row, key=lambda piece: len(piece.text))
    return Line(
        text,
        page,
        row[0].left,
        max(piece.right for piece in row),
        main.baseline,
        main.size,
        main.font,
        main.role,
        column,
        gaps=len(row) - 1 - (len(row) > 1 and bool(_LABEL.fullmatch(row[0].text))),
        broken=broken,
    )
