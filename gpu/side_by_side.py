"""Systems trained side by side: shared by the scripts of this folder that compare recipes.

All start from the weights of `checkpoints/small`, which `make_small.py` makes, and learn from the
same documents, in the same order and for the same number of updates. An interrupted run continues
from its last checkpoint when the command is given again; `--seconds` limits its time. The output
gets a folder `SYSTEM.SEED` for each run; the validation losses go to standard output, as
differences from the first system. `--prepare` only encodes the data, into the output, for
`--prepared` on a machine without data sets. `--write` also generates for the test documents, and
`--score` scores that, which needs the data sets (`score_structure.py`). `--set` replaces further
settings in all systems; on a CPU: `--parallel 1 --steps … --seconds …`.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

Settings = dict[str, Any]

BASE: Settings = {
    "checkpoint": "checkpoints/small",
    "task": {"source_tokens": 2048, "target_tokens": 512, "overflow": "split"},
    "training": {
        "steps": 1000,
        "batch": 8,
        "optimizer": "adamw",
        "learning_rate": 0.0003,
        "schedule": "cosine",
        "warmup_steps": 100,
        "adam_betas": [0.9, 0.98],
        "clip": 1.0,
        # Batches by length would be drawn after dropout, and so would differ between systems.
        "group_by_length": False,
    },
    "save_every": 100,
    "evaluate_every": 250,
}


def parser(description: str | None, systems: Sequence[str]) -> argparse.ArgumentParser:
    """Return the options that all such scripts have; `systems` are trained by default."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("output", type=Path)
    made.add_argument("--systems", nargs="+", default=list(systems), metavar="RECIPE")
    made.add_argument("--seeds", nargs="+", type=int, default=[0])
    made.add_argument("--steps", type=int)
    made.add_argument("--seconds", type=float, help="of each run; the same command continues later")
    made.add_argument("--parallel", type=int, default=5, help="runs at a time")
    made.add_argument("--prepare", action="store_true", help="only encode the data")
    made.add_argument("--prepared", type=Path)
    made.add_argument("--write", action="store_true")
    made.add_argument("--score", action="store_true")
    made.add_argument("--lessons", type=int, help="number of examples; all by default")
    made.add_argument("--set", nargs="*", default=[], dest="settings")
    return made


def compare(options: argparse.Namespace, settings_of: Callable[[str], Settings]) -> None:
    """Prepare; or train, print the losses, and score.

    Args:
        options: Options of `parser`.
        settings_of: Returns the settings of a system, to which the options are added.
    """
    options.output.mkdir(parents=True, exist_ok=True)
    if options.prepared is None:
        options.prepared = options.output / ("" if options.prepare else "prepared")
    recipes = {name: write_recipe(name, settings_of(name), options) for name in options.systems}
    prepare(recipes, options)
    if options.prepare:
        return
    runs = {
        f"{name}.{seed}": train_command(recipes[name], f"{name}.{seed}", seed, options)
        for seed in options.seeds
        for name in options.systems
    }
    run_all(runs, options)
    print_losses(options)
    done = [options.output / name for name in runs if finished(options.output / name)]
    if done and (options.write or options.score):
        subprocess.run(score_command(done, options), check=True)


def write_recipe(name: str, settings: Settings, options: argparse.Namespace) -> Path:
    """Write the recipe of a system's run to a file: its settings, and those from the options."""
    import yaml

    from longsum.cli.assignments import parse_assignments
    from longsum.core.recipes.recipe import merged
    from longsum.models.training.training_run import SHORTHANDS

    settings = merged(settings, {"data": {"prepared": str(options.prepared)}})
    if options.steps:
        warmup = min(settings["training"]["warmup_steps"], options.steps // 10)
        steps = {"steps": options.steps, "warmup_steps": warmup}
        settings = merged(settings, {"training": steps})
    settings = merged(settings, parse_assignments(options.settings, SHORTHANDS))
    path = options.output / f"{name}.yaml"
    made = {"name": name, "title": name, "paper": "none", "kind": "seq2seq"}
    text = yaml.safe_dump({**made, "settings": settings, "state": "train first"}, sort_keys=False)
    path.write_text(text, encoding="utf-8")
    return path


def prepare(recipes: Mapping[str, Path], options: argparse.Namespace) -> None:
    """Encode the data before runs do so side by side."""
    from longsum.core.recipes import load_recipe
    from longsum.models.training.documents import PreparedCache
    from longsum.models.training.prepare_tokens import run_tokenizer, tokenized_split
    from longsum.models.training.run_seq2seq import SEQ2SEQ

    splits = ["train", "validation"]
    if options.prepare or options.write or options.score:
        splits.append("test")
    for path in recipes.values():
        settings = SEQ2SEQ.settings_of(load_recipe(path), {})
        cache = PreparedCache(settings.data, options.output, print)
        tokenizer = run_tokenizer(settings, cache)
        for split in splits:
            tokenized_split(settings, tokenizer, split, cache)


def train_command(recipe: Path, run: str, seed: int, options: argparse.Namespace) -> list[str]:
    """Return the command that trains a system, or resumes its run."""
    command = [sys.executable, "-m", "longsum", "train", str(recipe)]
    return [*command, "-o", str(options.output / run), f"training.seed={seed}"]


def score_command(folders: list[Path], options: argparse.Namespace) -> list[str]:
    """Return the command that generates with systems, and scores them."""
    command = [sys.executable, str(Path(__file__).with_name("score_structure.py"))]
    command += map(str, folders)
    if options.lessons is not None:
        command += ["--lessons", str(options.lessons)]
    return command if options.score else [*command, "--write"]


def run_all(commands: Mapping[str, list[str]], options: argparse.Namespace) -> None:
    """Run what is not done yet, in parallel, and report progress."""
    waiting = [name for name in commands if not finished(options.output / name)]
    running: dict[str, tuple[subprocess.Popen[bytes], float]] = {}
    environment = {"OMP_NUM_THREADS": "2", "TOKENIZERS_PARALLELISM": "false"} | os.environ
    said = began = time.time()
    while waiting or running:
        while waiting and len(running) < options.parallel:
            name = waiting.pop(0)
            log = (options.output / f"{name}.log").open("a", encoding="utf-8")
            process = subprocess.Popen(commands[name], stdout=log, stderr=log, env=environment)
            running[name] = process, time.time()
        time.sleep(0.5)
        for name, (process, start) in list(running.items()):
            if process.poll() is not None:
                del running[name]
                tell(name, process.returncode, options.output)
            elif options.seconds and time.time() - start > options.seconds:
                process.terminate()
        if time.time() - said > min(20, said - began + 1):
            said = time.time()
            states = [f"{name} {state(options.output / name)}" for name in running]
            print(f"{said - began:5.0f} s  " + " | ".join(states), flush=True)


def tell(name: str, code: int, output: Path) -> None:
    """Report that a run has ended, with the end of its log if it failed."""
    print(f"{name} {'is done' if not code else 'stopped'}: {state(output / name)}", flush=True)
    if code > 0:
        print((output / f"{name}.log").read_text(encoding="utf-8")[-1500:], flush=True)


def finished(folder: Path) -> bool:
    """Return whether a run has its result."""
    return (folder / "config.json").is_file()


def logged(folder: Path) -> list[dict[str, float]]:
    """Return what a run has logged."""
    path = folder / "metrics.jsonl"
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def state(folder: Path) -> str:
    """Return the last step that a run logged, its loss, and the last measurement."""
    lines = logged(folder)
    found = [
        f"{[line[name] for line in lines if name in line][-1]:.3f}"
        for name in ("loss", "eval_loss")
        if any(name in line for line in lines)
    ]
    return f"{int(lines[-1]['step']) if lines else 0} {' '.join(found)}"


def print_losses(options: argparse.Namespace) -> None:
    """Print each finished system's last validation loss, by seed and on average."""
    from longsum.cli.streams import table

    losses: dict[str, dict[int, float]] = {}
    for name in options.systems:
        folders = {seed: options.output / f"{name}.{seed}" for seed in options.seeds}
        losses[name] = {
            seed: [line["eval_loss"] for line in logged(folder) if "eval_loss" in line][-1]
            for seed, folder in folders.items()
            if finished(folder)
        }
    first = losses[options.systems[0]]
    rows = []
    for name, own in losses.items():
        each = [f"{own[seed]:.4f}" if seed in own else "-" for seed in options.seeds]
        shared = [own[seed] - first[seed] for seed in own if seed in first]
        mean = f"{fmean(own.values()):.4f}" if own else "-"
        rows.append([name, *each, mean, f"{fmean(shared):+.4f}" if shared else "-"])
    head = ["system", *(f"seed {seed}" for seed in options.seeds), "mean"]
    print(f"\nvalidation loss\n{table([*head, f'less {options.systems[0]}'], rows)}")
