"""Does it cost quality to read only a share of a long document closely?

Run: LONGSUM_DATA=… python benchmarks/skimming.py [--shares S …] [--documents N] [--data NAME …]

Validation documents of 4,000 to 16,000 words are summarized by the shipped extractor with every
sentence encoded, and with shares of them (`skim_share`), at the length of the reference, a fortieth
and a tenth of the document. It prints ROUGE, the share of the full reading's sentences that are
chosen too, and the processor time of all summaries.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from time import process_time

import numpy as np

from longsum import load_system
from longsum.core.summaries import Budget
from longsum.evaluation.datasets import Example, load
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.language.words import count_words

DATA = ("openstax_chapters", "qmsum", "pmc_jats", "squality", "ami", "rust_rfcs", "python_peps")
METRICS = ("rouge1", "rouge2", "rougeLsum")
FEWEST, MOST = 4_000, 16_000


def documents(name: str) -> Iterator[tuple[Example, int]]:
    """Yield the validation documents of a data set that are long enough, with their words."""
    for example in load(name, "validation"):
        words = sum(count_words(sentence.text) for sentence in example.document.sentences)
        if FEWEST <= words <= MOST and example.references:
            yield example, words


def main() -> None:
    """Summarize the documents in each way, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shares", type=float, nargs="+", default=[0.5, 0.4, 0.3])
    parser.add_argument("--documents", type=int, default=5, help="of each data set")
    parser.add_argument("--data", nargs="+", default=list(DATA))
    options = parser.parse_args()
    ways = {"all": load_system("stepwise", skim_words=None)}
    for share in options.shares:
        ways[f"{share:g}"] = load_system("stepwise", skim_words=0, skim_share=share)
    scores: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    seconds: dict[str, float] = defaultdict(float)
    for name in options.data:
        for example, words in islice(documents(name), options.documents):
            lengths = {
                "reference": count_words(example.references[0]),
                "2.5 %": words // 40,
                "10 %": words // 10,
            }
            for length, budget in lengths.items():
                full: set[int] = set()
                for way, system in ways.items():
                    began = process_time()
                    summary = system.summarize(example.document, Budget(budget))
                    seconds[way] += process_time() - began
                    chosen = {each.sources[0].sentence for each in summary.sentences}
                    full = full or chosen
                    found = rouge(summary.text, example.references)
                    both = len(chosen & full) / max(len(full), 1)
                    row = [found[metric].fmeasure for metric in METRICS]
                    scores[length, way].append([*row, both])
    print(f"{'length':12}{'read':>6}{'R-1':>8}{'R-2':>8}{'R-Lsum':>8}{'same, %':>9}{'CPU s':>8}")
    for (length, way), rows in scores.items():
        cells = "".join(f"{100 * value:8.2f}" for value in np.mean(rows, axis=0))
        print(f"{length:12}{way:>6}{cells}{seconds[way]:9.1f}")
    print(f"{len(rows)} documents")


if __name__ == "__main__":
    main()
