"""Relations of texts as the triples that metrics compare (Wiseman et al. 2017)."""

from collections.abc import Iterable

from longsum.tables.games.league import NICKNAMES, TEAMS
from longsum.tables.matching.matcher import ReadSentence
from longsum.tables.table_relations import SameEntity, Triple, same_entity


def stated_triples(sentences: Iterable[ReadSentence]) -> list[tuple[Triple, bool]]:
    """Return what a text states about single cells, in order, each with whether the table has it.

    A number whose type is uncertain counts only where the table bears it out.
    """
    return [
        (Triple(relation.entities[0], f"{relation.value:g}", relation.types[0]), right)
        for sentence in sentences
        for relation in sentence.relations
        if relation.form in ("value", "pair")
        and len(relation.entities) == len(relation.types) == 1
        and ((right := relation.record is not None) or relation.sure)
    ]


def same_in_league() -> SameEntity:
    """Return the rule of `same_entity` for basketball teams and their players."""
    return same_entity(
        (team.name for team in TEAMS),
        (part for team in TEAMS for part in (*team.aliases, *NICKNAMES)),
    )
