"""Trained planners against the rules, on the plans that the references of 60 real games follow.

Run: LONGSUM_DATA=… python benchmarks/table_plans_neural.py FOLDER [--systems NAME …]
[--base K=V …] [--fold K=V …] [--games N] [--invented]

Each planner is trained on generated games in FOLDER/NAME, and then five times on real ones, in
FOLDER/NAME-fold1 to -fold5: 48 games each, so that no game scores a model that saw it. Existing
models are not trained again. `--base` and `--fold` are settings of `longsum train` for the two;
`--games` limits the scored games of each fold, and `--invented` scores models trained on generated
games alone.

For plans alone it prints content selection (precision, recall, F1) and ordering against the oracle
plans of the references, without names, cities and dates (Stepwise, §7, Table 2, "planning only");
for their reports by the templates, as read by the matcher, the precision and number of right
relations, and again selection and ordering. `truncated` plans end when they have as many entries as
the reference's. The ranker, which cannot end a plan, takes that number there, and otherwise the
mean of the references.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from generated_games import SEASON, provide
from longsum.cli.assignments import parse_assignments
from longsum.core.model_files.folders import ModelFolder
from longsum.core.recipes import load_recipe
from longsum.core.recipes.recipe import merged
from longsum.evaluation.datasets import load
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.datasets.games import FOLDS
from longsum.tables.plan import Plan
from longsum.tables.planning.neural_planner import NeuralPlanner
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.planning.run_planning import PlannedGame, game_of, planned_game
from longsum.tables.relation_finder import plan_triples, same_in_league, stated_triples
from longsum.tables.table import Table
from longsum.tables.table_relations import (
    SameEntity,
    Triple,
    content_ordering,
    content_selection,
    relation_generation,
)
from longsum.tables.templates import realize
from rotowire_texts import real_games

REAL = "rotowire_games"
SYSTEMS = (
    "informed-hibert-planner",
    "informed-etcsum-planner",
    "hibert-planner",
    "stepwise-hibert-planner",
)
# A few passes over the 48 games of four folds.
ON_REAL_GAMES = (
    "training.steps=60",
    "training.warmup_steps=6",
    "training.learning_rate=0.0006",
    "save_every=1000",
    "evaluate_every=1000",
)

Planner = Callable[[PlannedGame], Plan]
Scored = tuple[PlannedGame, Plan]


def main() -> None:
    """Train the missing planners, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", nargs="*", default=SYSTEMS)
    parser.add_argument("--base", nargs="*", default=[])
    parser.add_argument("--fold", nargs="*", default=list(ON_REAL_GAMES))
    parser.add_argument("--games", type=int)
    parser.add_argument("--invented", action="store_true")
    options = parser.parse_args()
    folds = {fold: list(planned(fold, options.games)) for fold in FOLDS}
    games = [game for fold in folds.values() for game in fold]
    print(f"{len(games)} real games; per cent, but for RG #")
    scores = "".join(f"{name:>7}" for name in ("P", "R", "F1", "CO"))
    print(f"{'':34}{'plan':>28}{'report':>48}\n{'':34}{scores}{'RG P':>12}{'RG #':>8}{scores}")
    show("oracle plan", [(game, game.plan) for game in games])
    show("rules", [(game, plan_by_rules(game.table)) for game in games])
    show("rules, truncated", cut((game, plan_by_rules(game.table)) for game in games))
    for name in options.systems:
        train(options.folder / name, name, options.base, None)
        scored: list[Scored] = []
        short: list[Scored] = []
        seconds = 0.0
        for fold, held_out in folds.items():
            folder = options.folder / (name if options.invented else f"{name}-{fold}")
            if not options.invented:
                train(folder, name, options.fold, fold)
            planner = NeuralPlanner.of(ModelFolder.of(folder), precision="fp32", runtime="torch")
            began = time.process_time()
            found = [(game, planner.plan(game.table)) for game in held_out]
            seconds += time.process_time() - began
            scored += found
            short += cut(found) if planner.network.stepwise else as_long(planner, held_out)
        show(name, scored)
        show(f"{name}, truncated", short)
        print(f"  {seconds / len(games):.2f} s of CPU a plan", flush=True)


def planned(fold: str, limit: int | None) -> Iterator[PlannedGame]:
    """Yield the real games of a fold with the plans of their references."""
    for game in real_games([game_of(example) for example in load(REAL, fold, limit=limit)], REAL):
        yield planned_game(game)


def train(folder: Path, name: str, given: Sequence[str], fold: str | None) -> None:
    """Train a planner on generated games, or continue on the real ones of the other folds."""
    if (folder / "config.json").is_file():
        return
    from longsum.models.training.training_run import SHORTHANDS
    from longsum.tables.planning.run_planning import PLANNING

    if fold is None:
        provide(folder.with_name("games"), SEASON)
    recipe = load_recipe(name)
    settings: Mapping[str, Any] = parse_assignments(given, SHORTHANDS)
    if fold is not None:
        others = "+".join(f"{REAL}/{other}" for other in FOLDS if other != fold)
        base = folder.with_name(name)
        data = {"names": others, "validation": f"{REAL}/{fold}", "limit": None}
        settings = merged(settings, {"checkpoint": str(base), "vocabulary": None, "data": data})
    PLANNING.train(recipe, PLANNING.settings_of(recipe, settings), folder)


def as_long(ranker: NeuralPlanner, games: Sequence[PlannedGame]) -> Iterator[Scored]:
    """Yield games with plans of as many entries as the reference's."""
    for game in games:
        ranker.config = replace(ranker.config, ranked=entries(game.plan))
        yield game, ranker.plan(game.table)


def cut(scored: Iterator[Scored] | Sequence[Scored]) -> list[Scored]:
    """Return plans cut to as many entries as the references'."""
    return [(game, first(plan, entries(game.plan))) for game, plan in scored]


def entries(plan: Plan) -> int:
    """Return the number of distinct entries of a plan."""
    return len({index for sentence in plan.sentences for index in sentence})


def first(plan: Plan, count: int) -> Plan:
    """Return the part of a plan with a number of distinct entries."""
    seen: set[int] = set()
    sentences = []
    for sentence in plan.sentences:
        kept = []
        for index in sentence:
            seen.add(index)
            if len(seen) > count:
                break
            kept.append(index)
        sentences.append(tuple(kept))
    return Plan(tuple(sentences))


def show(name: str, scored: Sequence[Scored]) -> None:
    """Print the scores of plans and of their reports."""
    same = same_in_league()
    references = [plan_triples(game.plan, game.table) for game, _ in scored]
    plans = [plan_triples(plan, game.table) for game, plan in scored]
    stated = [read_back(game.table, plan) for game, plan in scored]
    made = relation_generation(stated)
    reports = [[triple for triple, _ in report] for report in stated]
    print(
        f"{name:34}{selection(plans, references, same)}"
        f"{100 * made.precision:>12.1f}{made.count:>8.1f}{selection(reports, references, same)}",
        flush=True,
    )


def selection(
    found: Sequence[Sequence[Triple]], references: Sequence[Sequence[Triple]], same: SameEntity
) -> str:
    """Return content selection and ordering in percent."""
    scores = content_selection(found, references, same)
    ordering = content_ordering(found, references, same)
    every = (scores.precision, scores.recall, scores.f1, ordering)
    return "".join(f"{100 * each:>7.1f}" for each in every)


def read_back(table: Table, plan: Plan) -> list[tuple[Triple, bool]]:
    """Return the relations that the matcher finds in the report of a plan."""
    report = realize(table, plan)
    return stated_triples(matcher_for(table).read([each.text for each in report.sentences]))


if __name__ == "__main__":
    main()
