"""Trains small extractive systems side by side, the one that ships first.

Run: PYTHONPATH=src python gpu/train_extractor.py OUTPUT [--prepared FOLDER] [--set K=V …]

All start from the same encoder and learn from the same documents, in the same order and for the
same number of updates (the recipe `stepwise-small`, changed as SYSTEMS says). A run that was broken
off goes on from its last checkpoint. OUTPUT gets a folder for each system; the losses are printed
to standard output periodically. `--prepare CHECKPOINT` fills OUTPUT for `--prepared` on a machine
that has neither data sets nor checkpoint: the oracles' plans, the tokens, and the checkpoint with
its reduced vocabulary, in one byte per weight. `--set` replaces further settings in all systems,
for a run at toy size on the CPU.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

Settings = dict[str, Any]

BASE = "stepwise-small"
START = "start"
# The most that can be copied to a machine at once.
MEBIBYTES = 60
# The paper's plans: they end when nothing improves ROUGE F1, at about the references' length.
PAPER: Settings = {"task": {"history": {"steps": 24, "per_word": None}}}
# Summary sentences are few among those of a document, and get a higher weight.
AT_ONCE: Settings = {
    "model": {"stepwise": False},
    "task": {"positive_weight": 4.0, **PAPER["task"]},
}
# Pretrained encoders of whole documents learn more slowly than randomly initialized layers, and
# encode everything anew for each beginning.
WHOLE: Settings = {"training": {"learning_rate": 0.0001}, "task": {"beginnings": 2}}
ETC_SIZES = {
    "long_tokens": 4096,
    "global_tokens": 256,
    "summary_tokens": 1024,
    "summary_sentences": 32,
}
ETC: Settings = {"architecture": "etc", "model": {"stepwise": True, **ETC_SIZES}, **WHOLE}
FLAT: Settings = {"architecture": "flat", "model": {"stepwise": True}, **WHOLE}
SYSTEMS: dict[str, tuple[Settings, ...]] = {
    "stepwise": (),
    "end-to-end": ({"training": {"sentence_encoder_rate": 0.1}},),
    "all-layers": ({"model": {"document_encoder": {"summary_layers": None}}},),
    "f1-targets": (PAPER,),
    "hard-targets": (PAPER, {"task": {"target": "selection", "strayed": 0.0}}),
    "hibert": (AT_ONCE,),
    "stepwise-etcsum": (ETC,),
    "etcsum": (ETC, AT_ONCE),
    "stepwise-flat": (FLAT,),
    "flat": (FLAT, AT_ONCE),
}


def main() -> None:
    """Prepare, or train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--prepare", metavar="CHECKPOINT", help="only fill OUTPUT")
    parser.add_argument("--prepared", type=Path)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--seconds", type=float, help="stop then; the same command continues later")
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=SYSTEMS)
    parser.add_argument("--set", nargs="*", default=[], dest="settings")
    options = parser.parse_args()
    if options.prepare:
        prepare(options.prepare, options.output, options.settings)
    else:
        run(options)


def prepare(checkpoint: str, folder: Path, settings: list[str]) -> None:
    """Fill a folder with everything that training needs."""
    from longsum.cli.assignments import parse_assignments
    from longsum.core.recipes import load_recipe
    from longsum.models.training.documents import PreparedCache
    from longsum.models.training.extraction.run_extraction import EXTRACTION
    from longsum.models.training.training_run import SHORTHANDS

    own = [f"checkpoint={checkpoint}", f"data.prepared={folder}"]
    given = parse_assignments([*settings, *own], SHORTHANDS)
    chosen = EXTRACTION.settings_of(load_recipe(BASE), given)
    cache = PreparedCache(chosen.data, folder, print)
    write_start(checkpoint, *EXTRACTION.prepare(chosen, cache).tokens, folder / START)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20
    print(f"{folder}: {size:.1f} MiB")
    if size > MEBIBYTES:
        sys.exit(f"More than {MEBIBYTES} MiB cannot be carried; give data.limit.")


def write_start(checkpoint: str, tokenizer: Any, kept: list[int] | None, to: Path) -> None:
    """Write the parts of a BERT that training uses as a checkpoint, in one byte per weight."""
    from longsum.core.model_files.folders import check_model
    from longsum.models.networks.extractive.convert_extractors import convert_state_dict
    from longsum.models.networks.weights import load_weights, save_compact
    from longsum.models.training.extraction.start import EMBEDDING

    folder = check_model(checkpoint)
    weights = convert_state_dict(load_weights(folder))
    if kept is not None:
        weights[EMBEDDING] = weights[EMBEDDING][kept]
    config = {**folder.settings, "vocab_size": len(weights[EMBEDDING])}
    to.mkdir(parents=True, exist_ok=True)
    save_compact(weights, to)
    (to / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    (to / "tokenizer.json").write_text(tokenizer.to_str(pretty=True), encoding="utf-8")


def run(options: argparse.Namespace) -> None:
    """Train the systems side by side until all are done or the time is over."""
    options.output.mkdir(parents=True, exist_ok=True)
    environment = {"OMP_NUM_THREADS": "2", "TOKENIZERS_PARALLELISM": "false"} | os.environ
    began, running = time.time(), {}
    for name in options.systems:
        log = (options.output / f"{name}.log").open("a", encoding="utf-8")
        running[name] = subprocess.Popen(
            command(name, options), stdout=log, stderr=log, env=environment
        )
    while any(process.poll() is None for process in running.values()):
        time.sleep(min(15, 1 + time.time() - began))
        states = [f"{name} {state(options.output / name)}" for name in running]
        print(f"{time.time() - began:5.0f} s  " + " | ".join(states), flush=True)
        if options.seconds and time.time() - began > options.seconds:
            for process in running.values():
                process.terminate()
    for name, process in running.items():
        if process.returncode:
            log_file = options.output / f"{name}.log"
            print(f"{name} stopped:\n{log_file.read_text(encoding='utf-8')[-1500:]}", flush=True)


def command(name: str, options: argparse.Namespace) -> list[str]:
    """Return the command that trains a system, or resumes its run."""
    settings = list(options.settings)
    if options.steps:
        settings.append(f"training.steps={options.steps}")
    if options.prepared is not None:
        start = options.prepared / START
        settings += [
            f"data.prepared={options.prepared}",
            f"checkpoint={start}",
            "vocabulary=null",
        ]
    recipe, folder = write_recipe(name, options.output), options.output / name
    return [sys.executable, "-m", "longsum", "train", str(recipe), "-o", str(folder), *settings]


def write_recipe(name: str, output: Path) -> Path:
    """Write the recipe of a system to a file: the base with its changes."""
    import yaml

    from longsum.core.recipes import load_recipe
    from longsum.core.recipes.recipe import merged

    recipe = load_recipe(BASE)
    # The choices of validation documents are scored where the data sets are: see below.
    settings = merged(recipe.settings, {"rouge_documents": 0})
    for changes in SYSTEMS[name]:
        if "architecture" in changes:
            settings["model"] = {}
        settings = merged(settings, changes)
    path = output / f"{name}.yaml"
    made = asdict(replace(recipe, name=name, settings=settings))
    path.write_text(yaml.safe_dump(made | {"published": []}), encoding="utf-8")
    return path


def state(folder: Path) -> str:
    """Return the last step that a system logged, its loss, and the last measurement."""
    metrics = folder / "metrics.jsonl"
    if not metrics.is_file():
        return "-"
    lines = [json.loads(line) for line in metrics.read_text(encoding="utf-8").splitlines()]
    losses = [f"{line['loss']:.3f}" for line in lines if "loss" in line]
    measured = [
        f"{line['eval_loss']:.3f} {line['eval_hits']:.3f}" for line in lines if "eval_loss" in line
    ]
    return f"{lines[-1]['step'] if lines else 0} {' '.join(losses[-1:] + measured[-1:])}"


if __name__ == "__main__":
    main()
