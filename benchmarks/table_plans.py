"""Oracle plans of the references of 60 games, and how far the matcher agrees with an extractor.

Run: LONGSUM_DATA=… python benchmarks/table_plans.py

It prints the entries and sentences of the plans (Stepwise, B.2, has 59.24 and 12.72 on average);
the relations that the matcher finds in the references and how many of them the tables have; their
agreement with the published relations of the same references, which a neural extractor found
(harvardnlp/data2text): of the matcher's, those that the extractor has, and the other way round. The
published ones omit most numbers in words, so agreement is also given for values from ten. Last, how
many games are in more than one split of Rotowire.
"""

from collections import Counter
from collections.abc import Sequence

from longsum.evaluation.datasets.record_files import text_file
from longsum.language.sentences import sentence_texts
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.games.rotowire import game_table
from longsum.tables.oracle_plans import oracle_plan
from longsum.tables.relation_finder import same_in_league, stated_triples
from longsum.tables.table_relations import (
    Triple,
    content_ordering,
    content_selection,
    relation_generation,
)
from rotowire_texts import folder, games, published_relations

IN_DIGITS = 10


def main() -> None:
    """Print the figures."""
    published = published_relations()
    entries = planned = written = 0
    stated, own, other = [], [], []
    for name, game in games().items():
        matcher = matcher_for(game_table(game))
        sentences = sentence_texts(str(game["summary"]))
        plan = oracle_plan(matcher, sentences)
        entries, planned = entries + plan.entries, planned + len(plan.sentences)
        written += len(sentences)
        stated.append(stated_triples(matcher.read(sentences)))
        own.append([triple for triple, is_right in stated[-1] if is_right])
        other.append(published[name])
    count = len(own)
    print(f"{count} references with {written / count:.2f} sentences on average")
    print(f"plans: {entries / count:.2f} entries in {planned / count:.2f} sentences")
    made = relation_generation(stated)
    print(f"relations: {made.count:.1f} a reference, {made.precision:.1%} in the table")
    _agreement("all values", own, other)
    _agreement("values from ten", *(_from_ten(each) for each in (own, other)))
    _leakage()


def _agreement(
    name: str, own: Sequence[Sequence[Triple]], other: Sequence[Sequence[Triple]]
) -> None:
    same = same_in_league()
    precision = content_selection(own, other, same).precision
    recall = content_selection(other, own, same).precision
    print(
        f"{name}: {precision:.1%} of the matcher's are published, {recall:.1%} of the published "
        f"are the matcher's; order {content_ordering(own, other, same):.1%}"
    )


def _from_ten(relations: Sequence[Sequence[Triple]]) -> list[list[Triple]]:
    return [[each for each in report if float(each.value) >= IN_DIGITS] for report in relations]


def _leakage() -> None:
    """Print how many games are in several splits; lines of a split start with the key of a game.

    The data set has several summaries of some games, and its first release put some of them into
    different splits (README of harvardnlp/boxscore-data, 3 September 2020).
    """
    first, *lines = text_file(folder("rotowire_extra") / "roto_split_keys.txt.xz").splitlines()
    splits: dict[str, set[tuple[str, frozenset[str]]]] = {}
    for name, size in zip(("train", "validation", "test"), map(int, first.split()), strict=True):
        # MM_DD_YY-Team-Team-first words of the summary
        keys = (line.split("-", 3) for line in lines[:size])
        splits[name] = {(day, frozenset(teams)) for day, *teams, _ in keys}
        lines = lines[size:]
    holders = Counter(
        tuple(name for name, split in splits.items() if key in split)
        for key in set().union(*splits.values())
    )
    for names, count in sorted(holders.items()):
        if len(names) > 1:
            print(f"{count} games are in {' and '.join(names)}")
    test = splits["test"]
    print(f"{len(test & (splits['train'] | splits['validation']))} of {len(test)} test games leak")


if __name__ == "__main__":
    main()
