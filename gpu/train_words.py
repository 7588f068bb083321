"""The networks of MLS: pretrained, then fine-tuned on a little of the stand-in data (§2.3).

Run: LONGSUM_DATA=… PYTHONPATH=src python gpu/train_words.py OUTPUT [--steps N] [--set K=V …]

Pretrains the pointer-generator network and A3's convolutions on the largest available set and on
news, whose summaries copy like those of CNN/DailyMail; fine-tunes both on a quarter of `squality`
and of `qmsum`; and trains a pointer-generator network on each of these alone (MLS*). OUTPUT gets a
folder for each network, for `benchmarks/mls.py`, and a table of losses goes to standard output.
An interrupted run continues from its last checkpoint when the command is given again. The
defaults are those of an hour on two cores; `--set` replaces settings in all runs. `--prepare` only
encodes the data, into `OUTPUT/prepared`, for a machine without data sets.
"""

import argparse
import sys
from pathlib import Path

from side_by_side import Settings, finished, logged, run_all

VOCABULARY: Settings = {"data": {"words": "sumpubmed+squality+qmsum"}, "vocabulary": 10_000}
PRETRAINING: Settings = {
    "data": {"names": "sumpubmed+bbc_news_summary"},
    "model": {"max_source_tokens": 200, "max_target_tokens": 50},
    "save_every": 250,
    "evaluate_every": 1000,
}
TUNING: Settings = {
    "model": {"max_source_tokens": 300, "max_target_tokens": 100},
    "save_every": 50,
    "evaluate_every": 50,
}
# With initial weights as small as in the official code (1e-4) attention is flat for thousands of
# updates.
POINTER: Settings = {
    "model": {"hidden_size": 128, "min_target_tokens": 20, "init_std": 0.1, "lstm_init": 0.1}
}
CONVOLUTIONAL: Settings = {"model": {"hidden_size": 128, "embedding_size": 128, "layers": 4}}
# 25 % of all documents for training, 10 % for evaluation, and for how many updates a pretrained
# network improves on these.
STAND_INS = {"squality": (32, 13, 50), "qmsum": (58, 23, 150)}
STAR_STEPS = 150


def main() -> None:
    """Prepare; or train, and print the losses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--steps", type=int, default=4000, help="of the pointer-generator network")
    parser.add_argument("--coverage-steps", type=int, default=200, help="the last of these")
    parser.add_argument("--convolutional-steps", type=int, default=900)
    parser.add_argument("--tuning-steps", type=int, help="of each fine-tuning, and of MLS*")
    parser.add_argument("--parallel", type=int, default=1, help="runs at a time")
    parser.add_argument(
        "--seconds", type=float, help="of each run; the same command continues later"
    )
    parser.add_argument("--prepare", action="store_true", help="only encode the data")
    parser.add_argument("--set", nargs="*", default=[], dest="settings")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    first, then = pretraining(options), tuning(options)
    recipes = {name: write_recipe(name, found, options) for name, found in (first | then).items()}
    if options.prepare:
        prepare(recipes, options)
        return
    for runs in (first, then):
        run_all({name: train_command(recipes[name], name, options) for name in runs}, options)
    print(losses([*recipes], options.output))


def pretraining(options: argparse.Namespace) -> dict[str, Settings]:
    """Return the settings of the two pretrained networks."""
    from longsum.core.recipes.recipe import merged

    pointer = {"training": {"steps": options.steps, "coverage_steps": options.coverage_steps}}
    convolutional = {"training": {"steps": options.convolutional_steps}}
    base = merged(VOCABULARY, PRETRAINING)
    return {
        "pointer": merged(merged(base, POINTER), pointer),
        "convolutional": merged(
            merged(base, CONVOLUTIONAL), {"architecture": "convolutional"} | convolutional
        ),
    }


def tuning(options: argparse.Namespace) -> dict[str, Settings]:
    """Return the settings of the fine-tuned networks."""
    from longsum.core.recipes.recipe import merged

    found = {}
    for name, (learned, measured, steps) in STAND_INS.items():
        data = {"names": name, "limit": learned, "validation_limit": measured}
        training = {"steps": options.tuning_steps or steps}
        base = merged(merged(VOCABULARY, TUNING), {"data": data, "training": training})
        found[f"pointer-{name}"] = base | {"start": str(options.output / "pointer")}
        # Its positions are learned, so that it reads and writes only as far as in pretraining.
        found[f"convolutional-{name}"] = base | {
            "architecture": "convolutional",
            "model": PRETRAINING["model"],
            "start": str(options.output / "convolutional"),
        }
        training = {"steps": options.tuning_steps or STAR_STEPS}
        found[f"star-{name}"] = merged(merged(base, POINTER), {"training": training})
    return found


def write_recipe(name: str, settings: Settings, options: argparse.Namespace) -> Path:
    """Write the recipe of a run to a file."""
    import yaml

    from longsum.cli.assignments import parse_assignments
    from longsum.core.recipes.recipe import merged
    from longsum.models.training.training_run import SHORTHANDS

    settings = merged(settings, {"data": {"prepared": str(options.output / "prepared")}})
    settings = merged(settings, parse_assignments(options.settings, SHORTHANDS))
    path: Path = options.output / f"{name}.yaml"
    made = {"name": name, "title": name, "paper": "none", "kind": "words", "state": "train first"}
    text = yaml.safe_dump({**made, "settings": settings}, sort_keys=False)
    path.write_text(text, encoding="utf-8")
    return path


def prepare(recipes: dict[str, Path], options: argparse.Namespace) -> None:
    """Encode the data for training and evaluation of all runs."""
    from longsum.core.recipes import load_recipe
    from longsum.models.networks.words.modeling_words import WordModelConfig
    from longsum.models.networks.words.vocabulary import WordTokenizer
    from longsum.models.training.documents import PreparedCache
    from longsum.models.training.words.run_words import WORDS, counted_vocabulary, encoded_split

    for path in recipes.values():
        settings = WORDS.settings_of(load_recipe(path), {})
        lengths = {key: settings.model[key] for key in PRETRAINING["model"]}
        config = WordModelConfig(**lengths)
        cache = PreparedCache(settings.data, options.output, print)
        words = WordTokenizer(lower_case=config.lower_case)
        vocabulary = counted_vocabulary(settings, words, cache)
        for split in ("train", "validation"):
            encoded_split(vocabulary, config, split, cache)


def train_command(recipe: Path, name: str, options: argparse.Namespace) -> list[str]:
    """Return the command that trains a network, or resumes it."""
    command = [sys.executable, "-m", "longsum", "train", str(recipe)]
    return [*command, "-o", str(options.output / name)]


def losses(names: list[str], output: Path) -> str:
    """Return the last validation loss of each existing network."""
    from longsum.cli.streams import table

    rows = []
    for name in filter(lambda name: finished(output / name), names):
        measured = [line["eval_loss"] for line in logged(output / name) if "eval_loss" in line]
        rows.append([name, f"{measured[-1]:.3f}"])
    return table(["network", "validation loss"], rows)


if __name__ == "__main__":
    main()
