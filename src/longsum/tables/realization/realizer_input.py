"""What a realizer reads before it writes a sentence (Stepwise, B.4)."""

from collections.abc import Iterator, Sequence

from longsum.tables.games import rotowire_types as types
from longsum.tables.games.rotowire import MATCH
from longsum.tables.linearization import record_string
from longsum.tables.table import RecordType, Table

BEGINS = "<BEG>"
"""Separates the previous sentence from the entries of this one."""
CONTEXT = "<CONTEXT>"
"""Separates the entries from the context, which the sentence may mention."""

_OF_TEAMS: tuple[RecordType, ...] = (
    types.NAME,
    types.CITY,
    types.TEAM_NUMBERS["PTS"],
    types.TEAM_NUMBERS["WINS"],
    types.TEAM_NUMBERS["LOSSES"],
    types.SIDE,
)
_OF_PLAYERS = (types.POSITION, types.TEAM)


def realizer_input(table: Table, sentence: Sequence[int], previous: str) -> str:
    """Return what is read before a sentence of a game's report, in the paper's order.

    That is the previous sentence, the strings of the sentence's entries (Table 5), and the context:
    the date, both teams' name, city, points, wins, losses and side, and the starting position and
    team of each player in the entries. Missing values have no string.

    Args:
        table: The game.
        sentence: The entries of the sentence, as indices of records.
        previous: The text of the previous sentence; empty for the first.
    """
    entries = " ".join(record_string(table.records[index]) for index in sentence)
    context = " ".join(record_string(table.records[index]) for index in context_of(table, sentence))
    return f"{previous} {BEGINS} {entries} {CONTEXT} {context}".strip()


def context_of(table: Table, sentence: Sequence[int]) -> list[int]:
    """Return the records that a sentence may mention as context, as indices."""
    return [
        index
        for entity, type_ in _context(table, sentence)
        if (index := table.index(entity, type_.name)) is not None
        and not table.records[index].missing
    ]


def _context(table: Table, sentence: Sequence[int]) -> Iterator[tuple[str, RecordType]]:
    yield MATCH.name, types.DATE
    for team in table.of_kind("team"):
        for type_ in _OF_TEAMS:
            yield team.name, type_
    named = (table.records[index].entity for index in sentence)
    for player in dict.fromkeys(entity for entity in named if entity.kind == "player"):
        for type_ in _OF_PLAYERS:
            yield player.name, type_
