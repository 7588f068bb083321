"""How well the length that the default chooses by itself fits a document.

Run: LONGSUM_DATA=… python benchmarks/automatic_length.py [--data D …] [--split S] [--limit N]

For each data set: the references' mean length in words and that of summaries with `--length auto`;
the rank correlation between both over documents; and ROUGE-1 / ROUGE-2 F1 of these summaries, and
of summaries that all have the references' mean length, which the system does not know.
"""

import argparse
from statistics import fmean

import numpy as np
from scipy.stats import spearmanr

from longsum.core.loading import load_system
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import Budget, Summary
from longsum.evaluation.datasets import dataset_info, load
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.lab.comparison.comparison import mean_reference_length
from longsum.language.words import count_words

DATA = (
    "pmc_jats",
    "scisummnet",
    "openstax_sections",
    "python_peps",
    "bbc_news_summary",
    "squality",
)


def main() -> None:
    """Print a line for each data set."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--split", default="validation", help="split, if the data set has it")
    parser.add_argument("--limit", type=int, default=24, help="documents per data set")
    options = parser.parse_args()
    system = load_system(DEFAULT)
    print("| data | references | automatic | rank correlation | automatic, ROUGE | mean length |")
    print("|---|---|---|---|---|---|")
    for name in options.data:
        splits = dataset_info(name).splits
        split = options.split if options.split in splits else splits[0]
        examples = list(load(name, split, limit=options.limit))
        mean = mean_reference_length(iter(examples))
        wanted, words, scores = [], [], []
        for example in examples:
            wanted.append(fmean(count_words(text) for text in example.references))
            budget = system.resolved(example.document, Budget.parse("auto"))
            summaries = [system.summarize(example.document, each) for each in (budget, mean)]
            words.append(summaries[0].words)
            scores.append([_rouge(summary, example.references) for summary in summaries])
        correlation = spearmanr(wanted, words).statistic
        pairs = [" / ".join(f"{mean:.1f}" for mean in column) for column in np.mean(scores, axis=0)]
        lengths = f"{fmean(wanted):.0f} | {fmean(words):.0f} | {correlation:.2f}"
        print(f"| {name} ({len(examples)}) | {lengths} | {' | '.join(pairs)} |", flush=True)


def _rouge(summary: Summary, references: tuple[str, ...]) -> list[float]:
    found = rouge("\n".join(sentence.text for sentence in summary.sentences), references)
    return [100 * found[metric].fmeasure for metric in ("rouge1", "rouge2")]


if __name__ == "__main__":
    main()
