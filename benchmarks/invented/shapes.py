"""The shape of real games and of their references' plans, as numbers.

Estimated on the 60 real games of `rotowire_shared_task`; `python benchmarks/table_shapes.py` prints
them.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Role:
    """What players of a starting position do, or those who come in later.

    Attributes:
        minutes: Mean and standard deviation of the minutes played.
        rates: Of each count, how many in 36 minutes.
        spread: By which share of its mean a count differs from player to player and from game to
            game, beyond what a Poisson distribution has by itself.
        threes: Mean and standard deviation of the share of field goals attempted from three points.
        two: Share of other field goals that are made.
        three: Share of three-pointers that are made.
        free: Share of free throws that are made.
    """

    minutes: tuple[float, float]
    rates: Mapping[str, float]
    spread: Mapping[str, float]
    threes: tuple[float, float]
    two: float
    three: float
    free: float


COUNTS = ("FGA", "FTA", "OREB", "DREB", "AST", "STL", "BLK", "TO", "PF")


def _by_count(*values: float) -> dict[str, float]:
    return dict(zip(COUNTS, values, strict=True))


ROLES: Mapping[str, Role] = {
    "F": Role(
        (28.7, 8.1),
        _by_count(12.85, 3.61, 1.41, 5.17, 2.58, 1.35, 0.58, 1.77, 2.9),
        _by_count(0.23, 0.79, 0.65, 0.3, 0.59, 0.41, 0.91, 0.34, 0.0),
        (0.297, 0.15),
        0.508,
        0.353,
        0.778,
    ),
    "C": Role(
        (27.1, 7.3),
        _by_count(11.63, 4.47, 3.24, 7.91, 2.18, 0.94, 1.77, 2.34, 3.74),
        _by_count(0.35, 0.71, 0.29, 0.22, 0.55, 0.37, 0.4, 0.29, 0.0),
        (0.069, 0.12),
        0.542,
        0.347,
        0.686,
    ),
    "G": Role(
        (31.7, 6.9),
        _by_count(14.17, 3.96, 0.68, 3.9, 4.98, 1.38, 0.29, 2.35, 2.46),
        _by_count(0.19, 0.67, 0.06, 0.39, 0.54, 0.34, 0.9, 0.46, 0.0),
        (0.366, 0.13),
        0.486,
        0.371,
        0.809,
    ),
    "N/A": Role(
        (16.1, 8.3),
        _by_count(11.23, 3.04, 1.39, 4.59, 2.89, 1.18, 0.59, 2.18, 3.46),
        _by_count(0.16, 0.93, 1.0, 0.32, 0.53, 0.26, 0.87, 0.28, 0.0),
        (0.351, 0.2),
        0.498,
        0.345,
        0.756,
    ),
}
"""By starting position; `N/A` for those who do not start."""

LINE_UPS: Mapping[tuple[str, ...], int] = {
    ("F", "F", "G", "C", "G"): 74,
    ("F", "C", "F", "G", "G"): 46,
}
"""In which order starters stand, with how many teams have it."""

PLAYED: Mapping[int, int] = {8: 2, 9: 11, 10: 38, 11: 31, 12: 20, 13: 18}
"""How many players of a team play, with how many teams have it."""

ABSENT: Mapping[int, int] = {0: 24, 1: 22, 2: 29, 3: 33, 4: 11, 5: 1}
"""How many more are listed, likewise."""

FIELD_GOALS = 83.8
"""How many field goals a team attempts on the mean."""
