"""`longsum data`."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longsum.cli.command import Command
from longsum.cli.lists import entries
from longsum.cli.options import Force, Form, ListFormat, Root, data_sets
from longsum.cli.streams import check_output, progress, table, write_json, write_result
from longsum.common.errors import LongsumError

EXAMPLES = (
    "longsum data",
    "longsum data --format json",
    "longsum data pmc_jats --limit 100",
    "longsum data pmc_jats scisummnet --split test --positions --plot positions.png",
)
_SHIPS = {
    True: "may be shipped",
    False: "may not be shipped",
    "per record": "may be shipped where the record's licence allows it",
}

if TYPE_CHECKING:
    from longsum.core.pages.figures import PlotFormat
    from longsum.evaluation.datasets import SalientPositions

_Part = tuple[str, str]
"""A data set and one of its splits."""


def data(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...",
            autocompletion=data_sets,
            help="Measure these data sets, split by split.",
        ),
    ] = None,
    split: Annotated[
        str | None, typer.Option("--split", metavar="NAME", help="Measure this split alone.")
    ] = None,
    positions: Annotated[
        bool,
        typer.Option(
            "--positions",
            help="Where in the documents the words of their summaries first occur: what share of "
            "them has been said by the end of each tenth (HEPOS, Figure 2).",
        ),
    ] = False,
    aspects: Annotated[
        bool,
        typer.Option(
            "--aspects",
            help="How many summaries say under labels why, what was found and what is recommended, "
            "or introduction, methods, results and conclusion; and what share of the documents "
            "does (HEPOS, §4).",
        ),
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="With --positions: also draw the figure, as a .png, .pdf or .svg file (with "
            "matplotlib).",
        ),
    ] = None,
    root: Root = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", metavar="N", min=1, help="Measure at most N documents of each split."
        ),
    ] = None,
    form: Form = ListFormat.text,
    force: Force = False,
) -> None:
    """List the data sets with their licences, or measure some of them.

    Shared sets are found in the folder that the environment variable LONGSUM_DATA names, each
    public set in the folder that a variable of its own names (LONGSUM_DATA_GOVREPORT, …).
    """
    if not names:
        if positions or aspects or plot is not None or split is not None:
            raise LongsumError("Name the data sets to measure; 'longsum data' lists them.")
        rows = _catalogue()
        if form is ListFormat.json:
            write_json(rows)
        else:
            write_result(entries((row["name"], list(_described(row))) for row in rows), None)
        return
    if positions and aspects:
        raise LongsumError("Give --positions or --aspects; they are tables of their own.")
    if plot is not None:
        _check_plot(plot, positions, force)
    parts = _parts(names, split)
    if positions:
        _show_positions(parts, plot, root, limit, form)
    elif aspects:
        _show(_aspects(parts, root, limit), form)
    else:
        _show(_statistics(parts, root, limit), form)


def _check_plot(plot: Path, positions: bool, force: bool) -> None:
    """Refuse a plot that cannot be drawn, before any work is done."""
    from longsum.common.extras import require

    if not positions:
        raise LongsumError("--plot draws the positions; add --positions, or leave it out.")
    if _plot_format(plot) is None:
        raise LongsumError(f"'{plot}' is drawn in no known format; name it .png, .pdf or .svg.")
    check_output(plot, force)
    require("matplotlib")


def _plot_format(plot: Path) -> "PlotFormat | None":
    """Return the format that a file's name asks for: PNG where it has no suffix."""
    formats: dict[str, PlotFormat] = {"": "png", ".png": "png", ".pdf": "pdf", ".svg": "svg"}
    return formats.get(plot.suffix.lower())


def _parts(names: list[str], split: str | None) -> list[_Part]:
    from longsum.evaluation.datasets import dataset_info

    return [
        (name, each)
        for name in names
        for each in (dataset_info(name).splits if split is None else (split,))
    ]


def _catalogue() -> list[dict[str, Any]]:
    from longsum.evaluation.datasets import datasets

    return [asdict(info) for info in datasets()]


def _statistics(parts: list[_Part], root: Path | None, limit: int | None) -> list[dict[str, Any]]:
    from longsum.evaluation.datasets import statistics

    rows = []
    for name, split in parts:
        with progress(f"Measuring {name}, {split}"):
            found = statistics(name, split, root=root, limit=limit)
        rows.append({"data": name, "split": split, **asdict(found)})
    return rows


def _aspects(parts: list[_Part], root: Path | None, limit: int | None) -> list[dict[str, Any]]:
    from longsum.evaluation.datasets import aspect_statistics

    rows = []
    for name, split in parts:
        with progress(f"Measuring {name}, {split}"):
            found = aspect_statistics(name, split, root=root, limit=limit)
        rows += [{"data": name, "split": split, **asdict(each)} for each in found]
    if not rows:
        raise LongsumError("None of these summaries has labels; choose another data set.")
    return rows


def _show_positions(
    parts: list[_Part],
    plot: Path | None,
    root: Path | None,
    limit: int | None,
    form: ListFormat,
) -> None:
    from longsum.evaluation.datasets import salient_positions

    found = {}
    for name, split in parts:
        with progress(f"Measuring {name}, {split}"):
            found[name, split] = salient_positions(name, split, root=root, limit=limit)
    if plot is not None:
        _draw(found, plot)
    _show([row for part, each in found.items() for row in _position_rows(part, each, form)], form)


def _position_rows(
    part: _Part, found: "SalientPositions", form: ListFormat
) -> Iterator[dict[str, Any]]:
    """Yield a row for each size of n-grams: in JSON with intervals, as text in per cent."""
    name, split = part
    for size, shares in found.shares.items():
        row = {"data": name, "split": split, "documents": found.documents, "ngrams": size}
        if form is ListFormat.json:
            yield {**row, "tenths": [asdict(share) for share in shares]}
        else:
            yield row | {
                f"{10 * tenth}%": 100 * share.mean for tenth, share in enumerate(shares, 1)
            }


def _draw(found: "dict[_Part, SalientPositions]", plot: Path) -> None:
    from longsum.common.files import write_bytes
    from longsum.lab.pages.position_plots import render_positions

    panels = {
        size: {
            ", ".join(part): [(share.mean, share.low, share.high) for share in each.shares[size]]
            for part, each in found.items()
        }
        for size in next(iter(found.values())).shares
    }
    write_bytes(plot, render_positions(panels, _plot_format(plot) or "png"))


def _show(rows: list[dict[str, Any]], form: ListFormat) -> None:
    if form is ListFormat.json:
        write_json(rows)
        return
    write_result(table(rows[0], ([_cell(value) for value in row.values()] for row in rows)), None)


def _described(row: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that describe a data set."""
    yield row["description"]
    yield f"{row['kind']}: {_cell(row['splits'])}"
    yield f"Licence: {row['license']}; what is trained on it {_SHIPS[row['ships']]}"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


COMMAND = Command(data, "List the data sets, or measure one.", EXAMPLES)
