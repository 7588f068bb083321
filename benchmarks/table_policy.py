"""How similar the plans of invented games are to those of references.

Run: LONGSUM_DATA=… python benchmarks/table_policy.py

A planner trained on invented games is limited by the quality of their plans. Here plans are drawn
for the 60 real games as for invented ones, and scored against the oracle plans of the references:
content selection and ordering of the plans and of their reports, without names, cities and dates.
The last table shows how often plans of both kinds have a record of each type.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from invented.plans import draw_plan
from longsum.tables.datasets.games import FOLDS
from longsum.tables.plan import Plan
from longsum.tables.planning.run_planning import PlannedGame
from table_plans_neural import planned, show

DRAWS = 3


def main() -> None:
    """Print scores of a few draws, and the shares of types."""
    games = [game for fold in FOLDS for game in planned(fold, None)]
    drawn = []
    for seed in range(DRAWS):
        generator = np.random.default_rng(seed)
        drawn = [(game, draw_plan(generator, game.table)) for game in games]
        show(f"draw {seed + 1}", drawn)
    own, other = said([(game, game.plan) for game in games]), said(drawn)
    print(f"{'in a plan':24}{'reference':>12}{'drawn':>8}")
    for name in sorted(own | other, key=lambda each: -own[each]):
        print(f"{name:24}{own[name] / len(games):>12.2f}{other[name] / len(games):>8.2f}")


def said(plans: Sequence[tuple[PlannedGame, Plan]]) -> Counter[str]:
    """Return how often plans have each type, and how many sentences they have."""
    counts = Counter[str]()
    for game, plan in plans:
        counts["sentences"] += len(plan.sentences)
        for sentence in plan.sentences:
            counts.update(game.table.records[index].type.name for index in sentence)
    return counts


if __name__ == "__main__":
    main()
