"""Whether the default chooses the same sentences on ONNX Runtime as in PyTorch.

Run: LONGSUM_DATA=… python benchmarks/runtimes.py [--data D …] [--limit N] [--ways WAY …]

Each way to compute is a runtime and a precision, such as onnx:int8; the others are compared with
the first. At half, once and twice the references' mean length: the share of sentences
chosen by both, the documents whose summaries differ, the largest difference of a sentence's first
score, and ROUGE-1 / ROUGE-2 of each way with its difference. On validation documents.
"""

import argparse
from collections.abc import Mapping
from statistics import fmean

import numpy as np

from choice import DATA
from longsum.core.extractive.neural import NeuralExtractor
from longsum.core.loading import load_system
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import Budget, Summary
from longsum.core.systems.system import Request
from longsum.evaluation.datasets import Example, dataset_info, load
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.lab.comparison.comparison import mean_reference_length

WAYS = ("torch:fp32", "torch:bf16", "onnx:fp32", "onnx:int8")
LENGTHS = (0.5, 1.0, 2.0)
Rows = dict[str, list[list[float]]]


def main() -> None:
    """Print the comparison for each data set, then the means."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--limit", type=int, default=19, help="documents per data set")
    parser.add_argument("--ways", nargs="+", default=WAYS, help="RUNTIME:PRECISION")
    options = parser.parse_args()
    systems = {way: _system(way) for way in options.ways}
    everything: Rows = {}
    print("| data | way | chosen by both, % | other summaries | score | ROUGE-1 / ROUGE-2 |")
    print("|---|---|---|---|---|---|")
    for name in options.data:
        splits = dataset_info(name).splits
        split = "validation" if "validation" in splits else splits[0]
        examples = list(load(name, split, limit=options.limit))
        aim = mean_reference_length(iter(examples)).amount
        budgets = [Budget(max(1, round(aim * factor))) for factor in LENGTHS]
        found: Rows = {}
        for example in examples:
            for way, row in compare(example, systems, budgets).items():
                found.setdefault(way, []).extend(row)
                everything.setdefault(way, []).extend(row)
        show(f"{name} ({len(examples)} × 3)", found)
    show("all", everything)


def _system(way: str) -> NeuralExtractor:
    runtime, precision = way.split(":")
    system = load_system(DEFAULT, runtime=runtime, precision=precision)
    assert isinstance(system, NeuralExtractor)
    return system


def compare(
    example: Example, systems: Mapping[str, NeuralExtractor], budgets: list[Budget]
) -> Rows:
    """Return for each way and length: overlap, whether it differs, score, ROUGE-1 and ROUGE-2."""
    rows: Rows = {}
    first: list[tuple[set[int], np.ndarray]] = []
    for way, system in systems.items():
        encoded = system.encode(Request(example.document, budgets[0]))
        system.encode = lambda _, read=encoded: read  # type: ignore[method-assign]
        logits = encoded.unchosen[:-1] - encoded.unchosen[:-1].mean()
        for place, budget in enumerate(budgets):
            summary = system.summarize(example.document, budget)
            chosen = {sentence.sources[0].sentence for sentence in summary.sentences}
            if len(first) == place:
                first.append((chosen, logits))
            expected, scores = first[place]
            both = len(chosen & expected) / max(len(chosen | expected), 1)
            shift = float(np.abs(logits - scores).max())
            row = [100 * both, float(chosen != expected), shift, *_rouge(summary, example)]
            rows.setdefault(way, []).append(row)
        del system.encode  # type: ignore[method-assign]
    return rows


def _rouge(summary: Summary, example: Example) -> list[float]:
    text = "\n".join(sentence.text for sentence in summary.sentences)
    found = rouge(text, example.references)
    return [100 * found[metric].fmeasure for metric in ("rouge1", "rouge2")]


def show(name: str, found: Rows) -> None:
    """Print a line for each way."""
    scores: dict[str, list[float]] = {}
    for way, rows in found.items():
        both, other, _, *means = (fmean(column) for column in zip(*rows, strict=True))
        scores[way] = means
        largest = max(row[2] for row in rows)
        line = f"| {name} | {way} | {both:.1f} | {other * len(rows):.0f} of {len(rows)} "
        line += f"| {largest:.4f} | {means[0]:.2f} / {means[1]:.2f} "
        base = next(iter(scores.values()))
        line += f"({means[0] - base[0]:+.2f} / {means[1] - base[1]:+.2f}) |"
        print(line, flush=True)


if __name__ == "__main__":
    main()
