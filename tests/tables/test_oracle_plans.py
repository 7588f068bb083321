"""Plans that texts follow."""

import pytest

from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.oracle_plans import oracle_plan
from longsum.tables.relation_finder import stated_triples


def plan(table, *sentences):
    made = oracle_plan(matcher_for(table), sentences)
    return [
        [
            f"{table.records[index].type.name.split('-')[1]} {table.records[index].value}"
            for index in sentence
        ]
        for sentence in made.sentences
    ]


def test_a_plan_has_names_as_written_and_numbers_in_order(table):
    assert plan(table, "The Weston Wolves beat Easton , 104 - 98 .") == [
        ["CITY Weston", "NAME Wolves", "CITY Easton", "PTS 104", "PTS 98"]
    ]
    assert plan(table, "Ann Ash had 12 rebounds and 60 points.") == [
        ["FIRST_NAME Ann", "SECOND_NAME Ash", "REB 12", "PTS 60"]
    ]


def test_a_pronoun_becomes_the_name_where_numbers_follow(table):
    found = plan(table, "Ann Ash scored 60.", "He had 12 rebounds.", "He likes it.")
    assert found[1:] == [["SECOND_NAME Ash", "REB 12"]]


def test_repetitions_within_a_sentence_stay_and_empty_sentences_go(table):
    found = plan(table, "Ash had 60 points, yes, Ash had 60 points.", "What a game.")
    assert found == [["SECOND_NAME Ash", "PTS 60", "SECOND_NAME Ash", "PTS 60"]]


def test_the_date_of_the_match_is_an_entry_and_other_days_are_not(table):
    assert plan(table, "The Wolves won on Saturday.") == [["NAME Wolves", "DATE 2016-03-05"]]
    assert plan(table, "The Wolves play on Monday.") == [["NAME Wolves"]]


def test_wrong_numbers_are_no_entries(table):
    assert plan(table, "Bo Birch had 39 points.") == [["FIRST_NAME Bo", "SECOND_NAME Birch"]]


def test_stated_triples_know_whether_the_table_has_them(table):
    reads = matcher_for(table).read(["Ann Ash had 60 points and 13 rebounds.", "Bo Birch had 5."])
    assert stated_triples(reads) == [
        (("Ann Ash", "60", "PLAYER-PTS"), True),
        (("Ann Ash", "13", "PLAYER-REB"), False),
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
