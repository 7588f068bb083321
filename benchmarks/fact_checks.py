"""Fact checks without people (MLS, §3.1.3): key facts looked up in ever longer summaries.

Run: LONGSUM_DATA=… python benchmarks/fact_checks.py [--data D] [--limit N] [--systems S …]
     [--qa-model FOLDER] [--least SHARE]

A fact is a cloze question of a reference, whose answer the document has. The reader is shown a
summary of 1/32 of the document, then of 1/16 and so on to 1/2, until it answers; it answers only if
a sentence with its answer has half of the question's content words, or another share (`--least`).
Without `--qa-model` it answers with the phrase of the text whose context is closest to that of the
blank: it finds facts that are worded like the question, as in abstracts of articles (`pmc_jats`),
and next to nothing if references use their own words (`squality`). The controls are no text at all,
and the whole document.

"right at" is the share of facts that the reader would answer correctly at each length, whether it
stopped before or not; "accuracy" is that of the answers at which it stopped, with facts that it
never answers counting as wrong; "words" are those of the text at which it stopped, and "share" is
their share of the document. In brackets, 95 % bootstrap intervals over documents. Systems: MLS, A2,
A1, and the default; A3 is the folder of a trained model (`--systems … FOLDER`).
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from closest_phrase import Cautious, ClosestPhrase
from key_facts import FactCheck, check_fact, key_facts
from longsum.common.errors import LongsumError
from longsum.common.wording import counted
from longsum.core.loading import load_system
from longsum.core.pipeline import prepare
from longsum.core.summaries import Budget
from longsum.core.systems.system import System
from longsum.documents import Document
from longsum.evaluation.datasets import Example, load
from longsum.evaluation.metrics.significance import bootstrap_interval
from longsum.lab.checking.apes import Answerer, Cloze
from longsum.language.words import count_words

SHARES = ("1/32", "1/16", "1/8", "1/4", "1/2")
BUDGETS = [Budget(100 / int(share.removeprefix("1/")), "percent") for share in SHARES]
SYSTEMS = ("mls-stepwise", "graph", "systematic", "stepwise")
Checks = list[tuple[int, list[FactCheck]]]
"""Of each document its words, and how the reader fared with its facts."""


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="pmc_jats", help="data set")
    parser.add_argument("--split", default="validation", help="split")
    parser.add_argument("--limit", type=int, default=20, help="maximum number of documents")
    parser.add_argument("--facts", type=int, default=10, help="most facts per document")
    parser.add_argument("--systems", nargs="+", default=SYSTEMS, help="names or folders")
    parser.add_argument("--least", type=float, default=0.5, help="when the reader answers")
    parser.add_argument("--qa-model", type=Path, metavar="FOLDER", help="the reader")
    options = parser.parse_args()
    try:
        run(options)
    except LongsumError as error:
        sys.exit(str(error))


def run(options: argparse.Namespace) -> None:
    """Check the facts of each document with each system and the controls."""
    reader = Cautious(_reader(options.qa_model), options.least)
    examples = list(load(options.data, options.split, limit=options.limit))
    asked = [(each, facts) for each in examples if (facts := _facts(each, options.facts))]
    if not asked:
        raise LongsumError("No reference has a name or number that its document has; try others.")
    facts, documents = sum(len(facts) for _, facts in asked), counted(len(asked), "document")
    print(f"## {options.data}, {options.split}: {counted(facts, 'fact')} of {documents}\n")
    print(f"| | {' | '.join(f'right at {share}' for share in SHARES)} | accuracy | words | share |")
    print("|---" * (len(SHARES) + 4) + "|")
    print(row("no content", [_checked(each, facts, [""], reader) for each, facts in asked]))
    for name in options.systems:
        system = load_system(name)
        checks = [
            _checked(each, facts, _texts(system, each.document), reader) for each, facts in asked
        ]
        print(row(system.name, checks), flush=True)
    whole = [_checked(each, facts, [_text(each.document)], reader) for each, facts in asked]
    print(row("full content", whole))


def _reader(folder: Path | None) -> Answerer:
    if folder is None:
        return ClosestPhrase()
    from longsum.lab.checking.checkers import SpanAnswerer

    return SpanAnswerer.load(folder)


def _facts(example: Example, most: int) -> list[Cloze]:
    return key_facts(example.references, _text(example.document), most)


def _text(document: Document) -> str:
    return "\n".join(sentence.text for sentence in document.sentences)


def _texts(system: System, document: Document) -> list[str]:
    """Return the summaries of a document, from the shortest to the longest."""
    ladder = prepare(system, document).at_lengths(document, BUDGETS, seed=0)
    return [rung.text for rung in ladder.summaries]


def _checked(
    example: Example, facts: Sequence[Cloze], texts: Sequence[str], reader: Answerer
) -> tuple[int, list[FactCheck]]:
    words = count_words(_text(example.document))
    return words, [check_fact(fact, texts, reader) for fact in facts]


def row(name: str, checks: Checks) -> str:
    """Return a line of the table: means over documents of the means over their facts."""
    rights = [
        f"{fmean(fmean(check.right[place] for check in each) for _, each in checks):.2f}"
        for place in range(len(checks[0][1][0].right))
    ]
    if len(rights) < len(SHARES):
        rights = ["–"] * len(SHARES)
    accuracy = bootstrap_interval([fmean(check.known for check in each) for _, each in checks])
    read = [fmean(check.words for check in each) for _, each in checks]
    words = bootstrap_interval(read)
    share = fmean(part / words_ for part, (words_, _) in zip(read, checks, strict=True))
    cells = [
        f"{accuracy.mean:.2f} [{accuracy.low:.2f}, {accuracy.high:.2f}]",
        f"{words.mean:,.0f} [{words.low:,.0f}, {words.high:,.0f}]",
        f"{share:.0%}",
    ]
    return f"| {name} | {' | '.join([*rights, *cells])} |"


if __name__ == "__main__":
    main()
