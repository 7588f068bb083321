"""`longsum train`: from a recipe to a model in a folder."""

from pathlib import Path
from typing import Annotated, Any

import typer

from longsum.cli.assignments import parse_assignments
from longsum.cli.streams import tell, write_result


def train(
    recipe: Annotated[
        str, typer.Argument(help="A system that 'longsum systems' lists, or a recipe file.")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="Folder of the result. One that holds a run that was broken off is gone on with.",
        ),
    ],
    assignments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KEY=VALUE]…",
            help="Settings to replace, such as data=govreport or training.steps=100.",
        ),
    ] = None,
) -> None:
    """Train a system on a data set; with torchrun, on several devices or machines.

    The folder gets the model, its tokenizer, the settings and metrics.jsonl, a line for each step
    that is logged. Use it with 'longsum summarize --model FOLDER'.
    """
    from longsum.recipes import load_recipe
    from longsum.training import run, tagging
    from longsum.training.extraction import pretraining
    from longsum.training.extraction import run as extraction
    from longsum.training.pointer import run as words

    chosen = load_recipe(recipe)
    trained = (extraction, pretraining, tagging, words)
    others: dict[str, Any] = {each.KIND: each for each in trained}
    # What none of them trains, `run` refuses.
    training = others.get(chosen.kind, run)
    settings = training.settings_of(chosen, parse_assignments(assignments or []))
    metrics = training.train(chosen, settings, output, say=tell)
    write_result(f"{output}: validation loss {metrics['eval_loss']:.4f}\n", None)
