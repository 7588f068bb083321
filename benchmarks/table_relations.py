"""How well an extractor of relations works that was trained on the cells of games alone.

Run: LONGSUM_DATA=… python benchmarks/table_relations.py -o FOLDER [--generated N] [--set …]

The 60 real games are in five folds. For each, an extractor is trained on the reports of the other
48 games (`--generated N` adds N generated games with their templates' reports) and finds the
relations of the 12 unseen reports. Over all of them it prints how many relations are found per
report and how many of them the table has (relation generation); its agreement with
the matcher's relations that the table has, and with those that the published extractor found in the
same reports (harvardnlp/data2text): of its relations, those that the other has (P), and the other
way round (R). The matcher is in the same table. As in the metric, any relation that the table has
counts as right, possibly by chance.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from generated_games import provide
from longsum.cli.assignments import parse_assignments
from longsum.cli.streams import table as as_table
from longsum.core.recipes import load_recipe
from longsum.core.recipes.recipe import merged
from longsum.evaluation.datasets import Example, load
from longsum.language.sentences import sentence_texts
from longsum.models.training.training_run import SHORTHANDS
from longsum.tables.datasets.games import FOLDS
from longsum.tables.games.rotowire import game_table
from longsum.tables.relation_finder import MatchedRelations, RelationFinder, same_in_league
from longsum.tables.relations.neural_relations import NeuralRelations
from longsum.tables.relations.run_relations import RELATIONS
from longsum.tables.table_relations import Triple, content_selection, relation_generation
from rotowire_texts import published_relations

Found = list[tuple[Triple, bool]]


def main() -> None:
    """Train an extractor for each fold, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder of the extractors")
    parser.add_argument("--recipe", default="relation-extractor-small")
    parser.add_argument("--generated", type=int, default=0, help="generated games to learn from")
    parser.add_argument("--set", nargs="*", default=[], dest="settings")
    options = parser.parse_args()
    published = published_relations()
    networks, matcher, other = [], [], []
    for fold in FOLDS:
        finder = NeuralRelations.load(trained(fold, options))
        for example in load("rotowire_games", fold):
            networks.append(found_in(example, finder))
            matcher.append(found_in(example, MatchedRelations()))
            other.append(published[example.id])
    right = [[triple for triple, is_right in each if is_right] for each in matcher]
    rows = []
    for name, found in (("networks", networks), ("matcher", matcher)):
        made = relation_generation(found)
        own = [[triple for triple, _ in each] for each in found]
        agreement = [*agreed(own, right), *agreed(own, other)]
        rows.append(
            [name, f"{made.count:.1f}", f"{made.precision:.1%}", *(f"{x:.1%}" for x in agreement)]
        )
    agreement = agreed(other, right)
    rows.append(["published", "", "", *(f"{x:.1%}" for x in agreement), "", ""])
    heads = ["found by", "right a report", "precision", "P matcher", "R matcher"]
    print(as_table([*heads, "P published", "R published"], rows))


def trained(fold: str, options: argparse.Namespace) -> Path:
    """Return the folder of an extractor that has not seen a fold."""
    others = [f"rotowire_games/{other}" for other in FOLDS if other != fold]
    names = "+".join([*others, *(["generated_games"] if options.generated else [])])
    data = {"names": names, "validation": f"rotowire_games/{fold}"}
    if options.generated:
        provide(options.output / "games", options.generated)
        # The folds have twelve games each.
        data["limit"] = max(12, options.generated)
    given: Mapping[str, object] = {"data": data}
    recipe = load_recipe(options.recipe)
    settings = RELATIONS.settings_of(
        recipe, merged(given, parse_assignments(options.settings, SHORTHANDS))
    )
    folder: Path = options.output / fold
    RELATIONS.train(recipe, settings, folder)
    return folder


def found_in(example: Example, finder: RelationFinder) -> Found:
    """Return the relations of the report of a game."""
    table = game_table(example.extra["game"])
    return finder.relations(table, sentence_texts(example.references[0]))


def agreed(
    own: Sequence[Sequence[Triple]], other: Sequence[Sequence[Triple]]
) -> tuple[float, float]:
    """Return the share of relations that the others have, and vice versa."""
    same = same_in_league()
    return (
        content_selection(own, other, same).precision,
        content_selection(other, own, same).precision,
    )


if __name__ == "__main__":
    main()
