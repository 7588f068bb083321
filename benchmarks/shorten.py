"""Effect of shortening sentences on the default: ROUGE with and without it, at the same length.

Run: LONGSUM_DATA=… python benchmarks/shorten.py [--data D …] [--limit N] [--kinds K …] [--each]

Each document is read once; from the same reading, sentences are chosen whole and shortened, both at
the references' mean length. The table has the means of ROUGE-1, ROUGE-2 and ROUGE-Lsum for whole
sentences and the paired differences with 95 % bootstrap intervals, on validation documents. With
`--each`, every kind of deletion is also tried alone.
"""

import argparse
from collections.abc import Collection, Sequence

from longsum.core.extractive.copies import Copies
from longsum.core.extractive.network_ranking import EncodedDocument
from longsum.core.extractive.neural import NeuralExtractor
from longsum.core.loading import load_system
from longsum.core.summaries import Budget
from longsum.core.systems.system import Request
from longsum.documents.model import Document
from longsum.evaluation.datasets import Example, dataset_info, load
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.evaluation.metrics.significance import paired_bootstrap
from longsum.lab.comparison.comparison import mean_reference_length
from longsum.language.compression import KINDS, DeletionKind

DATA = (
    "pmc_jats",
    "scisummnet",
    "python_peps",
    "openstax_sections",
    "squality",
    "oyez_scotus",
    "qmsum",
    "gov_reports_examples",
)
METRICS = ("rouge1", "rouge2", "rougeLsum")
Kinds = Collection[DeletionKind]


class OfOneReading(NeuralExtractor):
    """An extractor that reuses an encoding, and deletes only some kinds."""

    reading: EncodedDocument
    kinds: Kinds = ()

    def encode(self, request: Request) -> EncodedDocument:  # noqa: ARG002
        """Return the given encoding."""
        return self.reading

    def copies(self, document: Document) -> Copies:
        """Return the sentences without deletions of these kinds."""
        return Copies.shortened(document, self.kinds)


def main() -> None:
    """Print the comparison for each data set."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--split", default="validation", help="split, if the data set has it")
    parser.add_argument("--limit", type=int, default=12, help="documents per data set")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--each", action="store_true", help="also try every kind alone")
    options = parser.parse_args()
    reader = load_system("stepwise")
    assert isinstance(reader, NeuralExtractor)
    system = OfOneReading("stepwise", reader.config, reader.network, reader._tokenizer)
    variants: dict[str, Kinds] = {"": (), "shortened": options.kinds}
    if options.each:
        variants |= {kind: (kind,) for kind in KINDS}
    everything: dict[str, list[list[float]]] = {}
    for name in options.data:
        splits = dataset_info(name).splits
        split = options.split if options.split in splits else splits[0]
        examples = list(load(name, split, limit=options.limit))
        budget = Budget(round(mean_reference_length(iter(examples)).amount))
        found = compare(examples, reader, system, budget, variants)
        show(f"{name}, {len(examples)} × {budget}", found)
        for variant, rows in found.items():
            everything.setdefault(variant, []).extend(rows)
    show("all", everything)


def compare(
    examples: Sequence[Example],
    reader: NeuralExtractor,
    system: OfOneReading,
    budget: Budget,
    variants: dict[str, Kinds],
) -> dict[str, list[list[float]]]:
    """Return the scores by variant, a list for each document."""
    found: dict[str, list[list[float]]] = {}
    for example in examples:
        system.reading = reader.encode(Request(example.document, budget))
        for name, kinds in variants.items():
            system.kinds = kinds
            text = system.summarize(example.document, budget).text
            scores = rouge(text, example.references)
            row = [100 * scores[metric].fmeasure for metric in METRICS]
            found.setdefault(name, []).append(row)
    return found


def show(title: str, found: dict[str, list[list[float]]]) -> None:
    """Print the means of whole sentences and the differences of all others."""
    for name, rows in found.items():
        if not name:
            means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
            print(f"{title}: " + " / ".join(f"{mean:.1f}" for mean in means))
            continue
        cells = []
        for metric, label in enumerate(("R-1", "R-2", "R-L")):
            ours, base = ([row[metric] for row in each] for each in (rows, found[""]))
            paired = paired_bootstrap(ours, base)
            cells.append(
                f"{label} {paired.difference:+.2f} [{paired.low:+.2f}, {paired.high:+.2f}]"
            )
        print(f"  {name}: {', '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
