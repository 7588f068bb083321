"""The shapes of real games and of their references' plans, compared with generated ones.

Run: LONGSUM_DATA=… python benchmarks/table_shapes.py [--games 300]

First it prints the constants of `invented/shapes.py` and `plan_shapes.py`, estimated from the 60
real games: what players of each starting position do in 36 minutes and how much that varies,
line-ups, scores, and which of a player's numbers plans have. Then it compares means and deviations
of generated games with those of real ones.
"""

import argparse
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np

import generated_games
from invented.plan_shapes import SAID
from invented.shapes import COUNTS
from longsum.evaluation.datasets import load
from longsum.tables.games import rotowire_types as types
from longsum.tables.planning.run_planning import PlannedGame, game_of, planned_game
from longsum.tables.table import Entity, Table

TEAM_COLUMNS = ("PTS", "REB", "AST", "TOV", "FG_PCT", "FG3_PCT", "FT_PCT")
PLAYER_COLUMNS = ("PTS", "REB", "AST", "STL", "BLK", "TO", "MIN", "FGA", "FG3A", "FTA")


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300, help="generated games")
    count = parser.parse_args().games
    folds = (load("rotowire_games", f"fold{number}") for number in range(1, 6))
    real = [planned_game(game_of(example)) for fold in folds for example in fold]
    made = [planned_game(game) for game in islice(generated_games.games(0), count)]
    roles(real)
    line_ups(real)
    said(real)
    openings(real)
    for name, column in (("team", TEAM_COLUMNS), ("player", PLAYER_COLUMNS)):
        compare(name, column, real, made)
    scores(real, made)
    plans(real, made)


def number(table: Table, entity: Entity, name: str) -> float:
    """Return a number of the table, 0 if it has none."""
    record = table.record(entity.name, name)
    return 0.0 if record is None else float(record.number or 0)


def performances(games: Iterable[PlannedGame]) -> Iterable[tuple[Table, Entity]]:
    """Yield the players who played."""
    for game in games:
        for player in game.table.of_kind("player"):
            record = game.table.record(player.name, "PLAYER-MIN")
            if record is not None and not record.missing:
                yield game.table, player


def roles(games: Sequence[PlannedGame]) -> None:
    """Print what players of each position do."""
    rows: dict[str, list[tuple[Table, Entity]]] = {}
    for table, player in performances(games):
        position = table.record(player.name, types.POSITION.name)
        rows.setdefault(position.value if position else "N/A", []).append((table, player))
    for position, players in rows.items():
        column = {
            name: np.array([number(table, player, f"PLAYER-{name}") for table, player in players])
            for name in ("MIN", "FGM", "FG3A", "FG3M", "FTM", *COUNTS)
        }
        minutes, shots, deep = column["MIN"], column["FGA"], column["FG3A"]
        print(f"{position}: {len(players)} players, {minutes.mean():.1f} ± {minutes.std():.1f} min")
        for name in COUNTS:
            mean = column[name].sum() / minutes.sum() * minutes
            beyond = ((column[name] - mean) ** 2 - mean).sum() / (mean**2).sum()
            rate = 36 * column[name].sum() / minutes.sum()
            print(f"  {name}: {rate:.2f} in 36 min, spread {math.sqrt(max(beyond, 0)):.2f}")
        share = deep.sum() / shots.sum()
        beyond = (deep - share * shots) ** 2 - share * (1 - share) * shots
        spread = math.sqrt(max(beyond.sum() / (shots * (shots - 1)).sum(), 0))
        two = (column["FGM"] - column["FG3M"]).sum() / (shots - deep).sum()
        three, free = column["FG3M"].sum() / deep.sum(), column["FTM"].sum() / column["FTA"].sum()
        print(f"  threes {share:.3f} ± {spread:.2f}; made {two:.3f} {three:.3f} {free:.3f}")


def line_ups(games: Sequence[PlannedGame]) -> None:
    """Print who starts, how many play, and how many others are listed."""
    starts, played, absent = Counter[tuple[str, ...]](), Counter[int](), Counter[int]()
    shots = []
    for game in games:
        table = game.table
        for team in table.of_kind("team"):
            players = [each for each in table.of_kind("player") if each.of == team.name]
            records = [table.record(each.name, types.POSITION.name) for each in players]
            starts[tuple(each.value for each in records if each and not each.missing)] += 1
            minutes = [table.record(each.name, "PLAYER-MIN") for each in players]
            on_court = sum(each is not None and not each.missing for each in minutes)
            played[on_court] += 1
            absent[len(players) - on_court] += 1
            shots.append(sum(number(table, each, "PLAYER-FGA") for each in players))
    print(f"line-ups {dict(starts)}\nplayed {dict(sorted(played.items()))}")
    print(f"absent {dict(sorted(absent.items()))}\nfield goals attempted {np.mean(shots):.1f}")


def said(games: Sequence[PlannedGame]) -> None:
    """Print how the odds of stating a number grow with it, by logistic regression."""
    from sklearn.linear_model import LogisticRegression

    values: dict[str, list[float]] = {name: [] for name in SAID}
    chosen: dict[str, list[bool]] = {name: [] for name in SAID}
    told, first = [], []
    for game in games:
        entries: dict[str, set[str]] = {}
        for sentence in game.plan.sentences:
            for index in sentence:
                record = game.table.records[index]
                if record.entity.kind == "player":
                    entries.setdefault(record.entity.name, set()).add(record.type.name)
        told.append(len(entries))
        for name, types_ in entries.items():
            first.append(types.FIRST_NAME.name in types_)
            if types_ & {f"PLAYER-{count}" for count in SAID}:
                for count in SAID:
                    player = game.table.entity(name)
                    assert player is not None
                    values[count].append(number(game.table, player, f"PLAYER-{count}"))
                    chosen[count].append(f"PLAYER-{count}" in types_)
    print(f"players {np.mean(told):.1f} ± {np.std(told):.1f}, by first name {np.mean(first):.2f}")
    print(f"of {len(values['PTS']) / sum(told):.2f} numbers are said:")
    for count in SAID:
        fitted = LogisticRegression(C=10).fit(np.array(values[count])[:, None], chosen[count])
        slope, intercept = float(fitted.coef_[0][0]), float(fitted.intercept_[0])
        print(f"  {count}: {slope:.2f} {intercept:.2f}, {np.mean(chosen[count]):.2f} of them")


def openings(games: Sequence[PlannedGame]) -> None:
    """Print the entries of first sentences, and of sentences about teams alone."""
    first, kinds = Counter[str](), Counter[str]()
    for game in games:
        for place, sentence in enumerate(game.plan.sentences):
            records = [game.table.records[index] for index in sentence]
            players = {each.entity.name for each in records if each.entity.kind == "player"}
            names = {each.type.name for each in records}
            if players:
                kinds[f"{min(len(players), 2)} players"] += 1
            elif place == 0:
                kinds["opening"] += 1
                first.update(names)
            else:
                numbers = {each for each in names if each.startswith("TEAM-")} - {
                    types.NAME.name,
                    types.CITY.name,
                }
                kinds["names" if not numbers else " ".join(sorted(numbers))] += 1
    count = kinds["opening"]
    print("openings: " + ", ".join(f"{name} {n / count:.2f}" for name, n in first.most_common(8)))
    print("sentences: " + ", ".join(f"{k} {n / len(games):.2f}" for k, n in kinds.most_common(12)))


def compare(
    kind: str, columns: Sequence[str], real: Sequence[PlannedGame], made: Sequence[PlannedGame]
) -> None:
    """Print means and deviations of real and generated games."""
    print(f"{kind:10}{'real':>16}{'generated':>18}")
    for column in columns:
        name, found = f"{kind.upper()}-{column}", []
        for games in (real, made):
            pairs = (
                performances(games)
                if kind == "player"
                else ((game.table, team) for game in games for team in game.table.of_kind("team"))
            )
            values = [number(table, entity, name) for table, entity in pairs]
            found.append(f"{np.mean(values):8.1f} ± {np.std(values):4.1f}")
        print(f"{column:10}{found[0]:>16}{found[1]:>18}")


def scores(*groups: Sequence[PlannedGame]) -> None:
    """Print how the points of a game's two teams correlate."""
    for name, games in zip(("real", "generated"), groups, strict=True):
        both = np.array(
            [
                [number(game.table, team, "TEAM-PTS") for team in game.table.of_kind("team")]
                for game in games
            ]
        )
        home, away = both.T
        print(
            f"{name}: home wins {np.mean(home > away):.2f} by {np.mean(home - away):.1f}, margin "
            f"{np.std(home - away):.1f}, correlation {np.corrcoef(home, away)[0, 1]:.2f}"
        )


def plans(*groups: Sequence[PlannedGame]) -> None:
    """Print how long plans are, and how often they have entries of each type, including repeats."""
    counts = []
    for name, games in zip(("real", "generated"), groups, strict=True):
        of_plans = [game.plan for game in games]
        entries, sentences = (
            np.mean([getattr(plan, part) for plan in of_plans])
            if part == "entries"
            else np.mean([len(plan.sentences) for plan in of_plans])
            for part in ("entries", "sentences")
        )
        print(f"{name} plans: {entries:.1f} entries in {sentences:.1f} sentences")
        counts.append(
            Counter(
                game.table.records[index].type.name
                for game in games
                for sentence in game.plan.sentences
                for index in sentence
            )
        )
    for type_, count in counts[0].most_common():
        print(f"  {type_:20}{count / len(groups[0]):8.2f}{counts[1][type_] / len(groups[1]):8.2f}")


if __name__ == "__main__":
    main()
