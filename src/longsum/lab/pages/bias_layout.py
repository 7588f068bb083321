"""Layout of charts of biases: marks with positions and sizes, for the page and for PNG files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Literal

import numpy as np

from longsum.common.arrays import Array
from longsum.lab.pages.bias_sheets import Heat, Lines, Sheet, signed

TEXT = 11
"""Height of letters in pixels."""
CHARACTER = 0.6 * TEXT
"""Width of a letter, rounded up."""
_BOLD = 1.15
"""How much wider bold letters are."""
_LINE = 16
_GAP = 14
_BAR = 15
"""Cells of the scale, an odd number: the middle one is zero."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A coloured rectangle; x and y in pixels from the upper left corner of the drawing.

    `share` is its value as a share of the scale, from −1 to 1; `tooltip` may be empty.
    """

    x: float
    y: float
    width: float
    height: float
    share: float
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text.

    Attributes:
        x: Where it is anchored.
        y: The middle of its height.
        text: The text.
        anchor: Which end of it is at `x`, or at `y` if it is turned.
        turned: Whether it runs upwards.
        strong: Whether it is bold.
    """

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "middle"
    turned: bool = False
    strong: bool = False

    def box(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom, with the width of letters rounded up."""
        length = len(self.text) * CHARACTER * (_BOLD if self.strong else 1)
        before = {"start": 0.0, "middle": length / 2, "end": length}[self.anchor]
        if self.turned:
            low = self.y + before
            return self.x - TEXT / 2, low - length, self.x + TEXT / 2, low
        left = self.x - before
        return left, self.y - TEXT / 2, left + length, self.y + TEXT / 2


@dataclass(frozen=True, slots=True)
class Path:
    """Straight lines through points, for an axis, a head or the average of all."""

    points: tuple[tuple[float, float], ...]
    role: Literal["axis", "head", "average"]


@dataclass(slots=True)
class Drawing:
    """The marks of a sheet, and the size of the whole."""

    width: float = 0.0
    height: float = 0.0
    cells: list[Cell] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)


def lay_out(sheet: Sheet) -> Drawing:
    """Place the charts of a sheet, their labels and their scale."""
    drawing = Drawing()
    first = sheet.panels[0][0]
    if isinstance(first, Heat):
        bottom = _place_heats(drawing, sheet, first)
        bottom = _place_bar(drawing, sheet.scale, min(cell.x for cell in drawing.cells), bottom)
    else:
        bottom = _place_lines(drawing, sheet)
    boxes = [words.box() for words in drawing.words]
    rights = [box[2] for box in boxes] + [cell.x + cell.width for cell in drawing.cells]
    drawing.width = max(rights) + 4
    drawing.height = max([bottom, *(box[3] for box in boxes)]) + 4
    return drawing


def written(value: float, scale: float) -> str:
    """Return a value times a hundred, with as many decimals as its scale needs: `1.2`, `−0.03`."""
    digits = 0 if scale >= 1 else 1 if scale >= 0.01 else 2
    number = f"{100 * value:.{digits}f}"
    zero = not float(number)
    return number.lstrip("-") if zero else number.replace("-", "−")


def _place_heats(drawing: Drawing, sheet: Sheet, like: Heat) -> float:
    """Place grids of the same size, labelled on the left and above; return their bottom edge."""
    wide, high = sheet.cell
    width, height = wide * len(like.columns), high * len(like.rows)
    turned = _longest(like.columns) * CHARACTER > wide
    left = (_LINE if sheet.down else 0) + _longest(like.rows) * CHARACTER + 8
    above = _longest(like.columns) * CHARACTER + 12 if turned else _LINE + 2
    titled = _LINE if any(panel.title for row in sheet.panels for panel in row) else 0
    titles = max(len(panel.title) for row in sheet.panels for panel in row) * CHARACTER
    apart = max(width, titles) + _GAP
    drawing.words.append(Words(left, _LINE / 2, sheet.across, "start", strong=True))
    top = _LINE + above
    for number, row in enumerate(sheet.panels):
        y = top + number * (height + titled + _GAP) + titled
        for place, panel in enumerate(row):
            assert isinstance(panel, Heat)
            x = left + place * apart
            if panel.title:
                drawing.words.append(Words(x, y - _LINE / 2, panel.title, "start"))
            _place_cells(drawing, panel, sheet, x, y)
            if number == 0:
                drawing.words.extend(_column_labels(panel, x, y - titled, wide, turned))
        drawing.words.extend(_row_labels(like, left, y, high))
    bottom = top + len(sheet.panels) * (height + titled + _GAP) - _GAP
    if sheet.down:
        # The name of the rows may be longer than the rows together are high.
        half = len(sheet.down) * CHARACTER * _BOLD / 2
        middle = max((top + titled + bottom) / 2, half)
        drawing.words.append(Words(_LINE / 2, middle, sheet.down, turned=True, strong=True))
    return bottom


def _place_cells(drawing: Drawing, panel: Heat, sheet: Sheet, left: float, top: float) -> None:
    """Place the cells of a grid, with their numbers if the sheet shows numbers."""
    wide, high = sheet.cell
    for row, column in np.argwhere(~np.isnan(panel.values)).tolist():
        value = float(panel.values[row, column])
        x, y, says = left + column * wide, top + row * high, panel.tooltip(row, column)
        drawing.cells.append(Cell(x, y, wide, high, value / sheet.scale, f"{says}: {value:+.4f}"))
        if sheet.numbers:
            number = written(value, sheet.scale)
            drawing.words.append(Words(x + wide / 2, y + high / 2, number))


def _column_labels(
    panel: Heat, left: float, top: float, wide: float, turned: bool
) -> Iterator[Words]:
    needed = TEXT + 2 if turned else _longest(panel.columns) * CHARACTER + 2
    for column in _thinned(panel.columns, wide, needed):
        x = left + (column + 0.5) * wide
        if turned:
            yield Words(x, top - 4, panel.columns[column], "start", turned=True)
        else:
            yield Words(x, top - _LINE / 2, panel.columns[column])


def _row_labels(panel: Heat, left: float, top: float, high: float) -> Iterator[Words]:
    for row in _thinned(panel.rows, high, TEXT + 2):
        if panel.rows[row]:
            yield Words(left - 5, top + (row + 0.5) * high, panel.rows[row], "end")


def _thinned(names: Sequence[str], room: float, needed: float) -> Iterator[int]:
    """Yield the places whose labels fit beside each other; zero is among them."""
    step = ceil(needed / room)
    anchor = names.index("0") if "0" in names else 0
    return (place for place in range(len(names)) if (place - anchor) % step == 0)


def _place_bar(drawing: Drawing, scale: float, left: float, above: float) -> float:
    """Place the colour scale, from full orange to full blue; return its bottom edge."""
    size, top = 12, above + _GAP
    ends = [written(sign * scale, scale) for sign in (-1, 1)]
    start = left + len(ends[0]) * CHARACTER + 6
    for number in range(_BAR):
        share = 2 * number / (_BAR - 1) - 1
        drawing.cells.append(Cell(start + number * size, top, size, size, share))
    middle, end = top + size / 2, start + _BAR * size
    drawing.words.append(Words(start - 6, middle, ends[0], "end"))
    drawing.words.append(Words(end + 6, middle, f"{ends[1]}   (bias × 100)", "start"))
    return top + size


def _place_lines(drawing: Drawing, sheet: Sheet) -> float:
    """Place line charts, each with its zero lines; return their bottom edge."""
    wide, high = sheet.cell
    ends = [written(sign * sheet.scale, sheet.scale) for sign in (1, -1)]
    left = max(map(len, ends)) * CHARACTER + 10
    apart = wide + _GAP + left
    titled = _LINE if sheet.panels[0][0].title else 0
    heading = f"bias × 100, by {sheet.across}"
    drawing.words.append(Words(left, _LINE / 2, heading, "start", strong=True))
    bottom = 1.5 * _LINE
    for row in sheet.panels:
        top = bottom + titled
        for place, panel in enumerate(row):
            assert isinstance(panel, Lines)
            x = left + place * apart
            if panel.title:
                drawing.words.append(Words(x, top - _LINE / 2, panel.title, "start"))
            for text, share in zip([ends[0], "0", ends[1]], (0, 0.5, 1), strict=True):
                drawing.words.append(Words(x - 5, top + share * high, text, "end"))
            _place_curves(drawing, panel, sheet, x, top)
        bottom = top + high + 1.5 * _LINE + _GAP
    return bottom - _GAP


def _place_curves(drawing: Drawing, panel: Lines, sheet: Sheet, left: float, top: float) -> None:
    """Place the axes of a chart with the labels below, a line for each head, and their mean."""
    wide, high = sheet.cell
    first, last = panel.places[0], panel.places[-1]
    across = [left + (place - first) / (last - first) * wide for place in panel.places]
    middle, zero = top + high / 2, left - first / (last - first) * wide

    def curve(values: Array, role: Literal["head", "average"]) -> Path:
        heights = middle - values / sheet.scale * high / 2
        return Path(tuple(zip(across, heights.tolist(), strict=True)), role)

    drawing.paths += [
        Path(((left, middle), (left + wide, middle)), "axis"),
        Path(((zero, top), (zero, top + high)), "axis"),
        *(curve(values, "head") for values in panel.values if len(panel.values) > 1),
        curve(panel.values.mean(axis=0), "average"),
    ]
    below = top + high + _LINE
    drawing.words += [
        Words(left, below, signed(first), "start"),
        Words(zero, below, "0"),
        Words(left + wide, below, signed(last), "end"),
    ]


def _longest(names: Sequence[str]) -> int:
    return max(map(len, names))
