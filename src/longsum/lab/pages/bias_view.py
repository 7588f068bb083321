"""What a model has learned to add to its attention, as numbers with names (HIBRIDS, §7.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from longsum.common.arrays import Array

_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Axes:
    """What the places of a chart are.

    Attributes:
        form: `levels`, path lengths across and level differences down; `relations` and `distance`,
            one row of names or numbers.
        across: What the columns are.
        down: What the rows are; empty where there is one row.
        columns: The columns' names or numbers.
        rows: The rows' numbers; 0 where there is one row.
    """

    form: Literal["levels", "relations", "distance"]
    across: str
    down: str
    columns: tuple[str | int, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SectionPairs:
    """The biases of pairs of sections of an example, averaged over layers and heads.

    Attributes:
        labels: The sections' places, `1.2`.
        titles: Their headings; empty ones where there are none.
        values: From the section of the row to that of the column, `[S, S]`; NaN for none.
    """

    labels: tuple[str, ...]
    titles: tuple[str, ...]
    values: Array


@dataclass(frozen=True, slots=True, eq=False)
class BiasView:
    """The biases of an encoder or a decoder.

    Attributes:
        side: Whose they are.
        settings: Which biases, as the model's configuration names them.
        axes: Where each label stands.
        layers: The layers' numbers.
        heads: The heads' names.
        values: `[layers, heads, rows, columns]`; NaN where no two sections are so related.
        pairs: Those of an example's sections; None where sections play no part.
    """

    side: Literal["encoder", "segments", "decoder"]
    settings: Mapping[str, Any]
    axes: Axes
    layers: tuple[int, ...]
    heads: tuple[str, ...]
    values: Array
    pairs: SectionPairs | None

    @property
    def mean(self) -> Array:
        """The labels' biases, averaged over layers and heads: `[rows, columns]`."""
        average: Array = self.values.mean(axis=(0, 1))
        return average


def biases_to_json(name: str, views: tuple[BiasView, ...]) -> dict[str, Any]:
    """Return biases as JSON values: raw, not times a hundred, rounded to nine decimals.

    Args:
        name: What the model is called.
        views: Of its encoder, its decoder or both.
    """
    return {"model": name, "biases": [_side(view) for view in views]}


def _side(view: BiasView) -> dict[str, Any]:
    rows, columns = np.nonzero(~np.isnan(view.values[0, 0]))
    found = {
        "side": view.side,
        "settings": dict(view.settings),
        "layers": list(view.layers),
        "heads": list(view.heads),
        "labels": [
            _label(view.axes, *place) for place in zip(rows.tolist(), columns.tolist(), strict=True)
        ],
        "values": view.values[:, :, rows, columns].round(_DIGITS).tolist(),
        "average": view.mean[rows, columns].round(_DIGITS).tolist(),
    }
    if view.pairs is not None:
        named = zip(view.pairs.labels, view.pairs.titles, strict=True)
        found["sections"] = [{"label": label, "title": title} for label, title in named]
        found["section_average"] = [
            [None if np.isnan(value) else round(float(value), _DIGITS) for value in row]
            for row in view.pairs.values
        ]
    return found


def _label(axes: Axes, row: int, column: int) -> dict[str, Any]:
    label: dict[str, Any] = {axes.across.replace(" ", "_"): axes.columns[column]}
    if axes.down:
        label[axes.down.replace(" ", "_")] = axes.rows[row]
    return label
