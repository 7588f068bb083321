"""MLS at five shares of the document: the paper's Tables 2 and 3 and Figures 4 and 5.

Run: LONGSUM_DATA=… python benchmarks/mls.py OUTPUT [--data D …] [--systems S …]
     python benchmarks/mls.py --time DOCUMENT [--prototype P]

The first writes the scores of each system and document, a line each, and the figures as PNG to the
folder OUTPUT; it prints the tables and how far each system is ahead of the first, with 95 %
paired-bootstrap intervals. Results in the folder are not computed again, so that an interrupted run
continues, and one with more systems adds them. The stand-ins for the paper's sets are `squality`
(stories) and `qmsum` (meetings); `msr_narrative` and `thinking_machines` are used if available. The
second prints how long five summaries of the first 5,000 words of a document take once the prototype
exists.

A system may be given with the one that makes its prototype: `mls=FOLDER`,
`mls-shuffled-topics=lead`. "New words" is the share of words that the document does not have: those
of the external vocabulary.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from kept import add
from kept import read as read_lines
from longsum.common.errors import LongsumError
from longsum.core.loading import load_system
from longsum.core.magnifier.length_control import LengthControlled
from longsum.core.magnifier.magnifier import Magnifier
from longsum.core.pipeline import Options
from longsum.core.summaries import Budget, Summary
from longsum.core.systems.system import Summarizer
from longsum.documents import Document
from longsum.documents.readers import read
from longsum.documents.subset import subset
from longsum.evaluation.datasets import Example, load
from longsum.lab.comparison.comparison import compare
from longsum.lab.comparison.comparison_results import Results, SystemResult
from longsum.lab.pages.figures import MARKS, new_figure, written
from longsum.language.words import count_words

SHARES = ("1/32", "1/16", "1/8", "1/4", "1/2")
BUDGETS = [Budget(100 / int(share.removeprefix("1/")), "percent") for share in SHARES]
DATA = ("squality", "qmsum")
SYSTEMS = ("mls-stepwise", "systematic", "graph", "mls-plus")
"""MLS, A1, A2 and MLS+."""
AS_WRITTEN = Options(as_written=True)
METRICS = ("rouge", "meteor", "representativeness", "copying")
SCORES = {
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    "rougeL": "ROUGE-L",
    "meteor": "METEOR",
    "topic_kl": "topic KL",
    "sentiment_kl": "sentiment KL",
    "coherence_difference": "Δcoherence",
    "coverage": "words of the document",
}
WORDS, REPEATS = 5000, 5


class AtOnce:
    """Makes all lengths of a document at once, so that its prototype is written only once."""

    def __init__(self, system: LengthControlled, name: str) -> None:
        self.name = name
        self._system = system
        self._known: dict[str, Mapping[Budget, Summary]] = {}

    def summarize(
        self, document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Summary:
        """Return the summary of one of the five lengths."""
        known = self._known.get(document.sha256)
        if known is None:
            ladder = self._system.at_lengths(document, BUDGETS, focus=focus, seed=seed)
            known = {rung.budget: rung for rung in ladder.summaries}
            self._known[document.sha256] = known
        return known[budget]


def main() -> None:
    """Print tables, or times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path, nargs="?", help="folder for scores and figures")
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--split", default="test", help="split")
    parser.add_argument("--limit", type=int, help="documents per data set")
    parser.add_argument("--systems", nargs="+", default=SYSTEMS, help="the first and its rivals")
    parser.add_argument("--time", metavar="DOCUMENT", help="measure on this document instead")
    parser.add_argument("--prototype", default="lead", help="system that makes the prototype")
    options = parser.parse_args()
    try:
        if options.time:
            print(times(read(options.time), options.prototype))
        elif options.output is None:
            parser.error("name a folder for the scores, or a document with --time")
        else:
            run(options)
    except LongsumError as error:
        sys.exit(str(error))


def run(options: argparse.Namespace) -> None:
    """Evaluate on each data set, and print and plot the results."""
    options.output.mkdir(parents=True, exist_ok=True)
    for name in options.data:
        examples = list(load(name, options.split, limit=options.limit))
        path = options.output / f"{name}-{options.split}.jsonl"
        for named in options.systems:
            evaluate(named, examples, path)
        found = gathered(path, options.systems, [example.id for example in examples])
        print(f"## {name}, {options.split}: {len(examples)} documents\n")
        print(f"{tables(found)}\n\n{differences(found)}\n", flush=True)
        for score in ("rouge1", "coverage"):
            picture = drawn(f"{name}: {_label(score)}", curves(found, score))
            (options.output / f"{name}-{score}.png").write_bytes(picture)


def drawn(title: str, scores: Mapping[str, Sequence[float]]) -> bytes:
    """Return a chart of the systems' scores at each length, as a PNG file."""
    figure = new_figure(480, 360)
    axes = figure.add_subplot()
    for place, (name, values) in enumerate(scores.items()):
        axes.plot(range(len(SHARES)), values, marker=MARKS[place % len(MARKS)], label=name)
    axes.set_xticks(range(len(SHARES)), SHARES)
    axes.set_xlabel("share of the document")
    axes.set_ylabel("%")
    axes.set_title(title, parse_math=False)
    axes.legend(frameon=False)
    figure.tight_layout()
    return written(figure, "png")


def evaluate(named: str, examples: Sequence[Example], path: Path) -> None:
    """Score a system on the documents that the file lacks, and add a line for each."""
    done = {line["id"] for line in read_lines(path) if line["system"] == named}
    missing = [example for example in examples if example.id not in done]
    if not missing:
        return
    system = _system(named)
    for example in missing:
        lengths = []
        for budget in BUDGETS:
            results = compare([example], [system], budget, metrics=METRICS, options=AS_WRITTEN)
            (found,) = results.systems
            scores = {name: value for name, (value,) in found.scores.items()}
            lengths.append({"words": found.words[0], "scores": scores})
        add(path, {"system": named, "id": example.id, "lengths": lengths})


def gathered(path: Path, systems: Sequence[str], ids: Sequence[str]) -> list[Results]:
    """Return the stored scores of systems and documents, one for each length."""
    known = {(line["system"], line["id"]): line["lengths"] for line in read_lines(path)}
    short = [Path(named.partition("=")[0]).name for named in systems]
    names = short if len({*short}) == len(short) else systems
    return [
        Results(
            ids,
            budget,
            (),
            [
                _result(name, [known[named, each][at] for each in ids])
                for name, named in zip(names, systems, strict=True)
            ],
        )
        for at, budget in enumerate(BUDGETS)
    ]


def _result(name: str, own: Sequence[Mapping[str, Any]]) -> SystemResult:
    scores = {score: [line["scores"][score] for line in own] for score in own[0]["scores"]}
    return SystemResult(name, scores, [line["words"] for line in own], 0.0)


def _system(named: str) -> Summarizer:
    name, _, prototype = named.partition("=")
    system = load_system(name, prototype=prototype or None)
    return AtOnce(system, system.name) if isinstance(system, LengthControlled) else system


def tables(found: Sequence[Results]) -> str:
    """Return the means as Markdown: a row for each score and system, a column for each length."""
    lines = [f"| score | system | {' | '.join(SHARES)} |", "|---" * (2 + len(SHARES)) + "|"]
    for score in SCORES:
        for system, values in curves(found, score).items():
            cells = " | ".join(f"{value:.2f}" for value in values)
            lines.append(f"| {_label(score)} | {system} | {cells} |")
    return "\n".join(lines)


def curves(found: Sequence[Results], score: str) -> dict[str, list[float]]:
    """Return the mean of a score at each length, by system; coverage as the share of new words."""
    values: dict[str, list[float]] = {}
    for results in found:
        for system in results.systems:
            mean = system.interval(score).mean
            mean = 100 * (1 - mean) if score == "coverage" else mean
            values.setdefault(system.system, []).append(mean)
    return values


def _label(score: str) -> str:
    return "new words" if score == "coverage" else SCORES[score]


def differences(found: Sequence[Results]) -> str:
    """Return how far each system is ahead of the first, with paired-bootstrap intervals."""
    first = found[0].systems[0].system
    lines = [f"| score | system less {first} | {' | '.join(SHARES)} |"]
    lines.append("|---" * (2 + len(SHARES)) + "|")
    cells: dict[tuple[str, str], list[str]] = {}
    for results in found:
        for difference in results.differences:
            boot = difference.bootstrap
            told = f"{boot.difference:+.2f} [{boot.low:+.2f}, {boot.high:+.2f}]"
            cells.setdefault((difference.metric, difference.system), []).append(told)
    for score in SCORES:
        for (metric, system), told in cells.items():
            if metric == score:
                lines.append(f"| {SCORES[score]} | {system} | {' | '.join(told)} |")
    return "\n".join(lines)


def times(document: Document, prototype: str) -> str:
    """Return how long the first 5,000 words of a document take at the five lengths."""
    kept, words = 0, 0
    for sentence in document.sentences:
        words += count_words(sentence.text)
        if words > WORDS:
            break
        kept += 1
    part = subset(document, range(kept))
    maker = load_system(prototype)
    first = maker.summarize(part, LengthControlled(maker).natural)
    prepared, made = [], []
    for _ in range(REPEATS):
        began = perf_counter()
        magnifier = Magnifier(part, first)
        prepared.append(perf_counter() - began)
        began = perf_counter()
        for budget in BUDGETS:
            magnifier.magnify(budget)
        made.append(perf_counter() - began)
    total = sum(count_words(sentence.text) for sentence in part.sentences)
    return (
        f"{total:,} words, prototype of {first.words} by {prototype}: kernels "
        f"{median(prepared):.2f} s, five lengths {median(made):.2f} s (medians of {REPEATS})"
    )


if __name__ == "__main__":
    main()
