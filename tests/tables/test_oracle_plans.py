"""Plans derived from texts."""

import pytest

from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.oracle_plans import oracle_plan
from longsum.tables.plan import Plan
from longsum.tables.relation_finder import plan_triples, stated_triples


def plan(table, *sentences):
    made = oracle_plan(matcher_for(table), sentences)
    told = [[table.records[index] for index in sentence] for sentence in made.sentences]
    return [
        ", ".join(f"{each.type.name.split('-')[1]} {each.value}" for each in row) for row in told
    ]


@pytest.mark.parametrize(
    ("sentences", "planned"),
    [
        (["The Weston Wolves beat Easton , 104 - 98 ."],
         ["CITY Weston, NAME Wolves, CITY Easton, PTS 104, PTS 98"]),
        (["Ann Ash had 12 rebounds and 60 points."],
         ["FIRST_NAME Ann, SECOND_NAME Ash, REB 12, PTS 60"]),
        (["Ann Ash scored 60.", "He had 12 rebounds.", "He likes it."],
         ["FIRST_NAME Ann, SECOND_NAME Ash, PTS 60", "SECOND_NAME Ash, REB 12"]),
        (["Ann Ash scored 60.", f"He had{' ' * 20}12 rebounds."],
         ["FIRST_NAME Ann, SECOND_NAME Ash, PTS 60", "SECOND_NAME Ash, REB 12"]),
        (["Ash had 60 points, yes, Ash had 60 points.", "What a game."],
         ["SECOND_NAME Ash, PTS 60, SECOND_NAME Ash, PTS 60"]),
        (["The Wolves won on Saturday."], ["NAME Wolves, DATE 2016-03-05"]),
        (["The Wolves play on Monday."], ["NAME Wolves"]),
        (["Bo Birch had 39 points."], ["FIRST_NAME Bo, SECOND_NAME Birch"]),
    ],
    ids=["teams", "as written, in order", "a pronoun is a name where numbers follow",
         "however far", "repetitions stay, empty sentences go", "the day of the match",
         "another day", "a wrong number"],
)  # fmt: skip
def test_a_plan_has_names_as_written_and_numbers_in_order(table, sentences, planned):
    assert plan(table, *sentences) == planned


def test_stated_triples_know_whether_the_table_has_them(table):
    reads = matcher_for(table).read(["Ann Ash had 60 points and 13 rebounds.", "Bo Birch had 5."])
    assert stated_triples(reads) == [
        (("Ann Ash", "60", "PLAYER-PTS"), True),
        (("Ann Ash", "13", "PLAYER-REB"), False),
    ]


def test_the_triples_of_a_plan_are_its_numbers_in_order(table):
    cells = [
        ("Bo Birch", "PTS"),
        ("Ann Ash", "SECOND_NAME"),
        ("Cy Cedar", "PTS"),
        ("Ann Ash", "AST"),
    ]
    plan = Plan(tuple((table.index(name, f"PLAYER-{column}"),) for name, column in cells))
    assert plan_triples(plan, table) == [
        ("Bo Birch", "38", "PLAYER-PTS"),
        ("Ann Ash", "11", "PLAYER-AST"),
    ]


@pytest.mark.data
@pytest.mark.slow
def test_oracle_plans_of_real_games_are_about_as_long_as_the_papers(real_games):
    """The paper gives 59.24 entries in 12.72 sentences (B.2)."""
    from longsum.language.sentences import sentence_texts
    from longsum.tables.games.rotowire import game_table

    made = [
        oracle_plan(matcher_for(game_table(game)), sentence_texts(game["summary"]))
        for game in real_games
    ]
    assert 55 < sum(each.entries for each in made) / len(made) < 65
    assert 12 < sum(len(each.sentences) for each in made) / len(made) < 14.5
