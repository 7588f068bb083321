"""Checks of words in a basketball report that the table decides."""

import re
from collections.abc import Iterator

from longsum.tables.checked_words import (
    BEFORE_OBJECT,
    WON,
    flag,
    masked,
    named_at,
    number_of,
    player_at,
    short,
)
from longsum.tables.checking import Flag
from longsum.tables.game_rules import DOUBLE_FIGURES
from longsum.tables.matcher import ReadSentence
from longsum.tables.table import Table

_COUNTED = ("PTS", "REB", "AST", "STL", "BLK")
_KINDS = {"double": 2, "triple": 3}
_BEAT = re.compile(rf"(T+)(?: \( [^)]*\))? ({WON}) {BEFORE_OBJECT}(T+)")
_DOUBLE = re.compile(r"(?<!near )(?<!shy of a )(?<!short of a )(double|triple) - double(?!s)")
_BENCH = re.compile(r"(?:off|from) the (bench)|led the (bench|second unit|reserves)|(reserve) role")


def winners(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield verbs by which the team that lost is said to have won."""
    for match in _BEAT.finditer(masked(read)):
        one, two = (named_at(read, match.start(group)).entity for group in (1, 3))
        if one is None or two is None or one == two:
            continue
        mine, theirs = (number_of(table, team, ("TEAM-PTS",)) for team in (one, two))
        if mine is not None and theirs is not None and mine < theirs:
            message = f"The table has the {short(table, two)} as winners, {theirs:g} to {mine:g}."
            yield flag("word", read, match.span(2), message)


def doubles(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield double-doubles and triple-doubles of players who have none."""
    for match in _DOUBLE.finditer(masked(read)):
        player = player_at(read, match.start())
        if player is None or table.entity(player) is None:
            continue
        values = [number_of(table, player, (f"PLAYER-{stat}",)) or 0 for stat in _COUNTED]
        reached = sum(value >= DOUBLE_FIGURES for value in values)
        if reached < _KINDS[match[1]]:
            message = (
                f"The table has {player} in double figures {('never', 'once', 'twice')[reached]}."
            )
            yield flag("word", read, match.span(), message)


def double_figures(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield "double figures" of players with fewer than ten points."""
    text = masked(read)
    for match in re.finditer(r"double (?:- )?(?:figures|digits)", text):
        # "No other starter scored in double figures" is about nobody.
        if "P" not in text[: match.start()] and re.search(r"(?:no|players|starters?) ", text):
            continue
        player = player_at(read, match.start())
        points = number_of(table, player, ("PLAYER-PTS",)) if player else None
        if points is not None and points < DOUBLE_FIGURES:
            yield flag(
                "word", read, match.span(), f"The table has {player} with {points:g} points."
            )


def bench(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield words that put a starter on the bench."""
    for match in _BENCH.finditer(masked(read)):
        player = player_at(read, match.start())
        record = table.record(player, "PLAYER-START_POSITION") if player else None
        if record and not record.missing:
            group = next(place for place in (1, 2, 3) if match[place])
            yield flag("word", read, match.span(group), f"The table has {player} as a starter.")
