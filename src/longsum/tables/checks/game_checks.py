"""All checks of a basketball report beside those of its numbers."""

from longsum.tables.checks.checking import Check
from longsum.tables.checks.name_checks import (
    absent_players,
    days,
    leaders_teams,
    misnamed,
    opponents,
    other_names,
    top_scorers,
)
from longsum.tables.checks.word_checks import (
    bench,
    double_figures,
    doubles,
    highs,
    leaders,
    only_others,
    results,
    winners,
)

GAME_CHECKS: tuple[Check, ...] = (
    opponents,
    absent_players,
    leaders_teams,
    misnamed,
    top_scorers,
    other_names,
    days,
    winners,
    doubles,
    double_figures,
    bench,
    leaders,
    highs,
    only_others,
    results,
)
"""Where two flag the same words, the first one's flag is kept."""
