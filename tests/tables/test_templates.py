"""Reports from plans that a person might make for a game."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longsum.tables import Plan
from longsum.tables.annotated_text import count_word, ordinal, ordinal_word
from longsum.tables.games.rotowire import game_table
from longsum.tables.templates import realize, report_to_markdown, report_to_text

WOLVES, EAGLES = "Weston Wolves", "Easton Eagles"


@pytest.fixture
def say(table):
    """Realize sentences that are given as `entity: types`."""

    def call(*sentences):
        plan = Plan(
            tuple(
                tuple(
                    table.index(entity, type_)
                    for entity, types in sentence
                    for type_ in types.split()
                )
                for sentence in sentences
            )
        )
        return realize(table, plan)

    return call


def both(types):
    return [(WOLVES, types), (EAGLES, types)]


def pts(*players):
    return [(player, "PLAYER-PTS") for player in players]


def test_a_difference_of_one_counts_and_missing_values_are_not_given(game):
    game["home_line"] |= {"TEAM-AST": "26", "TEAM-REB": "N/A"}
    table = game_table(game)
    plan = Plan((tuple(table.index(team, "TEAM-AST") for team in (WOLVES, EAGLES)),))
    text = "The Weston Wolves had more assists than the Easton Eagles (26 to 25)."
    assert realize(table, plan).text == text
    missing = realize(table, Plan(((table.index(WOLVES, "TEAM-REB"),),))).text
    assert missing == "No figure is given for the rebounds of the Weston Wolves."


def test_names_grow_shorter_but_never_ambiguous(say):
    blocks = [("Ann Ash", "PLAYER-PF"), ("Bo Birch", "PLAYER-PF")]
    first, again = (each.text for each in say(blocks, blocks).sentences)
    # There are two called Ash.
    assert first == "Ann Ash committed three fouls, and Bo Birch committed one foul."
    assert again == "Ann Ash committed three fouls, and Birch committed one foul."
    again = say([(WOLVES, "TEAM-REB")], [(WOLVES, "TEAM-AST")]).text
    assert again == "The Weston Wolves had 44 rebounds. The Wolves had 22 assists."


def test_a_report_lists_the_cells_that_each_sentence_states(say):
    report = say(both("TEAM-PTS"), [(WOLVES, "TEAM-REB")], *[pts("Ann Ash")] * 2)
    texts = [each.text for each in report.sentences]
    body = f"{texts[0]} {texts[1]}\n\n{texts[2]} {texts[3]}"
    assert report_to_text(report) == f"{body}\n"
    cells = [
        f"{WOLVES} TEAM-PTS = 104; {EAGLES} TEAM-PTS = 98",
        f"{WOLVES} TEAM-REB = 44",
        *["Ann Ash PLAYER-PTS = 60"] * 2,
    ]
    said = "".join(f"{number}. {each}\n" for number, each in enumerate(cells, start=1))
    assert report_to_markdown(report).replace("\\", "") == (
        f"# {report.table.title}\n\n*2016-03-05*\n\n{body}\n\n## Cells of each sentence\n\n{said}"
    )


def test_a_player_who_shares_the_most_points_leads_nobody(say):
    assert "led" not in say(pts("Ed Elm")).text
    assert "paced" not in say(pts("Di Dogwood")).text


def test_what_is_repeated_in_a_sentence_is_said_once(say):
    assert say([*pts("Bo Birch"), *pts("Bo Birch")]).text == say(pts("Bo Birch")).text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.lists(st.integers(0, 170), min_size=1, max_size=9), min_size=1, max_size=3))
def test_any_plan_is_said_and_nothing_else(table, sentences):
    """Each entry has a span; each number is in one, and states its record's value."""
    report = realize(table, Plan(tuple(map(tuple, sentences))))
    words = [count_word(number) for number in range(10)]
    for sentence in report.sentences:
        assert set(sentence.records) == {span.record for span in sentence.spans}
        rest = sentence.text
        for span in sentence.spans:
            record, said = table.records[span.record], sentence.text[span.start : span.end]
            if record.number is not None and span.part == "value":
                number = words.index(said) if said in words else int(said)
                assert number == record.number
            rest = rest[: span.start] + "_" * len(said) + rest[span.end :]
        rest = rest.replace("three-point", "")
        assert not re.search(rf"\d|\b({'|'.join(words[1:])})\b", rest)
        assert sentence.text[0].isupper() or sentence.text[0].isdigit()
        assert sentence.text.endswith(".")
        assert not re.search(r"  | [,.;)]|\( |,,|\.\.", sentence.text)


def test_ordinals():
    numbers = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111]
    assert [ordinal(number) for number in numbers] == (
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]
    )
    assert [ordinal_word(number) for number in (2, 10, 11)] == ["second", "tenth", "11th"]


def test_paragraphs_are_about_the_teams_or_the_players_of_one(say):
    ash, dogwood = pts("Ann Ash"), pts("Di Dogwood")
    report = say(both("TEAM-PTS"), both("TEAM-REB"), ash, ash, dogwood, ash, ash)
    sizes = [len(paragraph) for paragraph in report.paragraphs]
    assert sizes == [2, 2, 3]
    assert [each for paragraph in report.paragraphs for each in paragraph] == list(report.sentences)
    assert len(say(both("TEAM-PTS"), ash, dogwood).paragraphs) == 2
    assert say().paragraphs == ()
