"""Score what `train_small.py` wrote: ROUGE, and which differences are significant.

Run: LONGSUM_DATA=… PYTHONPATH=src python gpu/score_small.py RESULTS.json [--against full]

Each system is compared with one of them by paired bootstrap over the documents. `lead` and
`kernels`, which choose whole sentences, show the scale: they get the mean length of the references.
"""

import argparse
import json
from itertools import islice
from pathlib import Path

from longsum.core.loading import load_system
from longsum.evaluation.datasets import load
from longsum.evaluation.metrics.reference_scores import RougeConfig, rouge
from longsum.evaluation.metrics.significance import paired_bootstrap
from longsum.lab.comparison.comparison import mean_reference_length
from longsum.language.words import count_words

DATA, EXTRACTIVE = "pmc_jats", ("lead", "kernels")
METRICS = ("rouge1", "rouge2", "rougeLsum")


def main() -> None:
    """Print a table for each split."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path)
    parser.add_argument("--against", default="full")
    options = parser.parse_args()
    results = json.loads(options.results.read_text(encoding="utf-8"))
    print(RougeConfig().variant)
    for split in ("validation", "test"):
        written = {name: found["texts"][split] for name, found in results.items()}
        count = len(next(iter(written.values())))
        examples = list(islice(load(DATA, split), count))
        budget = mean_reference_length(examples)
        for name in EXTRACTIVE:
            system = load_system(name)
            texts = (system.summarize(example.document, budget) for example in examples)
            written[name] = [" ".join(part.text for part in text.sentences) for text in texts]
        references = [example.references[0] for example in examples]
        print_table(
            f"{split}, {count} documents, extracts of {budget}", written, references, options
        )


def print_table(
    title: str, written: dict[str, list[str]], references: list[str], options: argparse.Namespace
) -> None:
    """Print means, and the differences from the system that the others are compared with."""
    print(f"\n{title}\n{'system':<18}{'words':>6}" + "".join(f"{name:>24}" for name in METRICS))
    scores = {
        name: [rouge(text, [reference]) for text, reference in zip(texts, references, strict=True)]
        for name, texts in written.items()
    }
    for name, own in scores.items():
        row = f"{name:<18}{sum(map(count_words, written[name])) / len(references):>6.0f}"
        for metric in METRICS:
            values = [100 * score[metric].fmeasure for score in own]
            base = [100 * score[metric].fmeasure for score in scores[options.against]]
            row += f"{sum(values) / len(values):>7.1f}"
            if name == options.against:
                row += " " * 17
            else:
                found = paired_bootstrap(values, base)
                row += f" ({found.difference:+5.1f}, p {found.p_value:.3f})"
        print(row)


if __name__ == "__main__":
    main()
