"""Checks of words in a basketball report that the table decides."""

import re
from collections.abc import Iterator, Sequence

from longsum.tables.checks.checked_words import (
    BEFORE_OBJECT,
    WON,
    flag,
    masked,
    named_at,
    number_of,
    other_team,
    player_at,
    short,
)
from longsum.tables.checks.checking import Flag
from longsum.tables.games.game_rules import DOUBLE_FIGURES
from longsum.tables.matching.matcher import ReadSentence
from longsum.tables.matching.spoken_numbers import NUMBER
from longsum.tables.table import Table

_COUNTED = ("PTS", "REB", "AST", "STL", "BLK")
_KINDS = {"double": 2, "triple": 3}
_BEAT = re.compile(rf"(?<!T)(T+)(?: \( [^()]*\))? ({WON}) {BEFORE_OBJECT}(T+)")
_DOUBLE = re.compile(r"(?<!near )(?<!shy of a )(?<!short of a )(double|triple) - double(?!s)")
_BENCH = re.compile(r"(?:off|from) the (bench)|(reserve) role")
_LED_BENCH = re.compile(r"(led|paced) the (?:T+ )?(?:bench|second unit|reserves)")
_LED_TEAM = re.compile(
    r"(?<!T)T+(?: \( [^()]*\))? (?:was|were) (led|paced) by (?!the (?:duo|pair|trio))"
    r"[^,.;]{0,40}?P+"
    r"|(?:(?<!P)P+|he) (led|paced) (?:the way|the team|the squad|(?:the )?T+(?!T))(?! in scoring)"
)
_IN_WHAT_ELSE = re.compile(r" (?:with|in) (?:\S+ ){0,3}(?:rebound|assist|steal|block|board|minute)")
_ONLY_OTHER = re.compile(
    r"(only other) (?:T+ )?(starter|player) (?:\w+ ){0,2}(?:in|to \w+) double (?:- )?"
    r"(?:figures|digits)"
)
_HIGH = re.compile(rf"((?:game|team)(?: -)? high) (?:of )?{NUMBER} (?:- )?points?")
_RESULT = re.compile(r"(?:in|of) the (?:\w+ )?(win|victory|loss|defeat)(?= [.,;]|$)")
FELLOWS = 2
"""How many are in double figures where one is "the only other"."""


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
        if player and _started(table, player):
            place = match.span(1) if match[1] else match.span(2)
            yield flag("word", read, place, f"The table has {player} as a starter.")


def leaders(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield "led" where another player of the team, or of its substitutes, has more points."""
    text = masked(read)
    for match in _LED_BENCH.finditer(text):
        player = player_at(read, match.start())
        fellows = [each for each in _team_of(table, player) if not _started(table, each)]
        yield from _beaten(read, match.span(1), player, fellows, table)
    for match in _LED_TEAM.finditer(text):
        if _IN_WHAT_ELSE.match(text, match.end()):
            continue
        player = player_at(read, match.end())
        place = match.span(1) if match[1] else match.span(2)
        yield from _beaten(read, place, player, _team_of(table, player), table)


def highs(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield "game-high" and "team-high" points of players whom others exceed."""
    for match in _HIGH.finditer(masked(read)):
        player = player_at(read, match.start())
        everyone = [each.name for each in table.of_kind("player")]
        fellows = _team_of(table, player) if match[1].startswith("team") else everyone
        yield from _beaten(read, match.span(1), player, fellows, table)


def only_others(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield "only other" where more than two players of a team are in double figures."""
    for match in _ONLY_OTHER.finditer(masked(read)):
        player = player_at(read, match.start())
        fellows = [
            each
            for each in _team_of(table, player)
            if (number_of(table, each, ("PLAYER-PTS",)) or 0) >= DOUBLE_FIGURES
            and (match[2] == "player" or _started(table, each))
        ]
        if len(fellows) > FELLOWS:
            message = f"The table has {len(fellows)} in double figures: {', '.join(fellows)}."
            yield flag("word", read, match.span(1), message)


def results(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield "in the win" of players whose team lost, and "in the loss" of those whose team won."""
    for match in _RESULT.finditer(masked(read)):
        entity = table.entity(player_at(read, match.start()) or "")
        other = other_team(table, entity.of) if entity and entity.of else None
        if entity is None or entity.of is None or other is None:
            continue
        mine, theirs = (number_of(table, team, ("TEAM-PTS",)) for team in (entity.of, other))
        if mine is None or theirs is None or mine == theirs:
            continue
        winner = entity.of if mine > theirs else other
        if (winner == entity.of) != (match[1] in ("win", "victory")):
            message = f"The table has the {short(table, winner)} as winners."
            yield flag("word", read, match.span(1), message)


def _beaten(
    read: ReadSentence,
    place: tuple[int, int],
    player: str | None,
    fellows: Sequence[str],
    table: Table,
) -> Iterator[Flag]:
    """Yield a flag if another player has more points than the one who is said to have most."""
    mine = number_of(table, player, ("PLAYER-PTS",)) if player else None
    scores = {each: number_of(table, each, ("PLAYER-PTS",)) or 0 for each in fellows}
    best = max(scores, key=lambda name: scores[name], default=None)
    if mine is not None and best and scores[best] > mine:
        message = f"The table has {best} with {scores[best]:g} points, {player} with {mine:g}."
        yield flag("word", read, place, message)


def _started(table: Table, player: str) -> bool:
    record = table.record(player, "PLAYER-START_POSITION")
    return record is not None and not record.missing


def _team_of(table: Table, player: str | None) -> list[str]:
    """Return the players of a player's team."""
    entity = table.entity(player or "")
    if entity is None:
        return []
    return [each.name for each in table.of_kind("player") if each.of == entity.of]
