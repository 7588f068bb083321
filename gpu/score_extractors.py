"""Score what `train_extractor.py` wrote: each system with and without trigram blocking.

Run: LONGSUM_DATA=… PYTHONPATH=src python gpu/score_extractors.py FOLDER [--data SET …] [--limit N]

Two tables for each data set, on its test split. The first is Table 1 of Stepwise: ROUGE F1 and
repeated trigrams at the references' mean length, with differences of each system from the first and
their 95 % paired bootstrap intervals; a difference whose interval contains 0 is not significant.
The second is its Figure 3: the lengths of summaries if none is requested. A stepwise system then
ends its plan itself (beams of 3, at most twice the references' sentences); others give as many
sentences as references have on average.
"""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean, pstdev

from longsum.cli.result_tables import format_results
from longsum.core.extractive.neural import NeuralExtractor
from longsum.core.loading import load_system
from longsum.core.summaries import Budget
from longsum.core.systems.system import System
from longsum.evaluation.datasets import Example, load
from longsum.lab.comparison.comparison import compare, mean_reference_length
from longsum.language.sentences import split_sentences
from longsum.language.words import count_words

DATA = ("pmc_jats", "scisummnet", "openstax_sections", "squality")
OTHERS = ("lead", "kernels", "oracle-512", "oracle")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", nargs="+", default=DATA)
    parser.add_argument("--limit", type=int, help="maximum number of documents per data set")
    parser.add_argument("--json", type=Path, help="file for all scores")
    options = parser.parse_args()
    models = sorted(path.parent for path in options.folder.glob("*/model.safetensors"))
    systems = [system for model in models for system in with_and_without_blocking(model)]
    found = {}
    for name in options.data:
        examples = list(load(name, "test", limit=options.limit))
        results = compare(
            examples,
            [*systems, *map(load_system, OTHERS)],
            mean_reference_length(examples),
            metrics=("rouge", "redundancy"),
        )
        print(format_results(results, f"{name}, test"), flush=True)
        print_lengths(models, examples)
        found[name] = results.to_json()
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def with_and_without_blocking(model: Path) -> Iterable[System]:
    """Yield a trained system without and with trigram blocking."""
    yield load_system(model)
    blocking = load_system(model, blocking=True)
    blocking.name += " + TriBlk"
    yield blocking


def print_lengths(models: Iterable[Path], examples: list[Example]) -> None:
    """Print the mean and deviation of the lengths without a budget."""
    references = [example.references[0] for example in examples]
    sentences = round(fmean(len(split_sentences(text)) for text in references))
    print(f"\n{'length in words, no budget':<34}{'mean':>8}{'std':>8}{'sentences':>12}")
    print_row(("references", [count_words(text) for text in references], sentences))
    for model in models:
        system = load_system(model)
        assert isinstance(system, NeuralExtractor)
        if system.stepwise:
            system = load_system(model, ends=True, beams=3, steps=2 * sentences)
        budget = Budget(2 * sentences if system.stepwise else sentences, "sentences")
        summaries = [system.summarize(example.document, budget) for example in examples]
        counts = fmean(len(summary.sentences) for summary in summaries)
        print_row((model.name, [summary.words for summary in summaries], counts))


def print_row(row: tuple[str, list[int], float]) -> None:
    """Print a row of the lengths."""
    name, words, sentences = row
    print(f"{name:<34}{fmean(words):>8.1f}{pstdev(words):>8.1f}{sentences:>12.1f}")


if __name__ == "__main__":
    main()
