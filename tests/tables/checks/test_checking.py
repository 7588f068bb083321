"""What the checker flags, and how it repairs it."""

import re

import pytest

from longsum.tables import Entity, RecordType, make_table
from longsum.tables.checks.checking import repaired
from longsum.tables.checks.text_checks import (
    check_text,
    check_to_json,
    check_to_text,
    checker_for,
    matcher_for,
)
from longsum.tables.games.rotowire import game_table
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.templates import realize


def flagged(table, *sentences):
    return [(flag.kind, flag.saw) for flag in checker_for(table).check(sentences)]


def test_a_report_from_the_table_has_no_flag(table):
    report = realize(table, plan_by_rules(table))
    assert flagged(table, *(sentence.text for sentence in report.sentences)) == []


def test_every_number_of_a_report_that_is_changed_is_flagged_and_repaired(table):
    """One number at a time, of those in digits that state a single record.

    What two teams have alike, "44 apiece", is not read.
    """
    report = realize(table, plan_by_rules(table))
    sentences = [sentence.text for sentence in report.sentences]
    changed = 0
    for place, sentence in enumerate(report.sentences):
        for span in sentence.spans:
            number = sentence.text[span.start : span.end]
            if not re.fullmatch(r"\d\d+", number) or "apiece" in sentence.text[span.end :][:8]:
                continue
            wrong = f"{int(number) + 40}"
            text = sentence.text[: span.start] + wrong + sentence.text[span.end :]
            flags = checker_for(table).check([*sentences[:place], text, *sentences[place + 1 :]])
            assert any(flag.sentence == place for flag in flags), text
            hits = [flag for flag in flags if flag.span[0] == span.start]
            if hits and hits[0].instead is not None:
                assert repaired([text] * (place + 1), hits)[place] == sentence.text
                changed += 1
    assert changed > 15


FLAGS = [
    ("Ann Ash had 60 points and 13 rebounds.", [("number", "13")]),
    ("The Wolves beat the Eagles 104-97.", [("number", "97")]),
    ("The Wolves beat the Wolves 104-98.", [("name", "Wolves")]),
    ("The Eagles defeated the Wolves 98-104.", [("word", "defeated")]),
    ("The Wolves beat the Eagles 104-98 on Friday.", [("name", "Friday")]),
    ("The Wolves will host the Toronto Raptors next.", [("name", "Toronto Raptors")]),
    ("The Wolves return home to face the Eagles.", [("name", "Eagles")]),
    ("The Wolves return home to face the Eagles and win 104-98.", []),
    ("The Wolves will play again on Monday.", []),  # two days later, as teams do
    ("Ann Ash led the Wolves with 60 points.", [("name", "Wolves")]),
    ("Cy Cedar had 10 points and five assists.", [("name", "Cy Cedar")]),
    ("Bo Birch led the team in scoring.", [("name", "Bo Birch")]),
    ("Ann Ash led the team in scoring.", []),
    # Of the other team it is the team that is wrong.
    ("Bo Birch led the Wolves in scoring.", [("name", "Wolves")]),
    ("Bo Birch was third on the team with 38 points.", [("number", "third")]),
    ("Bo Birch had a double-double.", [("word", "double-double")]),
    ("Di Dogwood had a double-double.", []),
    ("Flo Ash scored in double figures.", [("word", "double figures")]),
    ("Di Dogwood scored in double figures.", []),
    ("For the Wolves, Ann Ash had 50 points and 15 rebounds.", [("name", "Ann Ash")]),
    ("Ed Elm came off the bench.", [("word", "bench")]),
    ("Bo Birch scored a game-high 38 points.", [("word", "game-high")]),
    ("Bo Birch had 38 points in the win.", [("word", "win")]),
    ("Ann Ash is averaging 31 points this season.", [("number", "31")]),
    ("Four Wolves players scored in double figures.", [("number", "Four")]),
    ("John Doe had 12 points.", [("name", "John Doe")]),
    ("The Eagles won 104-98.", [("word", "won")]),
    ("The Wolves lost to the Eagles 104-98.", [("word", "lost to")]),
    ("The Eagles led 50-49 at halftime.", [("word", "led")]),
    ("The Wolves committed fewer turnovers than the Eagles (9 to 14).", []),
    ("The Wolves committed more turnovers than the Eagles (9 to 14).", [("word", "more")]),
    ("Ann Ash has combined for 100 points in the last two games.", [("number", "100")]),
    ("The Wolves beat the Eagles 104-98 and had more assists (22 to 25).", [("word", "more")]),
    (
        "The Wolves led 50-48 at halftime and trailed 74-73 after three quarters.",
        [("number", "48"), ("word", "trailed")],
    ),
    ("Bo Birch led all scorers with 38 points.", [("word", "led")]),
    ("Bo Birch had a game-high three rebounds.", [("word", "game-high")]),
    ("Bo Birch did not score 38 points.", [("number", "38")]),
    ("Bo Birch did not score 40 points.", []),
    ("Ann Ash and Bo Birch scored 60 and 37 points.", [("number", "37")]),
    ("Ann Ash scored 60 points and Bo Birch 37.", [("number", "37")]),
    ("Bo Birch was the only other Easton player with 38 points.", []),
    # The record, the result and a second mention decide which name is wrong.
    ("The Eagles (10-3) won 104-98.", [("name", "Eagles")]),
    ("The Eagles (10-3) beat the Eagles (1-12).", [("name", "Eagles")]),
    ("The host Eagles lost.", [("word", "host")]),
    ("The Wolves won in overtime.", [("word", "overtime")]),
    ("It was a nine-point win for the Wolves.", [("number", "nine")]),
]


@pytest.mark.parametrize(("sentence", "expected"), FLAGS)
def test_flags(table, sentence, expected):
    assert flagged(table, sentence) == expected


def test_a_claim_beyond_the_table_is_absent_not_wrong(game, table):
    (flag,) = checker_for(table).check(["Next they visit the Boston Celtics ."])
    assert (flag.ground, flag.instead) == ("absent", None)
    (flag,) = checker_for(table).check(["Ann Ash is averaging 31 points this season ."])
    assert flag.message == "The table has nothing about other games."
    game["home_line"]["TEAM-PTS_QTR2"] = "N/A"
    said = "The Wolves had 20 points in the second quarter."
    (flag,) = checker_for(game_table(game)).check([said])
    assert (flag.saw, flag.ground, flag.instead) == ("20", "absent", None)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Ann Ash had twelve points .", "Ann Ash had 60 points ."),
        ("Ann Ash had five rebounds .", "Ann Ash had twelve rebounds ."),
        ("The Wolves had one hundred and three points .", "The Wolves had 104 points ."),
        ("Bo Birch was third on the team .", "Bo Birch was second on the team ."),
        ("They won 104 - 98 on Friday .", "They won 104 - 98 on Saturday ."),
        ("The Wolves beat the Wolves .", "The Wolves beat the Eagles ."),
        (
            "The Wolves outscored the Wolves in the third quarter .",
            "The Wolves outscored the Eagles in the third quarter .",
        ),
        ("Ann Ash led the way for Weston .", "Ann Ash led the way for Easton ."),
        # The noun would have to change too.
        ("Ann Ash had two steals .", "Ann Ash had two steals ."),
        # The second stands elsewhere once the first is longer.
        ("Ann Ash had 9 points and 13 rebounds.", "Ann Ash had 60 points and 12 rebounds."),
    ],
)
def test_only_certain_errors_are_repaired(table, wrong, right):
    flags = checker_for(table).check([wrong])
    assert flags
    assert repaired([wrong], flags) == [right]


def test_a_whole_text_is_checked_with_places_in_it(table):
    text = "Ann Ash had 60 points. She added 12 rebounds. Ann\nAsh had 99 points and 7 assists."
    found = check_text(table, text)
    assert [text[start:end] for (start, end), _ in found.placed] == ["99", "7"]
    points, assists = (flag.message for _, flag in found.placed)
    assert check_to_text(found).splitlines() == [
        "In 3 sentences, 2 places that the table does not confirm:",
        *("", "Ann Ash had 99 points and 7 assists.", f"  99: {points}", f"  7: {assists}"),
    ]
    told = {"kind": "number", "ground": "otherwise"}
    assert check_to_json(found) == {
        "schema": "longsum/table-check/1",
        "text": text,
        "flags": [
            {**told, "start": 58, "end": 60, "saw": "99", "message": points, "instead": "60"},
            {**told, "start": 72, "end": 73, "saw": "7", "message": assists, "instead": "11"},
        ],
        "repaired": text.replace("99", "60").replace("7", "11"),
    }


def test_a_table_of_anything_is_checked_by_its_phrases(example_table):
    table = example_table("planets")
    assert flagged(table, "Mars has two moons and a mean temperature of -65 °C.") == []
    assert flagged(
        table, "Mars has three moons.", "The orbital period of Earth is 360.5 days."
    ) == [
        ("number", "three"),
        ("number", "360.5"),
    ]
    assert flagged(table, "Mars was first seen through 20 telescopes.") == []
    counted = RecordType("cities", "number of cities")
    regions = make_table([(Entity(name, "region"), counted, "3") for name in ("North", "South")])
    for counts, flags in (("cities", [("number", "4")]), ("berries", [])):
        assert flagged(regions, f"North has 4 {counts}.") == flags


@pytest.mark.parametrize(
    "name",
    [
        *("Sixers", "Philly", "Cavs", "LA Clippers", "Clips", "Knickerbockers", "L.A. Lakers"),
        *("Mavs", "OKC", "T-Wolves", "Blazers", "Dubs", "Heat", "Utah"),
    ],
)
def test_other_teams_are_recognized_by_their_names(table, name):
    assert flagged(table, f"The Eagles will host the {name} next.") == [("name", name)]


@pytest.mark.parametrize("text", ["", " ", "…", "( ( (", "9" * 5000, "a " * 5000, "\u202e" * 50])
def test_any_text_is_checked(table, text):
    found = check_text(table, text)
    assert found.placed == []
    assert check_to_text(found).startswith("Nothing in ")


@pytest.mark.parametrize("name", ["planets", "elements", "smart-grants"])
def test_reports_of_other_tables_have_no_flag_and_their_numbers_are_read(example_table, name):
    table = example_table(name)
    sentences = [each.text for each in realize(table, plan_by_rules(table)).sentences]
    assert checker_for(table).check(sentences) == []
    reads = matcher_for(table).read(sentences)
    relations = [relation for read in reads for relation in read.relations]
    assert all(relation.record is not None for relation in relations)
    assert len(relations) > 5


@pytest.mark.slow
@pytest.mark.data
def test_reports_of_real_games_have_no_flag(real_games):
    for game in real_games:
        table = game_table(game)
        sentences = [each.text for each in realize(table, plan_by_rules(table)).sentences]
        assert checker_for(table).check(sentences) == [], table.title


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Flo Ash was the only other player in double figures.", [("word", "only other")]),
        # Of the three in double figures two started.
        ("Di Dogwood was the only other starter in double figures.", []),
        ("Bo Birch was the only other player in double figures.", []),
    ],
)
def test_the_only_other_player_depends_on_the_starters(game, sentence, expected):
    game["box_score"]["PTS"]["5"] = "14"
    assert flagged(game_table(game), sentence) == expected
