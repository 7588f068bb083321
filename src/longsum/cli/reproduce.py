"""`longsum reproduce`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.command import Command
from longsum.cli.options import Form, ListFormat, Map, mapped
from longsum.cli.streams import (
    bar,
    entries,
    hide_bars_of_transformers,
    progress,
    tell,
    write_as,
    write_result,
)
from longsum.common.errors import LongsumError
from longsum.common.extras import require

if TYPE_CHECKING:
    from longsum.lab.reproduction.experiments import Experiment
    from longsum.lab.reproduction.row_runs import RowRuns

EXAMPLES = (
    "longsum reproduce",
    "longsum reproduce hibrids/table-1 --scale toy -o runs/hibrids-1",
    "longsum reproduce top-down/table-14 --scale small --seeds 3 --rows top-down,top-down-none "
    "-o runs/ablations",
    "longsum reproduce hepos/table-4 --scale paper --estimate",
    "longsum reproduce stepwise/table-1 --rows stepwise-hibert --rows mine=runs/mine -o runs/st-1",
)


def reproduce(
    experiment: Annotated[
        str | None,
        typer.Argument(metavar="TABLE", help="A table, such as hibrids/table-1; none lists them."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Folder of models, scores and the page; an interrupted run in it goes on.",
        ),
    ] = None,
    *,
    scale: Annotated[
        str,
        typer.Option(
            "--scale",
            metavar="NAME",
            help="toy runs through in minutes on data that ship; small learns something from "
            "shared data; paper is the paper's own setting.",
        ),
    ] = "toy",
    rows: Annotated[
        list[str] | None,
        typer.Option(
            "--rows",
            metavar="NAMES",
            help="Rows to run, separated by commas; NAME=SYSTEM adds a row of your own: a folder, "
            "a system or FILE.py:CLASS. Repeat the option for each.",
        ),
    ] = None,
    seeds: Annotated[
        int, typer.Option("--seeds", metavar="N", min=1, help="Trainings of each row.")
    ] = 1,
    data: Annotated[
        str | None,
        typer.Option(
            "--data", metavar="SET", help="A data set, or a file, in place of the paper's."
        ),
    ] = None,
    map: Map = None,
    estimate: Annotated[
        bool,
        typer.Option("--estimate", help="Run nothing, but tell what the trainings would take."),
    ] = False,
    form: Form = "text",
) -> None:
    """Run the result tables of the five papers, beside what is printed.

    Without a table, all are listed. The folder receives page.html, table.md and result.json: our
    scores with intervals beside the paper's, what is not the paper's setting, whether the rows
    follow each other as printed, and the commands that make each row alone.
    """
    from longsum.lab.reproduction.experiments import find_experiment

    if experiment is None:
        _list(form)
        return
    found = find_experiment(experiment)
    require("accelerate")
    from longsum.lab.reproduction.needed_data import check_data
    from longsum.lab.reproduction.row_runs import RowRuns
    from longsum.lab.reproduction.scales import find_scale

    size = find_scale(scale)
    chosen, own = _chosen(found, rows or [])
    data = None if data is None else mapped(data, map)
    if not estimate and output is None:
        raise LongsumError("Name the folder of the result with -o.")
    hide_bars_of_transformers()
    with bar(f"Running {experiment}", "update") as show:
        runs = RowRuns(
            experiment=found,
            scale=size,
            folder=output or Path(),
            split=_split(found, size.split, data),
            data=data,
            say=tell,
            step=lambda done, total: show(done, total, f"Training for {experiment}"),
        )
        check_data(runs)
        if estimate:
            _estimate(runs, chosen)
            return
        assert output is not None
        _run(experiment, scale, runs, chosen, seeds, own, output)


def _run(
    experiment: str,
    scale: str,
    runs: "RowRuns",
    rows: list[str],
    seeds: int,
    own: dict[str, str],
    output: Path,
) -> None:
    from longsum.lab.reproduction.outcome_files import write_outcome
    from longsum.lab.reproduction.reproduction import run_experiment
    from longsum.lab.reproduction.reproduction_page import to_text

    outcome = run_experiment(experiment, scale, runs, rows, seeds=range(seeds), own=own)
    write_outcome(outcome, output)
    write_result(to_text(outcome).partition("## Each row alone")[0], None)


def _list(form: ListFormat) -> None:
    from longsum.lab.reproduction.experiments import experiments

    found = list(experiments())
    rows = [
        {
            "experiment": name,
            "paper": paper,
            "title": each.title,
            "place": each.place,
            "measure": each.measure,
            "data": list(each.data),
            "rows": list(each.rows),
        }
        for name, paper, each in found
    ]
    shown = (
        (name, [f"{each.title} ({each.place})", f"{', '.join(each.data)}: {', '.join(each.rows)}"])
        for name, _, each in found
    )
    write_as(form, rows, lambda: entries(shown))


def _chosen(found: "Experiment", given: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return the rows of the table that are asked for, and those of the user's own.

    Raises:
        LongsumError: There is no such row.
    """
    from longsum.common.wording import did_you_mean, quote

    own = dict(each.split("=", 1) for each in given if "=" in each)
    named = [name.strip() for each in given if "=" not in each for name in each.split(",")]
    for name in named:
        if name not in found.rows:
            raise LongsumError(
                f"The table has no row {quote(name)}; choose from {', '.join(found.rows)}."
                f"{did_you_mean(name, found.rows)}"
            )
    return named or list(found.rows), own


def _split(found: "Experiment", scales: str | None, data: str | None) -> str:
    """Return the split that is measured."""
    from longsum.evaluation.datasets import usual_split

    if data is not None:
        usual = usual_split(data)
        return "test" if usual == "all" else usual
    return scales or found.split


def _estimate(runs: "RowRuns", rows: list[str]) -> None:
    from longsum.lab.reproduction.row_costs import told_costs

    with progress("Trying updates"):
        lines = list(told_costs(runs, rows))
    write_result("".join(f"{line}\n" for line in lines), None)


COMMAND = Command(reproduce, "Run the result tables of the papers.", EXAMPLES)
