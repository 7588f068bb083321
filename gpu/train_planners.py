"""Trains planners of tables on generated games at the paper's depth, side by side.

Run: PYTHONPATH=src:benchmarks python gpu/train_planners.py OUTPUT [--steps N] [--games N]
[--set K=V …]

Each system gets a folder in OUTPUT, and an interrupted run continues from its last checkpoint. It
takes no data: games are generated into OUTPUT. `benchmarks/table_plans_neural.py OUTPUT` then
trains them on the real games of four folds at a time and scores them, on a machine with the shared
data. Stepwise planners are trained as in the paper, and informed of the owners of entries. `--set`
replaces settings in all systems.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from train_extractor import state

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from generated_games import provide

# A.1: two layers that read entries and four that read the table; 512 entries (B.3).
HIBERT = (
    "model.sentence_encoder.size=256",
    "model.sentence_encoder.layers=2",
    "model.sentence_encoder.feed_forward=1024",
    "model.document_encoder.layers=4",
    "model.document_encoder.feed_forward=1024",
)
ETC = ("model.size=256", "model.layers=6", "model.feed_forward=1024", "task.beginnings=8")
SYSTEMS: dict[str, tuple[str, ...]] = {
    "informed-hibert-planner": HIBERT,
    "stepwise-hibert-planner": HIBERT,
    "hibert-planner": HIBERT,
    "informed-etcsum-planner": ETC,
    "stepwise-etcsum-planner": ETC,
}


def main() -> None:
    """Train the systems until all are done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--games", type=int, default=6150, help="generated games, five seasons")
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=SYSTEMS)
    parser.add_argument("--set", nargs="*", default=[], dest="settings")
    options = parser.parse_args()
    provide(options.output / "games", options.games)
    began, running = time.time(), {}
    for name in options.systems:
        own = SYSTEMS[name]
        common = (
            "task.entries=512",
            "training.batch=16",
            "training.learning_rate=0.0005",
            "training.warmup_steps=300",
            "training.precision=auto",
            f"training.steps={options.steps}",
            f"data.limit={options.games}",
            f"data.prepared={options.output / 'prepared'}",
        )
        command = [sys.executable, "-m", "longsum", "train", name, "-o", options.output / name]
        log = (options.output / f"{name}.log").open("a", encoding="utf-8")
        running[name] = subprocess.Popen(
            [*map(str, command), *last_of_each((*common, *own, *options.settings))],
            stdout=log,
            stderr=log,
            env={"OMP_NUM_THREADS": "2", "TOKENIZERS_PARALLELISM": "false"} | os.environ,
        )
    while any(process.poll() is None for process in running.values()):
        time.sleep(min(15, 1 + time.time() - began))
        states = [f"{name} {state(options.output / name)}" for name in running]
        print(f"{time.time() - began:5.0f} s  " + " | ".join(states), flush=True)
    for name, process in running.items():
        if process.returncode:
            text = (options.output / f"{name}.log").read_text(encoding="utf-8")
            print(f"{name} stopped:\n{text[-1500:]}", flush=True)


def last_of_each(assignments: Iterable[str]) -> list[str]:
    """Return the assignments, only the last for each name."""
    return list({each.partition("=")[0]: each for each in assignments}.values())


if __name__ == "__main__":
    main()
