"""Find the weights of MLS's kernels by grid search on training or validation data (MLS, §2.3).

Run: LONGSUM_DATA=… python benchmarks/mls_weights.py SCORES.jsonl [--data D …] [--prototype P]
     [--step 0.25] [--length L] [--limit N]

Tries all weights in [−1, 1] on a grid that sum to 1, by ROUGE-1 F1 at the references' mean length.
A line of the file has a document and the score of each; an interrupted run continues after the last
line. Prints the weights, the best first, and the best over all data sets. Test splits are refused.
"""

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from kept import add, read
from longsum.common.errors import LongsumError
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.core.kernels.fitted import KernelSettings
from longsum.core.loading import load_system
from longsum.core.magnifier.length_control import LengthControlled
from longsum.core.summaries import Budget
from longsum.evaluation.datasets import Example, load
from longsum.lab.comparison.comparison import mean_reference_length

DATA = ("squality", "qmsum")
SHOWN = 10


def main() -> None:
    """Score what is missing in the file, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scores", type=Path, help="file of the scores; created, or resumed")
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--split", default="validation", choices=("train", "validation"))
    parser.add_argument("--limit", type=int, help="documents per data set")
    parser.add_argument("--length", help="such as 100w; by default the references' mean length")
    parser.add_argument("--prototype", default="centroid", help="a system, or a model's folder")
    parser.add_argument("--step", type=float, default=0.25, help="distance of weights on the grid")
    options = parser.parse_args()
    try:
        grid = weight_grid(options.step)
        for name in options.data:
            search(name, grid, options)
        print(table(list(read(options.scores)), grid, options.data))
    except LongsumError as error:
        sys.exit(str(error))


def weight_grid(step: float) -> list[KernelSettings]:
    """Return the settings for all weights in [−1, 1], `step` apart, that sum to 1."""
    steps = round(1 / step) if step > 0 else 0
    if steps < 1 or abs(steps * step - 1) > 1e-9:
        raise LongsumError(f"A step of {step} does not divide 1; give one such as 0.25.")
    whole = range(-steps, steps + 1)
    return [
        KernelSettings(topics / steps, keywords / steps, (steps - topics - keywords) / steps)
        for topics, keywords in itertools.product(whole, whole)
        if abs(steps - topics - keywords) <= steps
    ]


def search(name: str, grid: Sequence[KernelSettings], options: argparse.Namespace) -> None:
    """Score every document of a data set that the file lacks, and add a line for each."""
    examples = [load(name, options.split, limit=options.limit) for _ in range(2)]
    if options.length is None:
        budget = mean_reference_length(examples[0])
    else:
        budget = Budget.parse(options.length)
    run = {
        "data": name,
        "split": options.split,
        "length": str(budget),
        "prototype": options.prototype,
        "step": options.step,
    }
    done = set()
    for line in read(options.scores):
        if line["run"]["data"] == name and line["run"] != run:
            raise LongsumError(
                f"{options.scores} is of another run, {line['run']}; name a new one."
            )
        if line["run"] == run:
            done.add(line["id"])
    system = LengthControlled(load_system(options.prototype))
    for example in examples[1]:
        if example.id not in done:
            found = scores(system, example, budget, grid)
            add(options.scores, {"run": run, "id": example.id, "scores": found})


def scores(
    system: LengthControlled, example: Example, budget: Budget, grid: Sequence[KernelSettings]
) -> list[float]:
    """Return ROUGE-1 for all weights; the prototype and the kernels are the same for all."""
    _, magnifier = system.magnifier(example.document)
    known: dict[tuple[str, ...], float] = {}
    found = []
    for settings in grid:
        pieces = magnifier.weighed(settings).magnify(budget).pieces
        texts = tuple(piece.text for piece in pieces)
        if texts not in known:
            known[texts] = max(rouge1(" ".join(texts), text) for text in example.references)
        found.append(round(known[texts], 6))
    return found


def rouge1(prediction: str, reference: str) -> float:
    """Return ROUGE-1 F1, as `metrics.rouge` but without the time for longest subsequences."""
    ours, theirs = Counter(rouge_tokens(prediction)), Counter(rouge_tokens(reference))
    return 2 * (ours & theirs).total() / max(ours.total() + theirs.total(), 1)


def table(
    lines: Sequence[dict[str, Any]], grid: Sequence[KernelSettings], data: Sequence[str]
) -> str:
    """Return the best weights by the mean over data sets, and the score of the worst."""
    means = {
        name: [
            100 * fmean(column)
            for column in zip(
                *(line["scores"] for line in lines if line["run"]["data"] == name), strict=True
            )
        ]
        for name in data
    }
    over_all = [fmean(column) for column in zip(*means.values(), strict=True)]
    order = sorted(range(len(grid)), key=lambda place: -over_all[place])
    rows = [f"| topics | keywords | redundancy | {' | '.join(data)} | mean |"]
    rows.append("|---" * (4 + len(data)) + "|")
    for place in order[:SHOWN]:
        settings = grid[place]
        weights = (
            settings.topics_weight,
            settings.keywords_weight,
            settings.redundancy_weight,
        )
        cells = [f"{weight:g}" for weight in weights]
        cells += [f"{means[name][place]:.2f}" for name in data] + [f"{over_all[place]:.2f}"]
        rows.append(f"| {' | '.join(cells)} |")
    worst = over_all[order[-1]]
    rows.append(
        f"\nROUGE-1 F1 × 100, {len(lines)} documents; the worst of {len(grid)}: {worst:.2f}"
    )
    return "\n".join(rows)


if __name__ == "__main__":
    main()
