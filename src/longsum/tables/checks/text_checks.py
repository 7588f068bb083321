"""Checks of a text against its table, of any kind or of a game."""

from longsum.tables.checks.checking import Check, Checker
from longsum.tables.checks.name_checks import (
    absent_players,
    days,
    leaders_teams,
    misnamed,
    misrecorded,
    opponents,
    other_names,
    top_scorers,
)
from longsum.tables.checks.word_checks import CLAIMS
from longsum.tables.games.game_statements import GameReader
from longsum.tables.games.league import NICKNAMES, TEAMS
from longsum.tables.games.rotowire import GAME
from longsum.tables.matching.matcher import Matcher
from longsum.tables.matching.mentions import NameFinder
from longsum.tables.matching.phrase_statements import PhraseReader
from longsum.tables.table import Table

GAME_CHECKS: tuple[Check, ...] = (
    misrecorded,
    opponents,
    absent_players,
    leaders_teams,
    misnamed,
    top_scorers,
    other_names,
    days,
)
"""Where two flag the same words, the first one's flag is kept."""


def matcher_for(table: Table) -> Matcher:
    """Return what reads texts about a table: with the words of basketball if it is a game."""
    if table.kind == GAME:
        return Matcher(table, NameFinder(table, NICKNAMES, TEAMS), GameReader())
    return Matcher(table, NameFinder(table), PhraseReader(table))


def checker_for(table: Table) -> Checker:
    """Return what checks texts against a table."""
    if table.kind != GAME:
        return Checker(matcher_for(table))
    return Checker(matcher_for(table), GAME_CHECKS, CLAIMS)
