"""`longsum data`."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from longsum.cli.command import Command
from longsum.cli.options import Force, Form, Limit, ListFormat, Map, Root, data_sets, mapped
from longsum.cli.streams import (
    check_output,
    entries,
    progress,
    table,
    write_as,
    write_result,
)
from longsum.common.errors import LongsumError
from longsum.common.extras import require
from longsum.common.wording import counted

EXAMPLES = (
    "longsum data",
    "longsum data --format json",
    "longsum data pmc_jats --limit 100",
    "longsum data pmc_jats --split validation --export pmc.parquet",
    "longsum data cases.csv --map document=body --map summary=gist",
    "longsum data pmc_jats scisummnet --split test --positions --plot positions.png",
)
_SHIPS = {
    True: "may be shipped",
    False: "may not be shipped",
    "per record": "may be shipped where the record's licence allows it",
}

if TYPE_CHECKING:
    from longsum.evaluation.datasets.dataset_statistics import SalientPositions
    from longsum.lab.pages.figures import PlotFormat

Result = TypeVar("Result")
_Part = tuple[str, str]
"""A data set and one of its splits."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What is measured, on which split and how many documents."""

    split: Annotated[
        str | None, typer.Option("--split", metavar="NAME", help="Measure only this split.")
    ] = None
    positions: Annotated[
        bool,
        typer.Option(
            "--positions",
            help="Where in the documents the words of their summaries first occur: the share that "
            "has occurred by the end of each tenth (HEPOS, Figure 2).",
        ),
    ] = False
    aspects: Annotated[
        bool,
        typer.Option(
            "--aspects",
            help=(
                "How many summaries have labelled parts (why the study was done, findings and "
                "recommendations; or introduction, methods, results and conclusion), and how much "
                "of the documents is about each (HEPOS, §4)."
            ),
        ),
    ] = False
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="With --positions: also draw the figure, as a .png, .pdf or .svg file (with "
            "matplotlib).",
        ),
    ] = None
    export: Annotated[
        Path | None,
        typer.Option(
            "--export",
            metavar="FILE",
            help=(
                "Write the documents of one split, with their summaries, to a .parquet or .jsonl "
                "file, which 'datasets' and other libraries read."
            ),
        ),
    ] = None
    lm_eval: Annotated[
        Path | None,
        typer.Option(
            "--lm-eval",
            metavar="FILE",
            help="With --export: also write a task of lm-eval for the file, as YAML.",
        ),
    ] = None
    map: Map = None
    root: Root = None
    limit: Limit = None

    def check(self, names: list[str] | None, force: bool) -> None:
        """Refuse options that contradict each other, and a plot that cannot be drawn."""
        if not names and (self.positions or self.aspects or self.plot or self.split is not None):
            raise LongsumError("Name the data sets to measure; 'longsum data' lists them.")
        if self.positions and self.aspects:
            raise LongsumError("Give --positions or --aspects; they are tables of their own.")
        if self.export is not None:
            if len(names or ()) != 1 or self.split is None:
                raise LongsumError("--export writes one split of one set; add --split NAME.")
            check_output(self.export, force)
        if self.lm_eval is not None:
            if self.export is None:
                raise LongsumError("--lm-eval writes a task for exported data; add --export FILE.")
            check_output(self.lm_eval, force)
        if self.plot is None:
            return
        if not self.positions:
            raise LongsumError("--plot draws the positions; add --positions, or leave it out.")
        if _plot_format(self.plot) is None:
            raise LongsumError(
                f"'{self.plot}' has no known picture format; name it .png, .pdf or .svg."
            )
        check_output(self.plot, force)
        require("matplotlib")

    def results(
        self, names: list[str], measure: "Callable[..., Result]"
    ) -> "Iterator[tuple[_Part, Result]]":
        """Yield each split of these data sets with the result of a function on it."""
        from longsum.evaluation.datasets import dataset_info, usual_split

        for name in names:
            every = dataset_info(name).splits
            # A set that only a rule divides is measured as a whole.
            every = ("all",) if usual_split(name) == "all" else every
            for split in every if self.split is None else (self.split,):
                with progress(f"Measuring {name}, {split}"):
                    result = measure(name, split, root=self.root, limit=self.limit)
                yield (name, split), result


def data(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...",
            autocompletion=data_sets,
            help="Measure these data sets, or files of your own, split by split.",
        ),
    ] = None,
    *,
    measured: Measured,
    form: Form = "text",
    force: Force = False,
) -> None:
    """List the data sets with their licences, or measure some of them.

    Shared sets are found in the folder that the environment variable LONGSUM_DATA names, each
    public set in the folder that a variable of its own names (LONGSUM_DATA_GOVREPORT, …).
    """
    measured.check(names, force)
    from longsum.evaluation import datasets
    from longsum.evaluation.datasets import dataset_statistics

    names = [mapped(name, measured.map) for name in names or ()]
    if not names:
        from longsum.evaluation.datasets.downloads import describe_downloads

        rows = [
            {**asdict(info), "downloads": describe_downloads(info.name)}
            for info in datasets.datasets()
        ]
        described = ((row["name"], list(_described(row))) for row in rows)
        write_as(form, rows, lambda: entries(described))
    elif measured.export is not None:
        from longsum.evaluation.datasets.exported_records import export_records, lm_eval_task

        (name,) = names
        with progress(f"Writing {name}, {measured.split}"):
            examples = datasets.load(
                name, measured.split or "", root=measured.root, limit=measured.limit
            )
            count = export_records(examples, measured.export)
        if measured.lm_eval is not None:
            task = lm_eval_task(measured.lm_eval.stem, measured.export, measured.split or "")
            write_result(task, measured.lm_eval)
        write_result(f"{measured.export}: {counted(count, 'document')}\n", None)
    elif measured.positions:
        positions = dict(measured.results(names, dataset_statistics.salient_positions))
        if measured.plot is not None:
            _draw(positions, measured.plot)
        _show([row for item in positions.items() for row in _position_rows(*item, form)], form)
    elif measured.aspects:
        tables = measured.results(names, dataset_statistics.aspect_statistics)
        rows = [{**_named(part), **asdict(each)} for part, table in tables for each in table]
        if not rows:
            raise LongsumError("None of these summaries has labels; choose another data set.")
        _show(rows, form)
    else:
        counts = measured.results(names, dataset_statistics.statistics)
        _show([{**_named(part), **asdict(count)} for part, count in counts], form)


def _plot_format(plot: Path) -> "PlotFormat | None":
    """Return the format of a file by its suffix: PNG if it has none."""
    formats: dict[str, PlotFormat] = {"": "png", ".png": "png", ".pdf": "pdf", ".svg": "svg"}
    return formats.get(plot.suffix.lower())


def _named(part: _Part) -> dict[str, Any]:
    return dict(zip(("data", "split"), part, strict=True))


def _position_rows(
    part: _Part, found: "SalientPositions", form: ListFormat
) -> Iterator[dict[str, Any]]:
    """Yield a row for each size of n-grams: with intervals in JSON, in per cent as text."""
    for size, shares in found.shares.items():
        row = {**_named(part), "documents": found.documents, "ngrams": size}
        if form == "json":
            yield {**row, "tenths": [asdict(share) for share in shares]}
        else:
            yield row | {
                f"{10 * tenth}%": 100 * share.mean for tenth, share in enumerate(shares, 1)
            }


def _draw(found: "dict[_Part, SalientPositions]", plot: Path) -> None:
    from longsum.common.files import write_bytes
    from longsum.lab.pages.figures import render_positions

    panels = {
        size: {
            ", ".join(part): [(share.mean, share.low, share.high) for share in each.shares[size]]
            for part, each in found.items()
        }
        for size in next(iter(found.values())).shares
    }
    write_bytes(plot, render_positions(panels, _plot_format(plot) or "png"))


def _show(rows: list[dict[str, Any]], form: ListFormat) -> None:
    cells = ([_cell(value) for value in row.values()] for row in rows)
    write_as(form, rows, lambda: table(rows[0], cells))


def _described(row: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that describe a data set."""
    yield row["description"]
    yield f"{row['kind']}: {_cell(row['splits'])}"
    yield f"Licence: {row['license']}; what is trained on it {_SHIPS[row['ships']]}"
    # Shared and shipped sets have no downloads of their own.
    if row["variable"].startswith("LONGSUM_DATA_") or ":" in row["downloads"]:
        yield f"Downloads: {row['downloads']}"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


COMMAND = Command(data, "List the data sets, or measure one.", EXAMPLES)
