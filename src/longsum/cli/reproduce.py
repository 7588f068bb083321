"""`longsum reproduce`."""

from pathlib import Path
from typing import Annotated

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
            help="Folder of models, scores and the page; an interrupted run in it is resumed.",
        ),
    ] = None,
    *,
    scale: Annotated[
        str,
        typer.Option(
            "--scale",
            metavar="NAME",
            help=(
                "toy finishes within minutes on data that come with longsum; small learns "
                "something from shared data; paper is the paper's own setting."
            ),
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
        typer.Option("--estimate", help="Run nothing, but print what the trainings would take."),
    ] = False,
    form: Form = "text",
) -> None:
    """Run the result tables of the five papers, next to the printed scores.

    Without a table, all are listed. The folder receives page.html, table.md and result.json: our
    scores with intervals next to the paper's, every deviation from the paper's setting, whether the
    rows rank as printed, and the commands that make each row alone.
    """
    from longsum.lab.reproduction.experiments import find_experiment

    if experiment is None:
        _list(form)
        return
    found, chosen = find_experiment(experiment).chosen(rows or ())
    require("accelerate")
    from longsum.lab.reproduction.needs import check_data, cost_lines
    from longsum.lab.reproduction.row_runs import RowRuns
    from longsum.lab.reproduction.scales import find_scale

    size = find_scale(scale)
    data = None if data is None else mapped(data, map)
    if not estimate and output is None:
        raise LongsumError("Name the folder of the result with -o.")
    hide_bars_of_transformers()
    with bar(f"Running {experiment}", "update") as show:
        runs = RowRuns(found, size, output or Path(), data, say=tell, step=show)
        check_data(runs, chosen)
        if estimate:
            with progress("Trying updates"):
                text = "".join(f"{line}\n" for line in cost_lines(runs, chosen, seeds))
        else:
            # Networks are imported only after the data were found.
            from longsum.lab.reproduction.reproduction import run_experiment
            from longsum.lab.reproduction.reproduction_page import to_text, write_outcome

            outcome = run_experiment(runs, chosen, seeds=range(seeds))
            write_outcome(outcome, runs.folder)
            text = to_text(outcome, commands=False)
    write_result(text, None)


def _list(form: ListFormat) -> None:
    from longsum.lab.reproduction.experiments import experiments

    tables = experiments().values()
    names = ("paper", "title", "place", "measure", "study", "data")
    rows = [
        {"experiment": each.name, **{name: getattr(each, name) for name in names}}
        | {"rows": list(each.rows)}
        for each in tables
    ]
    shown = {
        each.name: (
            f"{each.title} ({each.place})",
            f"{', '.join(each.data)}: {', '.join(each.rows)}",
        )
        for each in tables
    }
    write_as(form, rows, lambda: entries(shown.items()))


COMMAND = Command(reproduce, "Run the result tables of the papers.", EXAMPLES)
