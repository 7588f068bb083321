"""Games to plan for, each with the plan that a planner learns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.evaluation.datasets.example import Example
from longsum.language.sentences import sentence_texts
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.games.rotowire import game_table, reference_text
from longsum.tables.oracle_plans import oracle_plan
from longsum.tables.plan import Plan, plan_from_json
from longsum.tables.table import Table


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game as a table.

    Attributes:
        table: The table.
        plan: What its reference says, by the matcher; of a game that has a plan, that plan.
    """

    table: Table
    plan: Plan


def game_of(example: Example) -> Mapping[str, Any]:
    """Return the game of an example of a data set, as Rotowire has it.

    Raises:
        LongsumError: The data set has no games.
    """
    game = example.extra.get("game")
    if not isinstance(game, Mapping):
        raise LongsumError(
            f"{quote(example.id)} is no game; planners learn from data sets of games, such as "
            "generated_games."
        )
    return game


def reference_sentences(game: Mapping[str, Any]) -> list[str]:
    """Return the sentences of a game's reference report; none if it has none."""
    return sentence_texts(reference_text(game))


def planned_game(game: Mapping[str, Any]) -> PlannedGame:
    """Return a game with the plan that its reference follows, or that it was made with.

    Raises:
        LongsumError: It is not a game, or its plan is none of it.
    """
    table = game_table(game)
    if "plan" in game:
        return PlannedGame(table, plan_from_json(game["plan"], table))
    return PlannedGame(table, oracle_plan(matcher_for(table), reference_sentences(game)))
