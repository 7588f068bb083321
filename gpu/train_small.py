"""Do longer inputs and other attentions help a small model that is trained from scratch?

Run: PYTHONPATH=src python gpu/train_small.py OUTPUT [--steps N] [--prepared FOLDER] [--set K=V …]

Trains the recipe `small` (15 million parameters) with several attentions at once, with the same
data, order and number of updates; an interrupted run continues from its last checkpoint. Then
measures each: validation loss by the number of tokens read, and what it writes for validation and
test documents. OUTPUT gets a folder for each system, `results.json`, and a table on standard
output. `--set` replaces further settings, for a run at toy size on the CPU.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HYBRID = "model.encoder_attention=[{{kind: pattern, window: 256}}, {{kind: {}}}]"
FULL_CROSS = ["model.cross_attention.kind=full"]
SYSTEMS: dict[str, list[str]] = {
    "full": ["task.source_tokens=1024", "model.encoder_attention={kind: full}", *FULL_CROSS],
    "window": FULL_CROSS,
    "window+hepos": [],
    "sinkhorn+hepos": [HYBRID.format("sinkhorn")],
    "lsh+hepos": [HYBRID.format("lsh")],
}
READ = (512, 1024, 2048, 4096)
SPLITS = ("validation", "test")


def main() -> None:
    """Train the systems, then measure them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--prepared", type=Path)
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=SYSTEMS)
    parser.add_argument("--documents", type=int, help="documents of each split to write about")
    parser.add_argument("--set", nargs="*", default=[], dest="settings")
    parser.add_argument("--measure", action="store_true", help="only measure one system")
    parser.add_argument("--prepare", action="store_true", help="only encode the data, to OUTPUT")
    options = parser.parse_args()
    if options.measure or options.prepare:
        (measure if options.measure else prepare)(options)
        return
    run_all(options, "train", [train_command(name, options) for name in options.systems])
    run_all(options, "measure", [measure_command(name, options) for name in options.systems])
    results = {
        name: json.loads((options.output / name / "measured.json").read_text())
        for name in options.systems
        if (options.output / name / "measured.json").is_file()
    }
    (options.output / "results.json").write_text(json.dumps(results), encoding="utf-8")
    print_table(results)


def prepare(options: argparse.Namespace) -> None:
    """Encode the data of every system, for a machine that has no data sets."""
    from longsum.core.recipes import load_recipe
    from longsum.models.training.documents import PreparedCache
    from longsum.models.training.prepare_tokens import run_tokenizer, tokenized_split
    from longsum.models.training.run_seq2seq import SEQ2SEQ

    for read in (1024, 4096):
        settings = SEQ2SEQ.settings_of(load_recipe("small"), {"task": {"source_tokens": read}})
        cache = PreparedCache(settings.data, options.output, print)
        tokenizer = run_tokenizer(settings, cache)
        for split in ("train", *SPLITS):
            tokenized_split(settings, tokenizer, split, cache)


def train_command(name: str, options: argparse.Namespace) -> list[str]:
    """Return the command that trains a system, or resumes its run."""
    settings = [f"training.steps={options.steps}", *SYSTEMS[name], *options.settings]
    if options.prepared is not None:
        settings.append(f"data.prepared={options.prepared}")
        (tokenizer,) = options.prepared.glob("tokenizer-*")
        settings.append(f"tokenizer.path={tokenizer}")
    folder = str(options.output / name)
    return [sys.executable, "-m", "longsum", "train", "small", "-o", folder, *settings]


def measure_command(name: str, options: argparse.Namespace) -> list[str]:
    """Return the command that measures a system."""
    command = [sys.executable, __file__, str(options.output / name), "--measure"]
    return command + (["--documents", str(options.documents)] if options.documents else [])


def run_all(options: argparse.Namespace, what: str, commands: list[list[str]]) -> None:
    """Run the commands side by side, each with its own log, and report progress."""
    options.output.mkdir(parents=True, exist_ok=True)
    began, running = time.time(), {}
    environment = {"OMP_NUM_THREADS": "2", "TOKENIZERS_PARALLELISM": "false"} | os.environ
    for name, command in zip(options.systems, commands, strict=True):
        log = (options.output / f"{name}.{what}.log").open("a", encoding="utf-8")
        running[name] = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    while any(process.poll() is None for process in running.values()):
        time.sleep(min(20, 1 + time.time() - began))
        states = [f"{name} {state(options.output / name)}" for name in running]
        print(f"{time.time() - began:5.0f} s  {what}: " + " | ".join(states), flush=True)
    for name, process in running.items():
        if process.returncode:
            log_file = options.output / f"{name}.{what}.log"
            print(f"{name} failed:\n{log_file.read_text(encoding='utf-8')[-1500:]}", flush=True)


def state(folder: Path) -> str:
    """Return the last step that a system logged, and its loss."""
    metrics = folder / "metrics.jsonl"
    if not metrics.is_file():
        return "-"
    lines = [json.loads(line) for line in metrics.read_text(encoding="utf-8").splitlines()]
    losses = [f"{line['loss']:.3f}" for line in lines if "loss" in line]
    evaluated = [f"{line['eval_loss']:.3f}" for line in lines if "eval_loss" in line]
    return f"{lines[-1]['step'] if lines else 0} {' '.join(losses[-1:] + evaluated[-1:])}"


def measure(options: argparse.Namespace) -> None:
    """Measure one system, and write `measured.json` beside it."""
    import torch
    import yaml

    from longsum.core.recipes import load_recipe
    from longsum.models.networks.hugging_face import load_tokenizer
    from longsum.models.networks.seq2seq import load_seq2seq
    from longsum.models.networks.weights import save_compact
    from longsum.models.training.documents import PreparedCache
    from longsum.models.training.measure import batches_of, token_loss, write_all
    from longsum.models.training.prepare_tokens import tokenized_split
    from longsum.models.training.run_seq2seq import SEQ2SEQ
    from longsum.models.training.training_dataset import TrainingDataset

    saved = yaml.safe_load((options.output / "training.yaml").read_text(encoding="utf-8"))
    settings = SEQ2SEQ.settings_of(load_recipe(saved["recipe"]), saved["settings"])
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = load_seq2seq(options.output).to(device)
    tokenizer = load_tokenizer(options.output)
    cache = PreparedCache(settings.data, options.output / "prepared")
    found: dict[str, Any] = {"loss": {}, "texts": {}, "seconds": {}}
    longest = settings.task.source_tokens
    start = model.config.decoder_start_token_id
    with torch.autocast(device.type, torch.bfloat16):
        for split in SPLITS:
            prepared = tokenized_split(settings, tokenizer, split, cache)
            found["loss"][split] = {}
            for read in (read for read in READ if read <= longest):
                dataset = TrainingDataset(prepared, read, start=start)
                pad = int(tokenizer.pad_token_id)
                total, count = token_loss(model, batches_of(dataset, 16, pad, device)).tolist()
                found["loss"][split][read] = total / count
            began = time.time()
            documents = TrainingDataset(prepared.first(options.documents), longest, start=start)
            found["texts"][split] = write_all(model, tokenizer, documents, batch=32)
            found["seconds"][split] = time.time() - began
            write(options.output / "measured.json", found)
    found["metrics"] = (options.output / "metrics.jsonl").read_text(encoding="utf-8")
    write(options.output / "measured.json", found)
    save_compact(model.state_dict(), options.output)


def write(path: Path, found: dict[str, Any]) -> None:
    """Write the results so far."""
    path.write_text(json.dumps(found), encoding="utf-8")


def print_table(results: dict[str, Any]) -> None:
    """Print the losses by the number of tokens read."""
    print(f"\n{'loss on validation by tokens read':<36}" + "".join(f"{read:>8}" for read in READ))
    for name, found in results.items():
        losses = found["loss"]["validation"]
        row = "".join(f"{losses.get(str(read), float('nan')):>8.3f}" for read in READ)
        print(f"{name:<36}{row}   {found['texts']['validation'][0][:60]!r}")


if __name__ == "__main__":
    main()
