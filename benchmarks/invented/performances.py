"""What the invented players of a team do in one game: numbers that add up, as in a real box score.

Points are two for a field goal, one more for a three-pointer, and one for a free throw; rebounds
are offensive and defensive ones; what a team does is the sum of what its players do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.random import Generator

from invented.shapes import (
    ABSENT,
    COUNTS,
    FIELD_GOALS,
    LINE_UPS,
    PLAYED,
    ROLES,
)

T = TypeVar("T")

STARTERS = 5
_MINUTES = 5 * 48
_MOST_MINUTES = 44

Line = Mapping[str, int]
"""Numbers by the data's column."""


@dataclass(frozen=True, slots=True)
class Player:
    """An invented player.

    Attributes:
        first: First name.
        second: Second name.
        position: As in Rotowire; `N/A` for those who do not start.
        talents: By how much each count exceeds what is usual in the position, as a factor.
        threes: Share of field goals attempted from three points.
    """

    first: str
    second: str
    position: str
    talents: Mapping[str, float]
    threes: float


def draw_players(generator: Generator, names: Sequence[tuple[str, str]]) -> list[Player]:
    """Return the players of a team: five starters, and the others by how much they play."""
    line_up = drawn_by_count(generator, LINE_UPS)
    players = []
    for place, (first, second) in enumerate(names):
        position = line_up[place] if place < STARTERS else "N/A"
        role = ROLES[position]
        # Half of the spread is between players, the rest between the games of one.
        talents = {count: _factor(generator, role.spread[count] * 0.5**0.5) for count in COUNTS}
        threes = float(np.clip(generator.normal(*role.threes), 0.0, 0.8))
        players.append(Player(first, second, position, talents, threes))
    return players


def draw_performances(
    generator: Generator, players: Sequence[Player], pace: float, form: float
) -> list[Line | None]:
    """Return what each player does in a game; None for those who do not play.

    Args:
        generator: Source of randomness.
        players: The players of a team, starters first.
        pace: How many attempts the game has, 1 is usual.
        form: How well the team shoots, as what is added to its share of field goals made.
    """
    rest = len(players) - STARTERS
    playing = STARTERS + min(drawn_by_count(generator, PLAYED) - STARTERS, rest)
    absent = drawn_by_count(generator, ABSENT)
    minutes = _minutes(generator, players[:playing])
    shots = _shots(generator, players[:playing], minutes, pace)
    lines: list[Line | None] = [
        _performance(generator, player, count, attempted, form)
        for player, count, attempted in zip(players[:playing], minutes, shots, strict=True)
    ]
    return lines + [None] * min(absent, len(players) - playing)


def total(lines: Sequence[Line | None], column: str) -> int:
    """Return the sum of a column over the players of a team."""
    return sum(line[column] for line in lines if line is not None)


def percentage(made: int, attempted: int) -> int:
    """Return a share in whole per cent, 0 where nothing was attempted."""
    return round(100 * made / attempted) if attempted else 0


def drawn_by_count(generator: Generator, counts: Mapping[T, int]) -> T:
    """Draw a value as often as it was counted."""
    values, weights = list(counts), np.array(list(counts.values()), dtype=float)
    return values[int(generator.choice(len(values), p=weights / weights.sum()))]


def _minutes(generator: Generator, players: Sequence[Player]) -> list[int]:
    """Return the minutes of each, 240 of a team; the others play the less, the later they stand."""
    drawn = np.array(
        [max(generator.normal(*ROLES[each.position].minutes), 2.0) for each in players]
    )
    drawn[STARTERS:] = -np.sort(-drawn[STARTERS:])
    for _ in range(4):
        drawn = np.minimum(drawn * _MINUTES / drawn.sum(), _MOST_MINUTES)
    return [max(round(each), 1) for each in drawn]


def _shots(
    generator: Generator, players: Sequence[Player], minutes: Sequence[int], pace: float
) -> list[int]:
    """Return the field goals that each player attempts: a team has so many, and they share them."""
    shares = np.array(
        [
            _expected(generator, each, time, "FGA")
            for each, time in zip(players, minutes, strict=True)
        ]
    )
    attempted = max(round(FIELD_GOALS * pace), 1)
    return [int(each) for each in generator.multinomial(attempted, shares / shares.sum())]


def _expected(generator: Generator, player: Player, minutes: int, count: str) -> float:
    """Return how many a player makes on the mean in a game of his form, which is drawn."""
    role = ROLES[player.position]
    form = _factor(generator, role.spread[count] * 0.5**0.5)
    return role.rates[count] * minutes / 36 * player.talents[count] * form


def _performance(
    generator: Generator, player: Player, minutes: int, shots: int, form: float
) -> Line:
    role = ROLES[player.position]
    counts = {
        count: int(generator.poisson(_expected(generator, player, minutes, count)))
        for count in COUNTS
        if count != "FGA"
    }
    counts["FGA"] = shots
    counts["PF"] = min(counts["PF"], 6)
    threes = int(generator.binomial(counts["FGA"], player.threes))
    made = int(generator.binomial(threes, np.clip(role.three + form, 0.05, 0.95)))
    twos = generator.binomial(counts["FGA"] - threes, np.clip(role.two + form, 0.05, 0.95))
    free = int(generator.binomial(counts["FTA"], role.free))
    line = {
        "MIN": minutes,
        "FGM": int(twos) + made,
        "FG3A": threes,
        "FG3M": made,
        "FTM": free,
        **counts,
    }
    return {
        **line,
        "PTS": 2 * line["FGM"] + made + free,
        "REB": counts["OREB"] + counts["DREB"],
        "FG_PCT": percentage(line["FGM"], counts["FGA"]),
        "FG3_PCT": percentage(made, threes),
        "FT_PCT": percentage(free, counts["FTA"]),
    }


def _factor(generator: Generator, spread: float) -> float:
    """Draw a factor of mean 1 with this standard deviation."""
    return float(generator.gamma(1 / spread**2, spread**2)) if spread else 1.0
