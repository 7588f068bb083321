"""Generate for test documents with trained systems, and test which differences are significant.

Run: LONGSUM_DATA=… PYTHONPATH=src python gpu/score_structure.py FOLDER… [--lessons N] [--write]
     PYTHONPATH=src python gpu/score_structure.py FOLDER… --losses [--lessons N]

Each FOLDER is one that `longsum train` wrote, of summaries or of questions (HIBRIDS, §5); all are
of one task and one data set. What a folder's model writes is kept in it (`written-SPLIT.json`) and
taken from there the next time; `--write` only writes, which takes prepared data and no data sets.
With `--losses` nothing is written: an example has the mean loss of its target's tokens
(`losses-SPLIT.json`), which distinguishes systems trained too little to write. Folders that differ
only after the last dot of their names (`tokbias.0`, `tokbias.1`) are seeds of one system, and a
document has the mean of their scores. The systems are compared with the first by paired bootstrap
over the documents.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

Scores = dict[str, list[float]]

PERCENT = ("rouge", "hierarchy", "question_bleu4")


def main() -> None:
    """Write, then score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--split", default="test")
    parser.add_argument("--lessons", type=int, help="number of lessons; all by default")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--write", action="store_true", help="do not score")
    parser.add_argument("--losses", action="store_true", help="measure the loss instead")
    options = parser.parse_args()
    if options.losses:
        print_tables(by_system({folder: losses(folder, options) for folder in options.folders}))
        return
    for folder in options.folders:
        write(folder, options)
    if not options.write:
        found = {folder: score(folder, options.split) for folder in options.folders}
        print_tables(by_system(found))


def written_in(folder: Path, split: str) -> Path:
    """Return the file of what a folder's model writes."""
    return folder / f"written-{split}.json"


def settings_in(folder: Path) -> Any:
    """Return the settings that a folder was trained with."""
    import yaml

    from longsum.core.recipes.recipe import check
    from longsum.models.training.run_settings import Seq2SeqSettings

    saved = yaml.safe_load((folder / "training.yaml").read_text(encoding="utf-8"))
    return check(Seq2SeqSettings, saved["settings"], f"The folder '{folder}'")


def opened(folder: Path, options: argparse.Namespace) -> tuple[Any, Any, int]:
    """Return a folder's model, the examples of the split, and the id of padding."""
    import torch

    from longsum.models.networks.hugging_face import load_tokenizer
    from longsum.models.networks.seq2seq import load_seq2seq
    from longsum.models.tasks.source import reads_sections
    from longsum.models.training.documents import PreparedCache
    from longsum.models.training.prepare_tokens import tokenized_split
    from longsum.models.training.tagged import with_test_importance
    from longsum.models.training.training_dataset import TrainingDataset

    settings = settings_in(folder)
    tokenizer = load_tokenizer(folder)
    cache = PreparedCache(settings.data, folder / "prepared", print)
    split = tokenized_split(settings, tokenizer, options.split, cache).first(options.lessons)
    model = load_seq2seq(folder).to("cuda" if torch.cuda.is_available() else "cpu")
    dataset = TrainingDataset(
        with_test_importance(split, settings.task, tokenizer, batch=options.batch),
        settings.task.source_tokens,
        start=model.config.decoder_start_token_id,
        structure=reads_sections(model.config),
        overflow=settings.task.overflow,
        importance=settings.task.importance,
    )
    return model, dataset, int(tokenizer.pad_token_id)


def write(folder: Path, options: argparse.Namespace) -> None:
    """Generate for the examples of the split, unless already done."""
    path = written_in(folder, options.split)
    if path.is_file():
        return
    import torch

    from longsum.models.training.measure import generate_all

    model, dataset, pad = opened(folder, options)
    with torch.autocast(model.device.type, torch.bfloat16, enabled=model.device.type == "cuda"):
        ids = generate_all(model, dataset, batch=options.batch, pad=pad)
    path.write_text(json.dumps(ids), encoding="utf-8")


def losses(folder: Path, options: argparse.Namespace) -> Scores:
    """Return the loss of each example, measured in fp32 unless already done."""
    path = folder / f"losses-{options.split}.json"
    if not path.is_file():
        from longsum.models.training.measure import batches_of, token_loss

        model, dataset, pad = opened(folder, options)
        batches = batches_of(dataset, 1, pad, model.device)
        totals = [token_loss(model, [batch]).tolist() for batch in batches]
        path.write_text(json.dumps([total / count for total, count in totals]), encoding="utf-8")
    return {"loss": json.loads(path.read_text(encoding="utf-8"))}


def score(folder: Path, split: str) -> Scores:
    """Score what a folder's model wrote, with a number for each document."""
    from itertools import chain

    from scoring import document_scores

    from longsum.models.networks.hugging_face import load_tokenizer
    from longsum.models.training.documents import load_part, parts_of

    settings = settings_in(folder)
    written = json.loads(written_in(folder, split).read_text(encoding="utf-8"))
    examples = chain.from_iterable(load_part(part) for part in parts_of(settings.data, split))
    tokenizer = load_tokenizer(folder)
    return document_scores(examples, settings.task, written, tokenizer)


def by_system(found: Mapping[Path, Scores]) -> dict[str, Scores]:
    """Return the scores of systems, each document's a mean over the system's seeds."""
    seeds: dict[str, list[Scores]] = {}
    for folder, scores in found.items():
        seeds.setdefault(folder.name.rpartition(".")[0] or folder.name, []).append(scores)
    return {
        name: {
            metric: [fmean(values) for values in zip(*(one[metric] for one in each), strict=True)]
            for metric in each[0]
        }
        for name, each in seeds.items()
    }


def print_tables(systems: Mapping[str, Scores]) -> None:
    """Print the means, then the differences from the first system."""
    from longsum.cli.streams import table
    from longsum.evaluation.metrics.reference_scores import BLEU_VARIANT, RougeConfig
    from longsum.evaluation.metrics.significance import paired_bootstrap

    first, *others = systems
    metrics = list(systems[first])
    rows = [
        [name, *(shown(metric, fmean(scaled(metric, scores[metric]))) for metric in metrics)]
        for name, scores in systems.items()
    ]
    count = len(next(iter(systems[first].values())))
    how = "" if metrics == ["loss"] else f"; {RougeConfig().variant}; {BLEU_VARIANT}"
    print(f"{count} documents{how}\n")
    print(table(["system", *metrics], rows))
    differences = []
    for name in others:
        for metric in metrics:
            own, base = (scaled(metric, systems[each][metric]) for each in (name, first))
            gap = paired_bootstrap(own, base)
            low, middle, high = (
                shown(metric, value, "+") for value in (gap.low, gap.difference, gap.high)
            )
            differences.append([name, metric, middle, f"[{low}, {high}]", f"{gap.p_value:.3f}"])
    if differences:
        head = ["system", "metric", f"less {first}", "95 % interval", "p"]
        print(table(head, differences))


def shown(metric: str, value: float, sign: str = "") -> str:
    """Return a number with as many digits as it needs."""
    return f"{value:{sign}.{4 if metric == 'loss' else 2}f}"


def scaled(metric: str, values: Sequence[float]) -> list[float]:
    """Return shares in percent, and counts as they are."""
    scale = 100 if metric.startswith(PERCENT) else 1
    return [scale * value for value in values]


if __name__ == "__main__":
    main()
