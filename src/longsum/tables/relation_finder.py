"""Finders of the relations that reports state, for the metrics of Wiseman et al. (2017)."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.core.model_files.folders import HUB_ID
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.games.league import CITIES_AND_NAMES, TEAMS
from longsum.tables.matching.matcher import ReadSentence
from longsum.tables.plan import Plan
from longsum.tables.planning.table_systems import MATCHER, RELATIONS, learned_from
from longsum.tables.table import Table
from longsum.tables.table_relations import SameEntity, Triple, same_entity


def stated_triples(
    sentences: Iterable[ReadSentence], *, digits: bool = False
) -> list[tuple[Triple, bool]]:
    """Return what a text states about single cells, in order, each with whether the table has it.

    A number whose type is uncertain counts only if the table confirms it. With `digits`, numbers in
    words are left out, most of which the published extractor does not read.
    """
    return [
        (Triple(relation.entities[0], f"{relation.value:g}", relation.types[0]), right)
        for sentence in sentences
        for relation in sentence.relations
        if relation.form in ("value", "pair")
        and len(relation.entities) == len(relation.types) == 1
        and (relation.said[0].isdigit() or not digits)
        and ((right := relation.record is not None) or (relation.sure and not relation.negated))
    ]


def plan_triples(plan: Plan, table: Table) -> list[Triple]:
    """Return the numbers of a plan in order, as the relations that its report would state.

    Names, cities, sides and dates are left out, as in the rows "planning only" of Stepwise (§7,
    Table 2): an extractor finds none.
    """
    records = [table.records[index] for sentence in plan.sentences for index in sentence]
    return [
        Triple(record.entity.name, record.value, record.type.name)
        for record in records
        if record.type.kind == "number" and not record.missing
    ]


def same_in_league() -> SameEntity:
    """Return the rule of `same_entity` for basketball teams and their players."""
    return same_entity(
        (team.name for team in TEAMS),
        (part for city_and_name in CITIES_AND_NAMES for part in city_and_name),
    )


class RelationFinder(Protocol):
    """Finds relations, by rules or by a network."""

    def relations(self, table: Table, sentences: Sequence[str]) -> list[tuple[Triple, bool]]:
        """Return what a report states, in order, each with whether the table has it."""
        ...


class MatchedRelations:
    """Finds relations by the rules of the matcher, without a model.

    Args:
        digits: Whether only numbers in digits are read; see `stated_triples`.
    """

    def __init__(self, *, digits: bool = False) -> None:
        self._digits = digits

    def relations(self, table: Table, sentences: Sequence[str]) -> list[tuple[Triple, bool]]:
        """Return what a report states; see `RelationFinder.relations`."""
        return stated_triples(matcher_for(table).read(sentences), digits=self._digits)


DIGITS = f"{MATCHER}-digits"


def relation_finder(name: str) -> tuple[RelationFinder, list[str]]:
    """Return a finder of relations, and what readers of its scores should know.

    Args:
        name: `table-matcher`, the rules; `table-matcher-digits`, the rules for numbers in digits
            alone; `table-relations`, the networks that ship; or a folder that `longsum train
            relation-extractor` wrote.

    Raises:
        LongsumError: No finder has that name, or what it needs is not installed.
    """
    if name in (MATCHER, DIGITS):
        return MatchedRelations(digits=name == DIGITS), []
    if name != RELATIONS and not Path(name).is_dir() and not HUB_ID.fullmatch(name):
        raise LongsumError(
            f"There is no relation finder {quote(name)}; give {MATCHER}, {DIGITS}, {RELATIONS}, or "
            "the folder of an extractor that 'longsum train' wrote."
        )
    from longsum.core.extractive.extractor_options import shipped_folder
    from longsum.core.model_files.folders import check_model

    folder = check_model(shipped_folder("relations") if name == RELATIONS else name)
    from longsum.tables.relations.neural_relations import NeuralRelations

    seen = " and ".join(f"{count:,} of {data}" for data, count in learned_from(folder.path).items())
    known = f"scores of games that the extractor learned from ({seen}) are no results"
    return NeuralRelations.load(folder), [known]
