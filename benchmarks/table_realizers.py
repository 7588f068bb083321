"""How a trained realizer words the oracle plans of real games, compared with the templates.

Run: LONGSUM_DATA=… python benchmarks/table_realizers.py [FOLDER] [--fold N]

The plans are those that the references of the 60 games follow (Stepwise, B.2). It prints who worded
the sentences (the model, the model with a corrected number, the templates), the words per report,
BLEU against the references, and the relations that the matcher finds: the number of right ones per
report and their share (relation generation), and their agreement with the reference's (content
selection). `--fold` takes the twelve games of one fold, for a model trained on the others. Without
FOLDER only the templates are scored. First comes how many sentences of the references state
entries, and how many of these a realizer is trained on: those whose numbers the table confirms.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from longsum.cli.streams import table as as_table
from longsum.evaluation.datasets import Example, load
from longsum.evaluation.metrics.reference_scores import corpus_bleu
from longsum.language.sentences import sentence_texts
from longsum.tables import Plan, Table
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.datasets.games import FOLDS
from longsum.tables.games.rotowire import game_table
from longsum.tables.matching.plain_words import PlainWords
from longsum.tables.oracle_plans import oracle_plan
from longsum.tables.realization.checked_realization import realize_checked
from longsum.tables.realization.realization_task import Realization
from longsum.tables.realization.table_realizer import TableRealizer
from longsum.tables.relation_finder import MatchedRelations, same_in_league
from longsum.tables.report import Report
from longsum.tables.table_relations import content_selection, relation_generation
from longsum.tables.templates import realize

Realize = Callable[[Table, Plan], Report]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="a trained realizer")
    parser.add_argument("--fold", type=int, choices=range(1, len(FOLDS) + 1))
    options = parser.parse_args()
    folds = FOLDS if options.fold is None else (FOLDS[options.fold - 1],)
    examples = [example for fold in folds for example in load("rotowire_games", fold)]
    said, learned = (
        sum(1 for example in examples for _ in Realization(traced).pairs(example))
        for traced in (False, True)
    )
    print(f"{said} sentences say entries, {learned} of them with numbers that the tables bear out")
    print(scores(examples, options.folder))


def scores(examples: Sequence[Example], folder: Path | None) -> str:
    """Return a table of the templates' scores, and of a realizer's."""
    realizers: dict[str, Realize] = {"templates": realize}
    if folder is not None:
        writer = TableRealizer.load(folder)
        realizers["model"] = lambda table, plan: realize_checked(table, plan, writer)
    heads = ["realizer", "model", "repaired", "templates", "words", "BLEU", "right", "RG P"]
    rows = [[name, *_scored(examples, each)] for name, each in realizers.items()]
    return as_table([*heads, "CS P", "CS R"], rows)


def _scored(examples: Sequence[Example], realizer: Realize) -> list[str]:
    finder, writers = MatchedRelations(), Counter[str]()
    texts, references, stated, wanted = [], [], [], []
    for example in examples:
        table = game_table(example.extra["game"])
        sentences = sentence_texts(example.references[0])
        report = realizer(table, oracle_plan(matcher_for(table), sentences))
        writers.update(sentence.writer for sentence in report.sentences)
        texts.append(PlainWords(report.text).text)
        references.append(PlainWords(example.references[0]).text)
        stated.append(finder.relations(table, [each.text for each in report.sentences]))
        found = finder.relations(table, sentences)
        wanted.append([triple for triple, is_right in found if is_right])
    made = relation_generation(stated)
    own = [[triple for triple, _ in each] for each in stated]
    chosen = content_selection(own, wanted, same_in_league())
    shares = [writers[name] / writers.total() for name in ("model", "repaired", "template")]
    words = sum(len(text.split()) for text in texts) / len(texts)
    return [
        *(f"{share:.0%}" for share in shares),
        f"{words:.0f}",
        f"{100 * corpus_bleu(texts, references):.2f}",
        f"{made.count:.1f}",
        f"{made.precision:.1%}",
        f"{chosen.precision:.1%}",
        f"{chosen.recall:.1%}",
    ]


if __name__ == "__main__":
    main()
