"""What the default should do past its network's end: weights of redundancy, compared.

Run: LONGSUM_DATA=… python benchmarks/choice.py [--data D …] [--limit N] [--weights W …]

Each document is read once; each weight then chooses from the same reading, at the references' mean
length times each of `--lengths`. Shown are the means of ROUGE-1, ROUGE-2 and ROUGE-Lsum with the
network asked for every sentence (`stepwise-plain`, here with back matter last), and each weight's
paired difference from it in ROUGE-1 and ROUGE-2 with a 95 % bootstrap interval. By default on
validation documents; settings are chosen on these alone.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from longsum.comparison import mean_reference_length
from longsum.datasets import Example, dataset_info, load
from longsum.evaluation import paired_bootstrap, rouge
from longsum.summaries import Budget
from longsum.systems.extractive.neural import NeuralExtractor
from longsum.systems.extractive.salience import EncodedDocument
from longsum.systems.loading import load_system
from longsum.systems.system import Request

DATA = (
    "pmc_jats",
    "scisummnet",
    "openstax_sections",
    "openstax_chapters",
    "squality",
    "python_peps",
    "rust_rfcs",
    "qmsum",
    "oyez_scotus",
    "sumpubmed",
    "gov_reports_examples",
)
METRICS = ("rouge1", "rouge2", "rougeLsum")


class OfOneReading(NeuralExtractor):
    """An extractor that is handed what was read."""

    reading: EncodedDocument

    def encode(self, request: Request) -> EncodedDocument:  # noqa: ARG002
        """Return what was handed over."""
        return self.reading


def main() -> None:
    """Print the comparison, a data set after the other."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--split", default="validation", help="split, where the set has it")
    parser.add_argument("--limit", type=int, default=24, help="at most so many documents a set")
    parser.add_argument("--weights", type=float, nargs="+", default=[0, 1, 2, 3])
    parser.add_argument("--lengths", type=float, nargs="+", default=[1.0], help="of the references")
    options = parser.parse_args()
    reader = load_system("stepwise")
    assert isinstance(reader, NeuralExtractor)
    systems = {
        weight: OfOneReading(
            "stepwise",
            replace(reader.config, redundancy_weight=weight),
            reader.model,
            reader._tokenizer,
        )
        for weight in (None, *options.weights)
    }
    for name in options.data:
        splits = dataset_info(name).splits
        split = options.split if options.split in splits else splits[0]
        examples = list(load(name, split, limit=options.limit))
        aim = mean_reference_length(iter(examples)).amount
        budgets = [Budget(round(aim * factor)) for factor in options.lengths]
        show(name, compare(examples, reader, systems, budgets), budgets, len(examples))


def compare(
    examples: Sequence[Example],
    reader: NeuralExtractor,
    systems: dict[float | None, OfOneReading],
    budgets: Sequence[Budget],
) -> dict[tuple[float | None, int], list[list[float]]]:
    """Return the scores by weight and length, a list a document."""
    found: dict[tuple[float | None, int], list[list[float]]] = {}
    for example in examples:
        reading = reader.encode(Request(example.document, budgets[0]))
        for weight, system in systems.items():
            system.reading = reading
            for place, budget in enumerate(budgets):
                text = system.summarize(example.document, budget).text
                scores = rouge(text, example.references)
                row = [100 * scores[metric].fmeasure for metric in METRICS]
                found.setdefault((weight, place), []).append(row)
    return found


def show(name: str, found: dict[Any, list[list[float]]], budgets: Sequence[Budget], n: int) -> None:
    """Print the means without a weight and the differences of all others."""
    for (weight, place), rows in found.items():
        if weight is None:
            means = [sum(column) / n for column in zip(*rows, strict=True)]
            print(f"{name}, {n} × {budgets[place]}: " + " / ".join(f"{x:.1f}" for x in means))
            continue
        cells = []
        for metric in range(2):
            ours, base = ([row[metric] for row in each] for each in (rows, found[None, place]))
            paired = paired_bootstrap(ours, base)
            cells.append(f"{paired.difference:+.2f} [{paired.low:+.2f}, {paired.high:+.2f}]")
        print(f"  {budgets[place]}, weight {weight:g}: R-1 {cells[0]}, R-2 {cells[1]}", flush=True)


if __name__ == "__main__":
    main()
