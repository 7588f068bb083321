"""Seasons of invented games, as Rotowire has games: box scores with plans and reports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import numpy as np
from numpy.random import Generator

from invented.names import player_names, team_names
from invented.performances import (
    Line,
    Player,
    draw_performances,
    draw_players,
    percentage,
    total,
)
from invented.plans import draw_plan
from longsum.tables.games.rotowire import game_table
from longsum.tables.games.rotowire_types import PLAYER_NUMBERS
from longsum.tables.plan import plan_to_json
from longsum.tables.table import MISSING
from longsum.tables.templates import realize

# They give the scores of real games, their spread, and the advantage of home teams.
_PACE_SPREAD = 0.06
_HOME_FORM = 0.03
_STRENGTH_SPREAD = 0.02
_LISTED = 15
_DAYS_BETWEEN = 2
_COLUMNS = tuple(PLAYER_NUMBERS)


@dataclass(frozen=True, slots=True)
class Season:
    """Which games are made.

    Attributes:
        seed: Of all that is drawn: the same season has the same games.
        teams: How many teams play, an even number from 2 to 40.
        rounds: How often each team plays.
        begins: The day of the first games.
        renamed: Whether each game has names of its own, so that none can be learned by heart.
    """

    seed: int = 0
    teams: int = 30
    rounds: int = 82
    begins: date = date(2015, 10, 27)
    renamed: bool = False


@dataclass(frozen=True, slots=True)
class _Team:
    city: str
    name: str
    strength: float
    players: tuple[Player, ...]
    wins: int = 0
    losses: int = 0

    def after(self, won: bool) -> "_Team":
        return replace(self, wins=self.wins + won, losses=self.losses + (not won))


def season_games(season: Season) -> Iterator[dict[str, Any]]:
    """Yield the games of a season in order of time, as Rotowire has them.

    Each is marked as `generated`, and has beside the box score a `plan` (`plan_to_json`) and its
    report by the templates, as the words of `summary`. No game has overtime.
    """
    generator = np.random.default_rng((season.seed, season.teams))
    teams = _league(generator, season.teams)
    for played in range(season.rounds):
        day = season.begins + timedelta(days=_DAYS_BETWEEN * played)
        order = generator.permutation(season.teams)
        for place in range(0, season.teams - 1, 2):
            home, away = int(order[place]), int(order[place + 1])
            playing = teams[home], teams[away]
            if season.renamed:
                playing = _renamed(generator, playing)
            game, home_won = _play(generator, *playing, day)
            teams[home] = teams[home].after(home_won)
            teams[away] = teams[away].after(not home_won)
            game["id"] = f"G{season.seed}-{played + 1:02}-{place // 2 + 1:02}"
            yield _with_report(generator, game)


def _league(generator: Generator, count: int) -> list[_Team]:
    people = player_names(generator, _LISTED * count)
    return [
        _Team(
            city,
            name,
            float(generator.normal(0.0, _STRENGTH_SPREAD)),
            tuple(draw_players(generator, people[_LISTED * place : _LISTED * (place + 1)])),
        )
        for place, (city, name) in enumerate(team_names(generator, count))
    ]


def _renamed(generator: Generator, teams: tuple[_Team, _Team]) -> tuple[_Team, _Team]:
    """Return teams that differ in all names, and in nothing else."""
    people = player_names(generator, _LISTED * len(teams))
    first, second = (
        replace(
            team,
            city=city,
            name=name,
            players=tuple(
                replace(player, first=own[0], second=own[1])
                for player, own in zip(team.players, people[place::2], strict=True)
            ),
        )
        for place, (team, (city, name)) in enumerate(
            zip(teams, team_names(generator, len(teams)), strict=True)
        )
    )
    return first, second


def _play(generator: Generator, home: _Team, away: _Team, day: date) -> tuple[dict[str, Any], bool]:
    """Return a game without a report, and whether the home team won; a tie is played again."""
    while True:
        pace = float(np.exp(generator.normal(0.0, _PACE_SPREAD)))
        lines = [
            draw_performances(
                generator,
                team.players,
                pace,
                team.strength + sign * _HOME_FORM,
            )
            for team, sign in ((away, -0.5), (home, 0.5))
        ]
        away_points, home_points = (total(each, "PTS") for each in lines)
        if away_points != home_points:
            break
    won = home_points > away_points
    return {
        "generated": True,
        "day": f"{day:%m_%d_%y}",
        "home_city": home.city,
        "home_name": home.name,
        "vis_city": away.city,
        "vis_name": away.name,
        "home_line": _team_line(generator, home.after(won), lines[1]),
        "vis_line": _team_line(generator, away.after(not won), lines[0]),
        "box_score": _box_score(((away, lines[0]), (home, lines[1]))),
    }, won


def _team_line(generator: Generator, team: _Team, lines: Sequence[Line | None]) -> dict[str, str]:
    sums = {column: total(lines, column) for column in ("PTS", "REB", "AST", "TO", "FGM", "FGA")}
    sums |= {column: total(lines, column) for column in ("FG3M", "FG3A", "FTM", "FTA")}
    quarters = generator.multinomial(sums["PTS"], [0.25] * 4)
    numbers = {
        **{f"PTS_QTR{number}": int(each) for number, each in enumerate(quarters, start=1)},
        "PTS": sums["PTS"],
        "REB": sums["REB"],
        "AST": sums["AST"],
        "TOV": sums["TO"],
        **{
            f"{kind}_PCT": percentage(sums[f"{kind}M"], sums[f"{kind}A"])
            for kind in ("FG", "FG3", "FT")
        },
        "WINS": team.wins,
        "LOSSES": team.losses,
    }
    return {
        "TEAM-CITY": team.city,
        "TEAM-NAME": team.name,
        **{f"TEAM-{column}": str(number) for column, number in numbers.items()},
    }


def _box_score(
    teams: Sequence[tuple[_Team, Sequence[Line | None]]],
) -> dict[str, dict[str, str]]:
    """Return the players column by column, those of the visitors first."""
    rows: list[dict[str, str]] = []
    for team, lines in teams:
        for player, line in zip(team.players, lines, strict=False):
            rows.append(
                {
                    "PLAYER_NAME": f"{player.first} {player.second}",
                    "FIRST_NAME": player.first,
                    "SECOND_NAME": player.second,
                    "TEAM_CITY": team.city,
                    "START_POSITION": player.position,
                    **_numbers(line),
                }
            )
    return {column: {str(row): each[column] for row, each in enumerate(rows)} for column in rows[0]}


def _numbers(line: Line | None) -> Mapping[str, str]:
    if line is None:
        return dict.fromkeys(_COLUMNS, MISSING)
    return {column: str(line[column]) for column in _COLUMNS}


def _with_report(generator: Generator, game: dict[str, Any]) -> dict[str, Any]:
    table = game_table(game)
    plan = draw_plan(generator, table)
    return {
        **game,
        "plan": plan_to_json(plan, table),
        "summary": realize(table, plan).text.split(),
    }
