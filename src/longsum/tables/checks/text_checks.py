"""The matcher and the checker that fit a table."""

from longsum.tables.checks.checking import Checker
from longsum.tables.checks.game_checks import GAME_CHECKS
from longsum.tables.games.game_statements import GameReader
from longsum.tables.games.league import NICKNAMES, TEAMS
from longsum.tables.games.rotowire import GAME
from longsum.tables.matching.matcher import Matcher
from longsum.tables.matching.mentions import NameFinder
from longsum.tables.matching.phrase_statements import PhraseReader
from longsum.tables.table import Table


def matcher_for(table: Table) -> Matcher:
    """Return what reads texts about a table: with the words of basketball if it is a game."""
    if table.kind == GAME:
        return Matcher(table, NameFinder(table, NICKNAMES, TEAMS), GameReader())
    return Matcher(table, NameFinder(table), PhraseReader(table))


def checker_for(table: Table) -> Checker:
    """Return what checks texts against a table."""
    return Checker(matcher_for(table), GAME_CHECKS if table.kind == GAME else ())
