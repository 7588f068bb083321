"""Invented games: numbers add up, plans and reports match, and nothing is measured on them."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import generated_games
import invented_games
from effort import examples
from invented.seasons import Season, season_games
from longsum.common.errors import LongsumError
from longsum.evaluation.datasets.record_files import json_lines
from longsum.tables.games.rotowire import game_table, read_games
from longsum.tables.plan import plan_from_json
from longsum.tables.templates import realize
from rotowire_texts import real_games

GAMES = list(season_games(Season(seed=3, teams=6, rounds=4)))


def sides(game: dict):
    """Yield the numbers of each team, and those of its players who played."""
    box = game["box_score"]
    for side in ("home", "vis"):
        line = game[f"{side}_line"].items()
        rows = [row for row, of in box["TEAM_CITY"].items() if of == game[f"{side}_city"]]
        columns = [each for each in box if each.isupper() and box[each][rows[0]].isdigit()]
        played = [row for row in rows if box["MIN"][row] != "N/A"]
        yield (
            {name.removeprefix("TEAM-"): int(value) for name, value in line if value.isdigit()},
            [{column: int(box[column][row]) for column in columns} for row in played],
        )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["id"])
def test_numbers_add_up(game):
    for team, players in sides(game):
        for player in players:
            assert player["PTS"] == 2 * player["FGM"] + player["FG3M"] + player["FTM"]
            assert player["REB"] == player["OREB"] + player["DREB"]
            assert player["FG3M"] <= player["FGM"] <= player["FGA"]
            assert player["FG3A"] <= player["FGA"]
            assert player["FTM"] <= player["FTA"]
            assert player["PF"] <= 6
        sums = {name: sum(player[name] for player in players) for name in players[0]}
        assert (
            team["PTS"] == sums["PTS"] == sum(team[f"PTS_QTR{number}"] for number in (1, 2, 3, 4))
        )
        assert (team["REB"], team["AST"], team["TOV"]) == (sums["REB"], sums["AST"], sums["TO"])
        assert abs(team["FG_PCT"] - 100 * sums["FGM"] / sums["FGA"]) <= 0.5
        assert abs(sums["MIN"] - 240) <= len(players)
        assert sum(player["MIN"] == 0 for player in players) == 0


def test_the_winner_scored_more_and_standings_count_up():
    won: dict[str, tuple[int, int]] = {}
    for game in GAMES:
        home, away = (int(game[line]["TEAM-PTS"]) for line in ("home_line", "vis_line"))
        assert home != away
        for line, name, is_winner in (
            ("home_line", game["home_name"], home > away),
            ("vis_line", game["vis_name"], away > home),
        ):
            wins, losses = won.get(name, (0, 0))
            won[name] = (wins + is_winner, losses + (not is_winner))
            stated = (int(game[line]["TEAM-WINS"]), int(game[line]["TEAM-LOSSES"]))
            assert stated == won[name]
    assert all(sum(record) == 4 for record in won.values())


@settings(max_examples=examples(32))
@given(st.integers(0, 10_000))
def test_any_season_has_games_that_all_readers_take(seed):
    game = next(season_games(Season(seed=seed, teams=2, rounds=1)))
    (again,) = read_games(json.dumps(game))
    table = game_table(again)
    plan = plan_from_json(again["plan"], table)
    report = realize(table, plan)
    assert report.text.split() == again["summary"]
    assert len(report.sentences) == len(plan.sentences) > 0


def test_renamed_games_share_no_names():
    season = Season(seed=4, teams=4, rounds=3, renamed=True)
    games = [set(game["box_score"]["PLAYER_NAME"].values()) for game in season_games(season)]
    assert all(not one & other for place, one in enumerate(games) for other in games[:place])


def test_generated_games_never_measure_anything():
    real = {key: value for key, value in GAMES[0].items() if key != "generated"}
    assert real_games([real], "shared") == [real]
    for game in GAMES:
        with pytest.raises(LongsumError, match="shared has generated games; results are measured"):
            real_games([real, game], "shared")


def test_the_tests_learn_from_games_that_the_script_writes(tmp_path):
    generated_games.write_games(tmp_path, len(invented_games.GAMES))
    assert tuple(json_lines(tmp_path / "train.jsonl")) == invented_games.GAMES
    assert len(list(json_lines(tmp_path / "validation.jsonl"))) == generated_games.VALIDATION
