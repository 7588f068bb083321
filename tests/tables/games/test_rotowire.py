"""Games as tables, and games that are damaged."""

import json
from functools import reduce
from operator import getitem

import pytest

from longsum.common.errors import LongsumError
from longsum.tables.games.rotowire import choose_game, game_table, read_games
from longsum.tables.linearization import filtered, record_string


def test_the_strings_and_the_entries_of_table_5(table):
    strings = {record_string(record) for record in table.records}
    assert {
        "match date of match is year: 2016 month: 03 day: 05 day_of_week: 5",
        "team name of Weston Wolves is Wolves",
        "team city of Easton Eagles is Easton",
        "Easton Eagles is away team of match",
        "team points scored of Weston Wolves is 104 which is 1st best",
        "team 1st quarter points of Weston Wolves is 20 which is 2nd best",
        "player first name of Ann Ash is Ann",
        "Ann Ash is player of Easton Eagles",
        "Di Dogwood is player of Weston Wolves",
        "player points scored of Ed Elm is 50 which is 2nd best",
        "player points scored of Di Dogwood is 50 which is 2nd best",
        "player points scored of Bo Birch is 38 which is 4th best",
        "player starting position of Di Dogwood is C",
        "player minutes played of Cy Cedar is N/A",
    } <= strings
    assert len(table.records) == 1 + 2 * 16 + 6 * 23


def test_types_are_the_same_as_before(table, as_before):
    as_before("table-types", "".join(f"{each.name}: {each.phrase}\n" for each in table.types))


def test_teams_of_one_city_are_distinguished_by_order_and_points(game):
    for line in ("home_line", "vis_line"):
        game[line]["TEAM-CITY"] = "Weston"
    rows = game["box_score"]["TEAM_CITY"]
    game["box_score"]["TEAM_CITY"] = dict.fromkeys(rows, "Weston")
    # Where the visitors end does not show in the points: Cy Cedar has none. The starters show it.
    with pytest.raises(LongsumError, match="do not tell who plays for which"):
        game_table(game | {"vis_line": game["vis_line"] | {"TEAM-PTS": "97"}})


@pytest.mark.data
def test_teams_of_real_games_could_be_distinguished_in_one_city(real_games):
    for raw in real_games[::6]:
        right = [player.side for player in game_table(raw).of_kind("player")]
        same = json.loads(json.dumps(raw))
        for line in ("home_line", "vis_line"):
            same[line]["TEAM-CITY"] = "Springfield"
        cities = same["box_score"]["TEAM_CITY"]
        same["box_score"]["TEAM_CITY"] = dict.fromkeys(cities, "Springfield")
        assert [player.side for player in game_table(same).of_kind("player")] == right


def test_filtering_drops_missing_values_first_and_then_zeros(table):
    assert not any(table.records[i].missing for i in filtered(table, 1000))
    numbers = len(filtered(table, 1000))
    kept = filtered(table, numbers - 3)
    assert len(kept) == numbers - 3
    lost = set(filtered(table, 1000)) - set(kept)
    assert {table.records[i].value for i in lost} == {"0"}


def test_players_of_one_name_are_distinguished_by_their_teams(game):
    game["box_score"]["PLAYER_NAME"] |= {"0": "Sam Oak", "3": "Sam Oak"}
    names = [player.name for player in game_table(game).of_kind("player")]
    assert "Sam Oak (Eagles)" in names
    assert "Sam Oak (Wolves)" in names


@pytest.mark.parametrize("value", ["NaN", None, float("nan"), "n/a", "", "None", [3], {}])
def test_a_value_that_is_not_a_number_is_missing(game, value):
    game["box_score"]["REB"]["0"] = value
    table = game_table(game)
    assert table.record("Ann Ash", "PLAYER-REB").missing
    assert table.kind == "game"


def test_names_and_cities_are_one_line_without_control_sequences(game):
    game["box_score"]["PLAYER_NAME"]["0"] = "Ann\x1b[31m\n Ash"
    game["home_line"]["TEAM-NAME"] = "\u202eWolves\x00 "
    table = game_table(game)
    assert [table.of_kind("team")[0].name, table.of_kind("player")[3].name] == [
        *("Weston Wolves", "Ann Ash")
    ]


DELETE = object()


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("home_line", "TEAM-PTS"), "-4", "must be a whole number from 0"),
        (("home_line", "TEAM-PTS"), DELETE, "lacks TEAM-PTS of the Weston Wolves"),
        (("home_line", "TEAM-PTS"), "N/A", "lacks TEAM-PTS"),
        (("home_line", "TEAM-FG_PCT"), "146", "number from 0 to 100"),
        (("home_line",), [], "has no values in home_line"),
        (("home_line", "TEAM-NAME"), DELETE, "lacks TEAM-NAME or TEAM-CITY"),
        (("box_score", "PTS", "0"), "3.5", "must be a whole number"),
        (("box_score", "PTS", "0"), "many", "'many' as PLAYER-PTS of 'Ann Ash'"),
        (("box_score", "TEAM_CITY", "0"), "Norton", "'Ann Ash' in 'Norton'"),
        (("box_score", "TEAM_CITY"), DELETE, "lacks the column TEAM_CITY"),
        (("box_score", "PLAYER_NAME"), {}, "has no players"),
        (("box_score", "PLAYER_NAME"), {str(n): f"P {n}" for n in range(10_000)}, "10,000 players"),
        (("box_score", "PLAYER_NAME"), DELETE, "lacks the column PLAYER_NAME"),
        (("box_score", "PLAYER_NAME", "0"), None, "player without a name"),
        (("box_score", "PLAYER_NAME", "1"), "Ann Ash", "two players of one team"),
        (("box_score",), "none", "lacks the column PLAYER_NAME"),
        (("day",), "2016-03-05", "must be MM_DD_YY"),
        (("day",), "13_45_16", "must be MM_DD_YY"),
    ],
)
def test_a_damaged_game_is_refused_in_one_sentence(game, path, value, problem):
    *way, last = path
    place = reduce(getitem, way, game)
    if value is DELETE:
        del place[last]
    else:
        place[last] = value
    with pytest.raises(LongsumError) as caught:
        game_table(game)
    assert problem in str(caught.value)
    assert str(caught.value).count("\n") == 0


def test_two_teams_of_one_name_are_refused(game):
    game["vis_line"] |= {"TEAM-NAME": "Wolves", "TEAM-CITY": "Weston"}
    with pytest.raises(LongsumError, match="two teams of one name, 'Weston Wolves'"):
        game_table(game)


def test_games_may_be_single_in_a_list_or_on_lines(game):
    one = json.dumps(game)
    for text, count in ((one, 1), (f"[{one}, {one}]", 2), (f"{one}\n{one}\n{one}\n", 3)):
        assert len(read_games(text)) == count


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        *(("{", "is not valid JSON"), ("[]", "has no games"), ("[1]", "is not a Rotowire game")),
        *(('{"a": 1}', "is not a Rotowire game"), ('{"a": 1}\n{"b": ', "nor is its line 2")),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_data_without_a_game_are_refused(text, problem):
    with pytest.raises(LongsumError, match=problem):
        read_games(text, "x.json")


def test_a_game_is_chosen_by_id_or_number(game):
    games = [game | {"id": "S7"}, game | {"id": 2}]
    assert choose_game(games, "S7") is games[0]
    assert choose_game(games, "2") is games[1]
    assert choose_game(games, "1") is games[0]
    assert choose_game(games[:1], None) is games[0]
    for wanted in (None, "0", "3", "S9", "²", "1" * 99):
        with pytest.raises(LongsumError):
            choose_game(games, wanted)
