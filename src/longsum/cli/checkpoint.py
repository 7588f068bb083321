"""`longsum checkpoint`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from longsum.cli.command import Command
from longsum.cli.options import Seed
from longsum.cli.streams import hide_bars_of_transformers, write_result
from longsum.common.extras import require

EXAMPLES = (
    "longsum checkpoint tiny bart -o tiny-bart",
    "longsum checkpoint tiny led -o tiny-led && longsum train hibrids-enc -o runs/toy "
    "checkpoint=tiny-led data=planted training.steps=20",
)


def checkpoint(
    size: Annotated[
        Literal["tiny"],
        typer.Argument(metavar="SIZE", help="tiny: two layers of 32 features."),
    ],
    kind: Annotated[
        Literal["bart", "led", "pegasus", "bigbird_pegasus", "longt5", "roberta", "bert"],
        typer.Argument(metavar="KIND", help="The model whose form it has."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="A new folder for it.")
    ],
    seed: Seed = 0,
) -> None:
    """Write a checkpoint of random weights, to try a recipe end to end.

    It has the form of the checkpoint that recipes start from, so that nothing is downloaded: pass
    its folder to 'longsum train' as checkpoint=FOLDER. Its summaries mean nothing.
    """
    require("transformers")
    hide_bars_of_transformers()
    from longsum.evaluation.datasets import load
    from longsum.models.networks.tiny_checkpoints import write_tiny_checkpoint

    texts = (example.document.text for example in load("planted", "train", limit=200))
    weights = write_tiny_checkpoint(kind, output, texts, seed=seed)
    write_result(f"{output}: {size} {kind}, {weights:,} random weights\n", None)


COMMAND = Command(checkpoint, "Write a tiny random checkpoint to try recipes with.", EXAMPLES)
