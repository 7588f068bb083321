"""Measure what a question adds: answers with a focus against plain selection and BM25.

Run: LONGSUM_DATA=… python benchmarks/focus.py [--data SET …] [--ways WAY …] [--limit N]

Each question of a set is asked of its document: as the root of a tree (`longsum questions
--question`), as the focus of a summary (`longsum summarize --focus`, which encodes the document
anew for each question), without the question (plain selection), and of BM25, which ranks the
document's sentences by the question's words. Prints ROUGE-1 F (× 100) with 95 % intervals, and the
paired differences from the first way with theirs. The questions of one document are not
independent, so whole documents are drawn.
"""

import argparse
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import groupby
from statistics import fmean

import numpy as np

from longsum.datasets import Example, load
from longsum.datasets.asked_questions import asked_questions
from longsum.documents import Document
from longsum.evaluation import rouge
from longsum.language.words import content_terms
from longsum.summaries import Budget
from longsum.systems.loading import load_system, load_tree_maker
from longsum.systems.questions.tree_maker import TreeOptions

K1, B = 1.2, 0.75
"""The usual settings of BM25 (Robertson and Zaragoza 2009, §3.2)."""
SAMPLES = 2000
WAYS = ("question", "focus", "plain", "bm25")
Answer = Callable[[Document, str, Budget], str]


def main() -> None:
    """Print a table a data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", default=("qmsum", "squality"), help="data sets")
    parser.add_argument("--split", default="validation", help="split")
    parser.add_argument("--limit", type=int, help="at most so many documents a set")
    parser.add_argument("--ways", nargs="+", default=WAYS, choices=WAYS, help="ways to answer")
    parser.add_argument("--length", default="60w", help="length of an answer")
    options = parser.parse_args()
    budget = Budget.parse(options.length)
    every = _ways()
    ways = {way: every[way] for way in options.ways}
    for name in options.data:
        examples = load(name, options.split, limit=options.limit)
        print(_table(name, _scores(list(asked_questions(examples)), ways, budget)), flush=True)


def _ways() -> dict[str, Answer]:
    """Return the ways to answer; a tree's maker encodes a document once for all questions."""
    system, maker = load_system("stepwise"), load_tree_maker()

    def root(document: Document, question: str | None, budget: Budget) -> str:
        return maker.make(document, TreeOptions(budget, depth=1, question=question)).root.text

    return {
        "question": root,
        "focus": lambda document, asked, budget: (
            system.summarize(document, budget, focus=asked).text
        ),
        "plain": lambda document, _, budget: root(document, None, budget),
        "bm25": bm25,
    }


def bm25(document: Document, question: str, budget: Budget) -> str:
    """Return the sentences that BM25 ranks highest for a question, in the document's order."""
    sentences = [sentence.text for sentence in document.sentences]
    order = sorted(range(len(sentences)), key=_bm25_scores(sentences, question).__getitem__)
    room = budget.capacity(document)
    costs = budget.costs(document.sentences)
    chosen = []
    for place in reversed(order):
        if costs[place] <= room:
            chosen.append(place)
            room -= costs[place]
    return " ".join(sentences[place] for place in sorted(chosen))


def _bm25_scores(sentences: Sequence[str], question: str) -> list[float]:
    """Return the score of each sentence; of equal ones the earlier ranks higher."""
    counts = [Counter(content_terms(text)) for text in sentences]
    lengths = [count.total() for count in counts]
    mean = fmean(lengths) or 1.0
    wanted = set(content_terms(question))
    holders = {term: sum(term in count for count in counts) for term in wanted}
    weights = {
        term: math.log(1 + (len(counts) - held + 0.5) / (held + 0.5))
        for term, held in holders.items()
    }
    return [
        sum(
            weights[term]
            * count[term]
            * (K1 + 1)
            / (count[term] + K1 * (1 - B + B * length / mean))
            for term in wanted
        )
        - 1e-9 * place
        for place, (count, length) in enumerate(zip(counts, lengths, strict=True))
    ]


def _scores(
    examples: Sequence[Example], ways: dict[str, Answer], budget: Budget
) -> dict[str, list[list[float]]]:
    """Return ROUGE-1 F of each question of each document, by way."""
    found: dict[str, list[list[float]]] = defaultdict(list)
    for _, questions in groupby(examples, key=lambda example: example.id.rpartition("#")[0]):
        asked = list(questions)
        for way, answer in ways.items():
            found[way].append(
                [
                    100
                    * rouge(answer(item.document, item.question, budget), item.references)[
                        "rouge1"
                    ].fmeasure
                    for item in asked
                ]
            )
    return found


def _table(name: str, scores: dict[str, list[list[float]]]) -> str:
    first = next(iter(scores.values()))
    lines = [
        f"{name}: {sum(map(len, first))} questions of {len(first)} documents",
        "",
        f"| way | ROUGE-1 | less {next(iter(scores))} |",
        "|---|---|---|",
    ]
    for way, values in scores.items():
        mean, low, high = _interval(values)
        ahead = [
            [own - other for own, other in zip(each, base, strict=True)]
            for each, base in zip(values, first, strict=True)
        ]
        less = "" if values is first else "{:+.1f} [{:+.1f}, {:+.1f}]".format(*_interval(ahead))
        lines.append(f"| {way} | {mean:.1f} [{low:.1f}, {high:.1f}] | {less} |")
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
