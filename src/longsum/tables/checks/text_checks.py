"""Checks of a text against its table, of any kind or of a game."""

from collections.abc import Iterator

from longsum.tables.checks.checked_words import GameSentence
from longsum.tables.checks.checking import Checker, Claim, Flag
from longsum.tables.checks.name_checks import NAME_CHECKS
from longsum.tables.checks.word_checks import CLAIMS
from longsum.tables.games.game_statements import GameReader
from longsum.tables.games.league import NICKNAMES, TEAMS
from longsum.tables.games.rotowire import GAME
from longsum.tables.matching.matcher import Matcher, ReadSentence
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
    if table.kind != GAME:
        return Checker(matcher_for(table))
    return Checker(matcher_for(table), _game_flags, _game_claims)


def _game_flags(read: ReadSentence, table: Table) -> Iterator[Flag]:
    sentence = GameSentence(read, table)
    for check in NAME_CHECKS:
        yield from check(sentence)


def _game_claims(read: ReadSentence, table: Table) -> Iterator[Claim]:
    sentence = GameSentence(read, table)
    for claims in CLAIMS:
        yield from claims(sentence)
