"""The shape of the plans that references of real games follow, as numbers.

Estimated on the oracle plans of the 60 references of `rotowire_shared_task`;
`python benchmarks/table_shapes.py` prints them.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Odds(NamedTuple):
    """The log-odds of saying a number: slope times the number, and intercept."""

    slope: float
    intercept: float


SAID: Mapping[str, Odds] = {
    "PTS": Odds(0.06, 1.59),
    "REB": Odds(0.16, -0.39),
    "AST": Odds(0.43, -1.24),
    "STL": Odds(0.86, -2.05),
    "BLK": Odds(1.59, -3.55),
    "FGM": Odds(0.20, -3.05),
    "FG3M": Odds(0.60, -3.99),
    "FTM": Odds(0.28, -4.30),
    "TO": Odds(0.78, -7.02),
    "MIN": Odds(-0.05, -0.72),
}
"""Of a player of whom numbers are said, which ones; none of value 0 is."""

ATTEMPTS: Mapping[str, str] = {"FGM": "FGA", "FG3M": "FG3A", "FTM": "FTA"}
"""What is said with the shots that were made."""

PLAYERS = (7.9, 3.0)
"""Mean and standard deviation of how many players are named."""

NUMBERS = 0.85
"""How often numbers are said of a player who is named."""

WINNER_FIRST = 0.62
"""How often the first of them is one of the winner's."""

SAME_TEAM = 0.79
"""How often the next is of the same team."""

TWO_PLAYERS = 0.21
"""How often a sentence about players is about two of them."""

WITH_TEAM = 0.28
"""How often a sentence about a player names a team."""

FIRST_NAME = 0.96
"""How often a player is called by the first name too, when he is named."""

OPENING: Mapping[str, float] = {
    "sentence": 0.92,
    "city": 0.87,
    "records": 0.40,
    "scores": 0.87,
    "date": 0.85,
}
"""How often plans begin with a sentence about the teams alone; and what such a sentence has."""

TEAM_SENTENCES: Mapping[str, float] = {
    "one name": 1.75,
    "two names": 0.85,
    "record": 0.90,
    "shooting": 0.40,
    "rebounds": 0.22,
    "quarter": 0.25,
}
"""How many sentences about teams alone stand between, by what they say."""

BY_CITY = 0.37
"""How often a team is called by its city where it has only one name."""

CLOSING = 0.78
"""How often plans end with a sentence that names teams."""
