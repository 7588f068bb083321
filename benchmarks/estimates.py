"""What `longsum train --estimate` predicts for runs, against what they then take.

Run: python benchmarks/estimates.py [--systems NAME …] [--updates N] [--json FILE]
                                    [--processes N] [--sharding full]

Each system is first estimated and then trained, each in a process of its own, or in several that
train together, at a size that a laptop trains in minutes; data are prepared before. The table
compares the mean seconds of an update, by wall clock and in processor time (which other programs on
the machine affect little), and the peak of memory: of the process that has most, or of its GPU if
there is one. It reads the shared data (`LONGSUM_DATA`) and takes about 15 minutes on two cores.
"""

import argparse
import json
import multiprocessing
import os
import socket
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from generated_games import provide
from longsum.core.recipes import load_recipe
from longsum.core.recipes.recipe import merged
from longsum.models.training.documents import PreparedCache
from longsum.models.training.estimate import estimate, peak_memory
from longsum.models.training.processes import leave
from longsum.models.training.run_seq2seq import run_for
from longsum.models.training.run_settings import RunSettings

FIRST = 2
"""Updates that are left out: what happens once is no part of the others."""

BERT = {
    "hidden_size": 256,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "intermediate_size": 1024,
}
GAMES = 60
OF_GAMES = ("stepwise-hibert-planner", "relation-extractor-small")
SYSTEMS: dict[str, dict[str, Any]] = {
    "small": {
        "data": {"names": "scisummnet", "limit": 200, "validation_limit": 16},
        "tokenizer": {"size": 4000},
        "task": {"source_tokens": 2048, "target_tokens": 256},
        "training": {"batch": 4, "gap_sentences": 0.0},
    },
    "pointer-generator": {
        "data": {"names": "scisummnet", "limit": 200, "validation_limit": 16},
        "model": {"hidden_size": 128, "embedding_size": 64},
        "vocabulary": 8000,
        "training": {"coverage_steps": 0},
    },
    "apes-qa": {
        "checkpoint": None,
        "model": BERT,
        "tokenizer": {"size": 4000},
        "data": {"names": "scisummnet", "limit": 100, "validation_limit": 8},
        "training": {"accumulate": 1},
    },
    "stepwise-hibert-planner": {
        "data": {"names": "generated_games", "limit": GAMES, "validation_limit": 6},
        "training": {"batch": 4},
    },
    "relation-extractor-small": {
        "data": {"names": "generated_games", "limit": GAMES, "validation_limit": 6},
    },
}


def settings_of(name: str, updates: int, sharding: str, prepared: Path) -> tuple[str, RunSettings]:
    """Return a system's kind of run, and its settings."""
    recipe = load_recipe(name)
    given = {
        "data": {"prepared": str(prepared)},
        "training": {"steps": updates, "sharding": sharding},
        "save_every": updates,
        "evaluate_every": updates,
    }
    run = run_for(recipe.kind)
    return recipe.kind, run.settings_of(recipe, merged(SYSTEMS[name], given))


def prepare(name: str, updates: int, sharding: str, prepared: Path) -> None:
    """Prepare the data of a run."""
    kind, settings = settings_of(name, updates, sharding, prepared)
    run_for(kind).prepare(settings, PreparedCache(settings.data, prepared, print))


def foretell(name: str, updates: int, sharding: str, prepared: Path) -> dict[str, float]:
    """Return the estimate of a run."""
    kind, settings = settings_of(name, updates, sharding, prepared)
    return asdict(estimate(run_for(kind), settings))


def train(name: str, updates: int, sharding: str, prepared: Path) -> dict[str, float]:
    """Train a system; return the wall and processor seconds of an update, and the memory.

    Of several processes, the first alone knows the seconds.
    """
    kind, settings = settings_of(name, updates, sharding, prepared)
    times: list[tuple[float, float]] = []

    def step(_done: int, _all: int) -> None:
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        times.append((time.perf_counter(), time.process_time()))

    run_for(kind).train(load_recipe(name), settings, prepared / "run", step=step)
    leave()
    found = {"memory": float(peak_memory())}
    if times:
        (wall, computed), (ended, computing) = times[FIRST], times[-1]
        count = len(times) - 1 - FIRST
        found["seconds_per_update"] = (ended - wall) / count
        found["computed_per_update"] = (computing - computed) / count
    return found


def join_group(rank: int, processes: int, port: int) -> None:
    """Set the rank of a process among several, as torchrun does."""
    places = {"RANK": rank, "LOCAL_RANK": rank}
    sizes = {"WORLD_SIZE": processes, "LOCAL_WORLD_SIZE": processes, "MASTER_PORT": port}
    os.environ |= {name: str(value) for name, value in (places | sizes).items()}
    os.environ["MASTER_ADDR"] = "127.0.0.1"


def apart(act: Callable[..., Any], given: tuple[Any, ...], processes: int = 1) -> list[Any]:
    """Return the result of a call in a process of its own, or in each of several together."""
    context = multiprocessing.get_context("spawn")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    how: dict[str, Any] = {"mp_context": context}
    with ExitStack() as stack:
        called = []
        for rank in range(processes):
            if processes > 1:
                how |= {"initializer": join_group, "initargs": (rank, processes, port)}
            pool = stack.enter_context(ProcessPoolExecutor(1, **how))
            called.append(pool.submit(act, *given))
        return [each.result() for each in called]


def main() -> None:
    """Estimate, train, and print both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--sharding", choices=("none", "full"), default="none")
    parser.add_argument("--json", type=Path, help="output file for the figures")
    arguments = parser.parse_args()
    found = {}
    print("| system | | estimated | measured | estimated / measured |\n|---|---|---|---|---|")
    for name in arguments.systems:
        with TemporaryDirectory() as folder:
            if name in OF_GAMES:
                provide(Path(folder) / "games", GAMES)
            given = (name, arguments.updates, arguments.sharding, Path(folder))
            apart(prepare, given)
            before, *_ = apart(foretell, given, arguments.processes)
            after, *others = apart(train, given, arguments.processes)
            after["memory"] = max(each["memory"] for each in (after, *others))
        found[name] = {"estimated": before, "measured": after}
        for what, label, unit in (
            ("seconds_per_update", "s an update", 1.0),
            ("computed_per_update", "s computed an update", 1.0),
            ("memory", "GB of memory", 1e9),
        ):
            ours, theirs = before[what] / unit, after[what] / unit
            row = f"| {name} | {label} | {ours:.3f} | {theirs:.3f} | {ours / theirs:.2f} |"
            print(row, flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
