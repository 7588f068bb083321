"""Which cell a number in a text states, and about whom."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.tables import Entity, RecordType, Table, make_table
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.games.rotowire import game_table
from longsum.tables.matching.spoken_numbers import written_like
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.templates import realize

PTS = RecordType("PLAYER-PTS", "player points scored")


def said(table: Table, *sentences: str) -> list[tuple[str, str, str]]:
    """Return entity, type and number of what sentences state about one cell each."""
    return [
        (relation.entities[0], relation.types[0].split("-", 1)[1], relation.said)
        for read in matcher_for(table).read(sentences)
        for relation in read.relations
        if relation.form in ("value", "pair") and relation.entities and len(relation.types) == 1
    ]


def names(table: Table, *sentences: str) -> list[list[str | None]]:
    """Return the entities that sentences name, pronouns included."""
    return [[each.entity for each in read.named] for read in matcher_for(table).read(sentences)]


def players(*full: str) -> list[Entity]:
    return [
        Entity(name, "player", "home", "X", aliases=(name.split()[1], name.split()[0]))
        for name in full
    ]


KNOWN = players(
    *("Luka Dončić", "Karl-Anthony Towns", "Shaquille O’Neal", "C.J. Miles", "Larry Nance Jr."),
    *("Jarrett Jack", "Dennis Schroder", "Ish Smith", "Isaiah Thomas", "Kevin Love"),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Luka Doncic scored.", ["Luka Dončić"]),
        ("Dončić scored.", ["Luka Dončić"]),
        ("Karl - Anthony Towns scored .", ["Karl-Anthony Towns"]),
        ("Shaquille O'Neal scored.", ["Shaquille O’Neal"]),
        ("O ' Neal scored .", ["Shaquille O’Neal"]),
        ("CJ Miles scored.", ["C.J. Miles"]),
        ("C.J . Miles scored .", ["C.J. Miles"]),
        ("Larry Nance Jr scored.", ["Larry Nance Jr."]),
        ("Larry Nance scored.", ["Larry Nance Jr."]),
        ("Nance 's points", ["Larry Nance Jr."]),
        # Slips do not hide names.
        ("Jarret Jack and Dennis Schroeder scored.", ["Jarrett Jack", "Dennis Schroder"]),
        # Names of other people, and a word.
        *(("Josh Smith scored.", [None]), ("Isaiah Canaan scored.", [None])),
        ("The heat of love.", []),
    ],
)
def test_names_are_found_however_they_are_spelt(text, expected):
    assert names(make_table((each, PTS, "1") for each in KNOWN), text) == [expected]


def test_a_shared_last_name_is_the_one_named_before(table):
    found = names(table, "Flo Ash came in.", "Ash had four points.", "Ann Ash too.", "Ash had 60.")
    assert found == [["Flo Ash"], ["Flo Ash"], ["Ann Ash"], ["Ann Ash"]]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ann Ash had 60 points, 12 rebounds and a steal.", "60 PTS, 12 REB, a STL"),
        ("Ann Ash had a lone steal and a single block.", "a STL, a BLK"),
        ("Ann Ash had a 60 - point , 12 - rebound double - double .", "60 PTS, 12 REB"),
        ("Ann Ash scored 60 ( 20 - 30 FG , 5 - 9 3Pt ) .",
         "60 PTS, 20 FGM, 30 FGA, 5 FG3M, 9 FG3A"),
        ("Ann Ash went 20-of-30 from the field and 15 for 16 from the line.",
         "20 FGM, 30 FGA, 15 FTM, 16 FTA"),
        ("Ann Ash hit five three-pointers and a pair of free throws.", "five FG3M, pair FTM"),
        ("Ann Ash hit 67 percent of her shots in 30 minutes.", "67 FG_PCT, 30 MIN"),
        ("Ann Ash grabbed four offensive boards and eight defensive ones.", "four OREB"),
    ],
)  # fmt: skip
def test_numbers_of_a_player_state_types_by_the_words_around(table, sentence, expected):
    pairs = [each.split(" ") for each in expected.split(", ")]
    assert said(table, sentence) == [("Ann Ash", type_, number) for number, type_ in pairs]


@pytest.mark.parametrize(("words", "kind"), [(60, "FG3"), (61, "FG")])
def test_what_a_number_counts_is_within_sixty_characters(table, words, kind):
    behind = f"{'from the field x':x<{words - len(' deep')}} deep"
    sentence = f"Ann Ash hit 20 - of - 30 {behind[1:]} shots ."
    assert said(table, sentence)[0] == ("Ann Ash", f"{kind}M", "20")


HOME, AWAY = "Weston Wolves", "Easton Eagles"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The Wolves ( 10 - 3 ) beat the Eagles ( 1 - 12 ) , 104 - 98 .",
         [(HOME, "WINS", "10"), (HOME, "LOSSES", "3"), (AWAY, "WINS", "1"), (AWAY, "LOSSES", "12"),
          (HOME, "PTS", "104"), (AWAY, "PTS", "98")]),
        ("The Eagles lost to Weston, 104-98.", [(HOME, "PTS", "104"), (AWAY, "PTS", "98")]),
        ("Weston outscored Easton 30-24 in the second quarter.",
         [(HOME, "PTS_QTR2", "30"), (AWAY, "PTS_QTR2", "24")]),
        ("The Wolves lost the first 25-20 and won the fourth 30-25.",
         [(AWAY, "PTS_QTR1", "25"), (HOME, "PTS_QTR1", "20"),
          (HOME, "PTS_QTR4", "30"), (AWAY, "PTS_QTR4", "25")]),
        ("The hosts held the Eagles to 44 percent from the field and 40 percent from deep.",
         [(AWAY, "FG_PCT", "44"), (AWAY, "FG3_PCT", "40")]),
        ("The Wolves forced the Eagles into 14 turnovers, while committing nine of their own.",
         [(AWAY, "TOV", "14"), (HOME, "TOV", "nine")]),
        ("Weston tied Easton 44-44 on the glass.", [(HOME, "REB", "44"), (AWAY, "REB", "44")]),
        ("Weston had 22 assists to nine turnovers.", [(HOME, "AST", "22"), (HOME, "TOV", "nine")]),
        ("Easton shot 44, 40 and 80 percent from the field, deep and the free throw line.",
         [(AWAY, "FG_PCT", "44"), (AWAY, "FG3_PCT", "40"), (AWAY, "FT_PCT", "80")]),
    ],
)  # fmt: skip
def test_numbers_of_teams(table, sentence, expected):
    assert said(table, sentence) == expected


@pytest.mark.parametrize(
    ("sentences", "holders"),
    [
        (["Di Dogwood led the Wolves with 50 points."], ["Di Dogwood"]),
        (["Di Dogwood started.", "He had 50 points."], ["Di Dogwood"]),
        (["Di Dogwood led the way for Weston, as she had 50 points."], ["Di Dogwood"]),
        (["Ed Elm and Di Dogwood had 50 points apiece."], ["Ed Elm", "Di Dogwood"]),
        (["The Wolves got 50 points and four rebounds from Ed Elm."], ["Ed Elm", "Ed Elm"]),
        (["Ann Ash and Bo Birch played, with the former adding 12 rebounds and the latter three "
          "rebounds."], ["Ann Ash", "Bo Birch"]),
        (["Ann Ash, in place of Cy Cedar, had 60 points."], ["Ann Ash"]),
        (["Ed Elm and Di Dogwood and Ed Elm had 50 points apiece."], ["Di Dogwood", "Ed Elm"]),
        (["Ann Ash scored, with the latter adding 12 rebounds."], ["Ann Ash"]),
        (["With 60 points, Ann Ash led."], ["Ann Ash"]),
        (["Di Dogwood started.", "With 50 points, it was over."], ["Di Dogwood"]),
        (["While Ann Ash had 60 points, Di Dogwood had 50 points."], ["Ann Ash", "Di Dogwood"]),
        (["Jane Doe had 60 points."], []),
        (["They had 22 assists."], []),
    ],
)  # fmt: skip
def test_whom_a_number_is_about(table, sentences, holders):
    assert [entity for entity, _, _ in said(table, *sentences)] == holders


@pytest.mark.parametrize(
    "sentence",
    [
        "Ann Ash is averaging 20 points over the last three games.",
        "Ann Ash has combined for 100 points in the last two games.",
        "There were 11 ties and 12 lead changes.",
        "The Wolves have won four of their last five games.",
        "The Wolves had a 20 - point lead with 7 minutes left .",
        "Ann Ash sat down when there were 7 minutes left .",
        "The bench chipped in with 33 points.",
        "Ann Ash hit from three - point range in the 2015 - 16 season .",
    ],
)
def test_statements_that_the_table_cannot_make_are_no_relations(table, sentence):
    assert said(table, sentence) == []


SPOKEN = {"PTS": "points", "REB": "rebounds", "AST": "assists", "BLK": "blocks", "TO": "turnovers"}


@given(st.lists(st.integers(0, 19), min_size=len(SPOKEN), max_size=len(SPOKEN)), st.data())
def test_every_value_of_a_player_is_found_in_any_dress(values, data):
    known = players("Ann Ash", "Bo Birch")
    types = [RecordType(f"PLAYER-{stat}", stat) for stat in SPOKEN]
    cells = [(known[0], type_, str(value)) for type_, value in zip(types, values, strict=True)]
    table = make_table([*cells, (known[1], types[0], "99")], kind="game")
    order = data.draw(st.permutations(range(len(types))))
    like = data.draw(st.sampled_from(["12", "twelve"]))
    space = data.draw(st.sampled_from(["", " "]))
    nouns = list(SPOKEN.values())
    parts = [f"{written_like(values[place], like)} {nouns[place]}" for place in order]
    sentence = f"Ann Ash finished with {f'{space}, '.join(parts)}{space}."
    (read,) = matcher_for(table).read([sentence])
    assert [relation.record for relation in read.relations] == order


def test_the_cells_of_templates_are_those_they_were_written_from(table):
    """The realizer knows which record each number states; the matcher must find the same one."""
    report = realize(table, plan_by_rules(table))
    reads = matcher_for(table).read([sentence.text for sentence in report.sentences])
    found = wanted = 0
    for sentence, read in zip(report.sentences, reads, strict=True):
        by_place = {relation.span: relation.record for relation in read.relations}
        for span in sentence.spans:
            if span.part == "total":
                continue
            if (span.start, span.end) in by_place:
                assert by_place[span.start, span.end] == span.record, sentence.text
                found += 1
            wanted += sentence.text[span.start].isdigit()
    assert found >= wanted > 20


def test_two_games_do_not_share_context(table):
    matcher = matcher_for(table)
    matcher.read(["Ann Ash scored."])
    assert said(replace(table), "He had 60 points.") == []


def test_a_sum_of_which_a_part_is_missing_is_not_known(game):
    sentence = "The Wolves had 20 points in the first half."
    game["home_line"]["TEAM-PTS_QTR2"] = "N/A"
    (missing,) = matcher_for(game_table(game)).read([sentence])[0].relations
    assert (missing.types, missing.has) == (("TEAM-PTS_QTR1", "TEAM-PTS_QTR2"), None)
    game["home_line"]["TEAM-PTS_QTR2"] = "1"
    (known,) = matcher_for(game_table(game)).read([sentence])[0].relations
    assert known.has == 21
