"""What a question adds: answers with a focus, against plain selection and BM25.

Run: LONGSUM_DATA=… python benchmarks/focus.py [--data SET …] [--ways WAY …] [--limit N]

Each question of a set is asked of its document: as the focus of a summary (`longsum summarize
--focus`), as the root of a tree (`longsum questions --question`), without the question (plain
selection), and of BM25 alone, which ranks the document's sentences by the question's words. A
document is encoded once. Prints ROUGE-1 and -2 F (× 100) and the paired differences from the first
way, with 95 % intervals. The questions of one document are not independent, so the bootstrap draws
whole documents.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import groupby

import numpy as np

from longsum.core.extractive.focus import bm25
from longsum.core.extractive.part_extractor import PartExtractor
from longsum.core.loading import load_system
from longsum.core.section_trees.section_trees import SectionTreeMaker
from longsum.core.summaries import Budget
from longsum.core.systems.system import TreeOptions
from longsum.documents import Document
from longsum.evaluation.datasets import Example, load
from longsum.evaluation.datasets.question_sets import question_examples
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.language.words import content_terms

SAMPLES = 2000
METRICS = ("rouge1", "rouge2")
WAYS = ("focus", "question", "plain", "bm25")
Answer = Callable[[Document, str, Budget], str]


def main() -> None:
    """Print a table for each data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", default=("qmsum", "squality"), help="data sets")
    parser.add_argument("--split", default="validation", help="split")
    parser.add_argument("--limit", type=int, help="documents per data set")
    parser.add_argument("--ways", nargs="+", default=WAYS, choices=WAYS, help="ways to answer")
    parser.add_argument("--length", default="60w", help="length of an answer")
    options = parser.parse_args()
    budget = Budget.parse(options.length)
    every = _ways()
    ways = {way: every[way] for way in options.ways}
    for name in options.data:
        examples = load(name, options.split, limit=options.limit)
        print(_table(name, _scores(list(question_examples(examples)), ways, budget)), flush=True)


def _ways() -> dict[str, Answer]:
    """Return the ways to answer."""
    loaded = load_system("stepwise")
    system = PartExtractor(loaded.name, loaded.config)  # keeps the last document's encoding
    maker = SectionTreeMaker(system)

    def root(document: Document, question: str, budget: Budget) -> str:
        return maker.make(document, TreeOptions(budget, depth=1, question=question)).root.text

    return {
        "focus": lambda document, asked, budget: (
            system.summarize(document, budget, focus=asked).text
        ),
        "question": root,
        "plain": lambda document, _, budget: system.summarize(document, budget).text,
        "bm25": lexical,
    }


def lexical(document: Document, question: str, budget: Budget) -> str:
    """Return the sentences that BM25 ranks highest for a question, in the document's order."""
    sentences = [sentence.text for sentence in document.sentences]
    scores = bm25([content_terms(text) for text in sentences], content_terms(question))
    room = budget.capacity(document)
    costs = budget.costs(document.sentences)
    chosen = []
    for place in np.argsort(-scores, kind="stable").tolist():
        if costs[place] <= room:
            chosen.append(place)
            room -= costs[place]
    return " ".join(sentences[place] for place in sorted(chosen))


def _scores(
    examples: Sequence[Example], ways: dict[str, Answer], budget: Budget
) -> dict[str, dict[str, list[list[float]]]]:
    """Return the F-score of each question of each document, by metric and way."""
    found: dict[str, dict[str, list[list[float]]]] = {
        metric: defaultdict(list) for metric in METRICS
    }
    for _, questions in groupby(examples, key=lambda example: example.id.rpartition("#")[0]):
        asked = list(questions)
        for way, answer in ways.items():
            scores = [
                rouge(answer(item.document, item.question, budget), item.references)
                for item in asked
            ]
            for metric, by_way in found.items():
                by_way[way].append([100 * score[metric].fmeasure for score in scores])
    return found


def _table(name: str, scores: dict[str, dict[str, list[list[float]]]]) -> str:
    first = next(iter(scores[METRICS[0]]))
    counts = [len(each) for each in scores[METRICS[0]][first]]
    lines = [
        f"{name}: {sum(counts)} questions of {len(counts)} documents",
        "",
        f"| way | ROUGE-1 | {first} is ahead by | ROUGE-2 | {first} is ahead by |",
        "|---|---|---|---|---|",
    ]
    for way in scores[METRICS[0]]:
        cells = [way]
        for by_way in scores.values():
            ahead = [
                [own - other for own, other in zip(base, each, strict=True)]
                for base, each in zip(by_way[first], by_way[way], strict=True)
            ]
            cells.append("{:.1f} [{:.1f}, {:.1f}]".format(*_interval(by_way[way])))
            cells.append(
                "" if way == first else "{:+.1f} [{:+.1f}, {:+.1f}]".format(*_interval(ahead))
            )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _interval(values: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """Return the mean over questions and its 95 % bootstrap interval over documents."""
    sums = np.array([sum(each) for each in values])
    counts = np.array([len(each) for each in values])
    drawn = np.random.default_rng(0).integers(0, len(values), (SAMPLES, len(values)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(sums.sum() / counts.sum()), float(low), float(high)


if __name__ == "__main__":
    main()
