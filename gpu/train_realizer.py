"""A realizer of content plans at scale (Stepwise, B.4), scored on unseen games.

Run: LONGSUM_DATA=… PYTHONPATH=src:benchmarks python gpu/train_realizer.py OUTPUT [--set K=V …]

Trains `--recipe` (`table-realizer-small`, or `table-realizer` if RoBERTa is available) on
generated games, on four fifths of the 60 real ones, and with `--rotowire` on the training games of
RotoWire, if `LONGSUM_DATA` has its files in `rotowire`; some of those games are among the 60, which
the result must say. Then scores it on the remaining twelve games (`benchmarks/table_realizers.py`).
An interrupted run continues from its last checkpoint when the command is given again; with
`--seconds` it stops after that time. `--prepare` only encodes the data, for a machine without data
sets, on which `--train-only` is used.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from side_by_side import Settings, finished, run_all

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from generated_games import provide

FOLD = 5
"""The fold of the 60 games that is held out."""


def main() -> None:
    """Prepare, train, or score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--recipe", default="table-realizer-small")
    parser.add_argument("--generated", type=int, default=6000, help="generated games")
    parser.add_argument("--rotowire", action="store_true", help="learn from Rotowire too")
    parser.add_argument("--steps", type=int, help="updates; by default the recipe's")
    parser.add_argument("--seconds", type=float, help="the same command continues later")
    parser.add_argument("--prepare", action="store_true", help="only encode the data")
    parser.add_argument("--train-only", action="store_true", help="leave out the scores")
    parser.add_argument("--set", nargs="*", default=[], dest="settings")
    options = parser.parse_args()
    options.parallel = 1
    provide(options.output / "games", options.generated)
    recipe = write_recipe(options)
    if options.prepare:
        prepare(recipe, options.output)
        return
    command = [sys.executable, "-m", "longsum", "train", str(recipe)]
    run_all({"realizer": [*command, "-o", str(options.output / "realizer")]}, options)
    if finished(options.output / "realizer") and not options.train_only:
        print(scored(options.output / "realizer"))


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the run's changes to the recipe."""
    real = [f"rotowire_games/fold{fold}" for fold in range(1, 6) if fold != FOLD]
    names = [*real, "generated_games", *(["rotowire"] if options.rotowire else [])]
    data = {
        "names": "+".join(names),
        "validation": f"rotowire_games/fold{FOLD}",
        "limit": options.generated,
        "prepared": str(options.output / "prepared"),
    }
    training: dict[str, Any] = {} if options.steps is None else {"steps": options.steps}
    return {"data": data, "training": training, "save_every": 500, "evaluate_every": 500}


def write_recipe(options: argparse.Namespace) -> Path:
    """Write the recipe of the run to a file."""
    import yaml

    from longsum.cli.assignments import parse_assignments
    from longsum.core.recipes import load_recipe
    from longsum.core.recipes.recipe import merged
    from longsum.models.training.training_run import SHORTHANDS

    found = load_recipe(options.recipe)
    settings = merged(found.settings, settings_of(options))
    settings = merged(settings, parse_assignments(options.settings, SHORTHANDS))
    fields = {"name": "realizer", "title": found.title, "paper": found.paper, "kind": found.kind}
    path: Path = options.output / "realizer.yaml"
    text = yaml.safe_dump({**fields, "state": "train first", "settings": settings}, sort_keys=False)
    path.write_text(text, encoding="utf-8")
    return path


def prepare(recipe: Path, output: Path) -> None:
    """Encode the data for training and evaluation."""
    from longsum.core.recipes import load_recipe
    from longsum.models.training.documents import PreparedCache
    from longsum.models.training.run_seq2seq import SEQ2SEQ

    settings = SEQ2SEQ.settings_of(load_recipe(recipe), {})
    SEQ2SEQ.prepare(settings, PreparedCache(settings.data, output, print))


def scored(folder: Path) -> str:
    """Return the scores on the games of the held-out fold."""
    from longsum.evaluation.datasets import load
    from table_realizers import scores

    return scores(list(load("rotowire_games", f"fold{FOLD}")), folder)


if __name__ == "__main__":
    main()
