"""`longsum train`: from a recipe to a model in a folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longsum.cli.assignments import parse_assignments
from longsum.cli.command import Command
from longsum.cli.options import Map, mapped, trained_systems
from longsum.cli.streams import bar, hide_bars_of_transformers, tell, write_result
from longsum.common.errors import LongsumError
from longsum.common.extras import require

EXAMPLES = (
    "longsum train small -o runs/small",
    "longsum train hepos-sinkhorn -o runs/hepos data=govreport training.steps=1000",
    "longsum train hepos-sinkhorn data=govreport --estimate",
    "longsum train small -o runs/mine data=cases.jsonl --map document=body",
    "torchrun --nproc_per_node 2 -m longsum train hepos-sinkhorn -o runs/hepos data=govreport",
)


if TYPE_CHECKING:
    from longsum.models.training.run_settings import RunSettings
    from longsum.models.training.training_run import Run


def train(
    recipe: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            autocompletion=trained_systems,
            help="A system that 'longsum systems' lists as one that needs training, or a recipe "
            "file.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Folder of the result; an interrupted run in it is resumed.",
        ),
    ] = None,
    assignments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY=VALUE",
            help="Settings to change, such as data=govreport data.limit=100 training.steps=100.",
        ),
    ] = None,
    map: Map = None,
    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate",
            help="Train nothing, but try ten updates and print what the run would take.",
        ),
    ] = False,
) -> None:
    """Train a system on a data set; with torchrun, on several devices or machines.

    The folder receives the model, its tokenizer, its settings and metrics.jsonl, the log of the
    run. Use the model with 'longsum summarize FILE --model FOLDER'.
    """
    require("accelerate")
    from longsum.core.recipes import load_recipe
    from longsum.core.recipes.recipe import SHORTHANDS, merged
    from longsum.evaluation.datasets.catalogue import check_folders

    chosen = load_recipe(recipe)
    given = _with_fields(parse_assignments(assignments or [], SHORTHANDS), map)
    # Before the networks are imported, which takes seconds.
    data = merged(chosen.settings, given).get("data")
    if isinstance(data, dict):
        check_folders(str(data.get("names", "")))
    from longsum.models.training.processes import is_first_process, leave
    from longsum.models.training.run_seq2seq import run_for

    hide_bars_of_transformers()
    run = run_for(chosen.kind)
    settings = run.settings_of(chosen, given)
    if estimate:
        _estimate(run, settings)
        return
    if output is None:
        raise LongsumError("Name the folder of the result with -o.")
    with bar("Preparing", "step") as show:
        metrics = run.train(
            chosen,
            settings,
            output,
            say=tell if is_first_process() else lambda _: None,
            step=lambda done, total: show(done, total, "Training"),
            measured=lambda done, total: show(done, total, "Measuring"),
        )
    leave()
    if is_first_process():
        write_result(f"{output}: validation loss {metrics['eval_loss']:.4f}\n", None)


def _with_fields(given: dict[str, Any], fields: list[str] | None) -> dict[str, Any]:
    """Return settings whose data say what the fields of a file mean."""
    data = given.get("data", {})
    if fields and "names" not in data:
        raise LongsumError("--map says what the fields of a file mean; give the file as data=FILE.")
    ready = {
        name: "+".join(_mapped_part(each, fields) for each in data[name].split("+"))
        for name in ("names", "validation")
        if isinstance(data.get(name), str)
    }
    return {**given, "data": {**data, **ready}} if ready else given


def _mapped_part(name: str, fields: list[str] | None) -> str:
    """Return the name of data, or of a split of them (`FILE/SPLIT`), with what fields mean."""
    from longsum.evaluation.datasets import OwnData

    before, _, split = name.rpartition("/")
    if before and OwnData.parse(name) is None and OwnData.parse(before) is not None:
        return f"{mapped(before, fields)}/{split}"
    return mapped(name, fields)


def _estimate(run: "Run[Any, Any, Any, Any]", settings: "RunSettings") -> None:
    from longsum.models.training.estimate import estimate
    from longsum.models.training.processes import is_first_process

    with bar("Trying ten updates", "update") as show:
        cost = estimate(run, settings, lambda done, total: show(done, total, "Trying updates"))
    if is_first_process():
        write_result("".join(f"{line}\n" for line in cost.lines), None)


COMMAND = Command(train, "Train a system on a data set.", EXAMPLES)
