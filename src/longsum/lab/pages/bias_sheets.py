"""Which charts of learned biases are drawn, and their titles and notes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from longsum.common.arrays import Array
from longsum.common.wording import counted
from longsum.lab.pages.bias_charts import Axes, BiasView

Part = Literal["sections", "average", "heads"]

MAX_SECTIONS = 100
"""Most sections that a chart shows; of a longer document, the first ones."""
_MAX_WITH_NUMBERS = 40
"""Most sections of a chart whose cells have numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Heat:
    """A grid of cells.

    Attributes:
        title: Its title; may be empty.
        rows: The rows' names, short.
        columns: The columns' names, short.
        values: `[rows, columns]`; NaN for a cell that is not drawn.
        titles: In a grid of sections by sections, their headings, which tooltips show.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Array
    titles: tuple[str, ...] = ()

    def tooltip(self, row: int, column: int) -> str:
        """Return the tooltip of a cell: `§1 Aims → §1.1 Costs`."""
        names = [self.rows[row], self.columns[column]]
        if self.titles:
            titled = zip(names, (self.titles[row], self.titles[column]), strict=True)
            names = [f"{name} {title}".rstrip() for name, title in titled]
        return " → ".join(names)


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """A line for each head, and their average.

    `values` are `[heads, places]`; the title may be empty.
    """

    title: str
    places: tuple[int, ...]
    values: Array


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One picture: charts that share a scale.

    Attributes:
        side: The part of the model whose biases it shows.
        part: Which view of them it shows.
        title: Its title.
        note: How the values were computed.
        across: What the columns stand for.
        down: What the rows stand for; may be empty.
        panels: The charts, row by row.
        cell: Width and height of a cell, or of a line chart, in pixels.
        scale: The absolute value that full colour stands for.
        numbers: Whether cells show their values, times a hundred.
    """

    side: Literal["encoder", "segments", "decoder"]
    part: Part
    title: str
    note: str
    across: str
    down: str
    panels: tuple[tuple[Heat | Lines, ...], ...]
    cell: tuple[int, int]
    scale: float
    numbers: bool = False

    @property
    def name(self) -> str:
        """The name of its file, without a suffix."""
        return f"{self.side}-{self.part}"


def sheets(view: BiasView) -> Iterator[Sheet]:
    """Yield the pictures of an encoder's or decoder's biases.

    Pairs of sections and averages by label have numbers in their cells, as in HIBRIDS, Figures 5
    and 6; single layers and heads have colours alone, or a line.
    """
    if view.pairs is not None:
        yield _pair_sheet(view)
    yield _mean_sheet(view)
    if len(view.layers) * len(view.heads) > 1:
        yield _head_sheet(view)


def _pair_sheet(view: BiasView) -> Sheet:
    assert view.pairs is not None
    labels = tuple(f"§{label}" for label in view.pairs.labels[:MAX_SECTIONS])
    left_out = len(view.pairs.labels) - len(labels)
    values = view.pairs.values[: len(labels), : len(labels)]
    numbers = len(labels) <= _MAX_WITH_NUMBERS
    note = _averaged(view)
    if left_out:
        note += f" Not shown: the last {counted(left_out, 'section')} of the document."
    encoder = view.side != "decoder"
    return Sheet(
        side=view.side,
        part="sections",
        title=f"{view.side.capitalize()}: from section to section",
        note=note,
        across="section that is read" if encoder else "section whose tokens get the bias",
        down="section that reads" if encoder else "section just read",
        panels=((Heat("", labels, labels, values, view.pairs.titles[: len(labels)]),),),
        cell=(42, 26) if numbers else (17, 17),
        scale=_scale(values),
        numbers=numbers,
    )


def _mean_sheet(view: BiasView) -> Sheet:
    lines = view.axes.form == "distance"
    return Sheet(
        side=view.side,
        part="average",
        title=f"{view.side.capitalize()}: {_by(view.axes)}, on average",
        note=_averaged(view),
        across=_across(view.axes),
        down=view.axes.down,
        panels=((_panel(view.axes, "", _rows(view.axes), view.mean),),),
        cell=(720, 240) if lines else (38, 26),
        scale=_scale(view.mean),
        numbers=not lines,
    )


def _head_sheet(view: BiasView) -> Sheet:
    axes, per_layer = view.axes, list(zip(view.layers, view.values, strict=True))
    panels: tuple[tuple[Heat | Lines, ...], ...]
    if axes.form == "levels":
        panels = tuple(
            tuple(
                _panel(axes, f"Layer {layer}, {head}", _rows(axes), values)
                for head, values in zip(view.heads, heads, strict=True)
            )
            for layer, heads in per_layer
        )
    else:
        drawn = [_panel(axes, f"Layer {at}", view.heads, heads[:, 0]) for at, heads in per_layer]
        in_row = 3 if axes.form == "distance" else 1
        panels = tuple(tuple(drawn[at : at + in_row]) for at in range(0, len(drawn), in_row))
    return Sheet(
        side=view.side,
        part="heads",
        title=f"{view.side.capitalize()}: {_by(axes)}, each layer and head",
        note="One scale for all."
        + (" Thick lines are averages over heads." if axes.form == "distance" else ""),
        across=_across(axes),
        down=axes.down or ("head" if axes.form == "relations" else ""),
        panels=panels,
        cell={"levels": (8, 8), "relations": (38, 20), "distance": (300, 130)}[axes.form],
        scale=_scale(view.values),
        numbers=axes.form == "relations",
    )


def _panel(axes: Axes, title: str, rows: tuple[str, ...], values: Array) -> Heat | Lines:
    """Return a line chart for distances; otherwise a grid whose rows have these names."""
    if axes.form == "distance":
        return Lines(title, _numbers(axes), values)
    return Heat(title, rows, _names(axes.columns), values)


def _by(axes: Axes) -> str:
    return f"by {axes.across} and {axes.down}" if axes.down else f"by {axes.across}"


def _across(axes: Axes) -> str:
    """Return what the columns stand for, and what their signs mean."""
    if axes.form == "relations":
        return "what the section that is read is to the one that reads"
    if axes.across == "level difference":
        return "level difference (positive: the section that is read is deeper)"
    if min(_numbers(axes)) == 0:
        return axes.across
    return f"{axes.across} (positive: what is read comes later)"


def _averaged(view: BiasView) -> str:
    layers, heads = len(view.layers), len(view.heads)
    over = f"{counted(layers, 'layer')} and {counted(heads, 'head')}"
    if layers * heads > 1:
        return f"Averaged over {over}."
    return f"Layer {view.layers[0]}, {view.heads[0]}."


def _rows(axes: Axes) -> tuple[str, ...]:
    return _names(axes.rows) if axes.down else ("",)


def _names(places: Sequence[str | int]) -> tuple[str, ...]:
    return tuple(signed(place) if isinstance(place, int) else place for place in places)


def signed(number: int) -> str:
    """Return a number with its sign: `+2`, `−2`, `0`."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def _numbers(axes: Axes) -> tuple[int, ...]:
    return tuple(int(place) for place in axes.columns)


def _scale(values: Array) -> float:
    """Return the largest absolute value; 1 if all are zero, so that values can be divided by it."""
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    return largest or 1.0
