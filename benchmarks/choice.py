"""Comparison of variants of the default's settings.

Run: LONGSUM_DATA=… python benchmarks/choice.py [--data D …] [--limit N] [--variant NAME K=V … …]

Each document is encoded once; each variant then chooses from the same encoding, at the references'
mean length times each of `--lengths`. The table has the means of ROUGE-1, ROUGE-2 and ROUGE-Lsum
and of dangling openers per 100 sentences, and each variant's paired difference from the first in
ROUGE-1 and ROUGE-2 with a 95 % bootstrap interval. The first variant is the unchanged recipe
`stepwise`; `--variant` adds one with other settings, such as `--variant shorter asked_steps=24`.
Without any, the settings made for readers are switched off one by one. The default is validation
documents; settings are chosen only on these.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from longsum.cli.assignments import parse_assignments
from longsum.core.extractive.neural import NeuralExtractor
from longsum.core.loading import load_system
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import Budget
from longsum.core.systems.system import Request
from longsum.evaluation.datasets import Example, dataset_info, load
from longsum.evaluation.metrics.readability import readability
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.evaluation.metrics.significance import paired_bootstrap
from longsum.lab.comparison.comparison import mean_reference_length

DATA = (
    "python_peps",
    "scisummnet",
    "pmc_jats",
    "openstax_sections",
    "rust_rfcs",
    "bbc_news_summary",
    "squality",
    "qmsum",
    "oyez_scotus",
    "sumpubmed",
    "bns",
    "gov_reports_examples",
)
METRICS = ("rouge1", "rouge2", "rougeLsum")
RULES: Mapping[str, Any] = {
    "self_contained": False,
    "say_once": False,
    "spell_out": False,
    "fill": "strict",
}
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "whole sentences": {"shorten": False},
    "and no rules": {"shorten": False, **RULES},
    "and no centrality": {"shorten": False, **RULES, "centrality_exponent": 0.0},
    "frozen at its end": {"shorten": False, **RULES, "asked_steps": None},
}
SHIPPED = "stepwise"

Rows = dict[tuple[str, int], list[list[float]]]


def main() -> None:
    """Print the comparison for each data set."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--split", default="validation", help="split, if the data set has it")
    parser.add_argument("--limit", type=int, default=24, help="documents per data set")
    parser.add_argument("--variant", nargs="+", action="append", metavar="NAME K=V", default=[])
    parser.add_argument("--lengths", type=float, nargs="+", default=[1.0], help="of the references")
    options = parser.parse_args()
    given = {name: parse_assignments(changes, {}) for name, *changes in options.variant}
    reader = load_system(DEFAULT)
    assert isinstance(reader, NeuralExtractor)
    systems = {SHIPPED: reader}
    for name, changes in (given or VARIANTS).items():
        system = load_system(DEFAULT, **changes)
        assert isinstance(system, NeuralExtractor)
        systems[name] = system
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
    systems: Mapping[str, NeuralExtractor],
    budgets: Sequence[Budget],
) -> Rows:
    """Return the scores by variant and length, with a list for each document."""
    found: Rows = {}
    for example in examples:
        # The ranking cached for the previous document must not be used.
        encoded = NeuralExtractor.encode(reader, Request(example.document, budgets[0]))
        for name, system in systems.items():
            read = replace(encoded, adjustments=system._adjustments(example.document))
            system.encode = lambda _, read=read: read  # type: ignore[method-assign]
            for place, budget in enumerate(budgets):
                summary = system.summarize(example.document, budget)
                texts = [sentence.text for sentence in summary.sentences]
                places = [sentence.sources[0].sentence for sentence in summary.sentences]
                scores = rouge("\n".join(texts), example.references)
                row = [100 * scores[metric].fmeasure for metric in METRICS]
                row.append(readability(texts, places, example.document).dangling)
                found.setdefault((name, place), []).append(row)
    return found


def show(name: str, found: Rows, budgets: Sequence[Budget], n: int) -> None:
    """Print the means of each variant, and the differences of all others from the first."""
    print(f"{name}, {n} documents")
    for (variant, place), rows in found.items():
        *scores, dangling = (sum(column) / n for column in zip(*rows, strict=True))
        means = " / ".join(f"{score:.1f}" for score in scores)
        line = f"  {budgets[place]}, {variant}: {means}, {dangling:.1f} dangling"
        if variant != SHIPPED:
            cells = []
            for metric in range(2):
                pair = ([row[metric] for row in each] for each in (rows, found[SHIPPED, place]))
                paired = paired_bootstrap(*pair)
                cells.append(f"{paired.difference:+.2f} [{paired.low:+.2f}, {paired.high:+.2f}]")
            line += f"; R-1 {cells[0]}, R-2 {cells[1]}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
