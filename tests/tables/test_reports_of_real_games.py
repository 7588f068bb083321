"""Every number and every claim of the reports of the sixty real games, from their raw JSON.

Nothing of longsum reads the game here: what a report says is compared with the JSON itself.
"""

import re
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from typing import Any

import pytest

from longsum.tables.games.rotowire import game_table
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.report import report_to_json
from longsum.tables.templates import realize

pytestmark = pytest.mark.data

Raw = dict[str, Any]

WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
COUNTED = {"points": "PTS", "rebounds": "REB", "assists": "AST", "steals": "STL", "blocks": "BLK"}
NUMBER = rf"(\d+|{'|'.join(WORDS)})"


@pytest.fixture(scope="module")
def reports(real_games: list[Raw]) -> list[tuple[Raw, Raw]]:
    made = []
    for raw in real_games:
        table = game_table(raw)
        made.append((raw, report_to_json(realize(table, plan_by_rules(table)))))
    return made


def value_of(text: str) -> int:
    return WORDS.index(text.lower()) if text.lower() in WORDS else int(text)


def teams_of(raw: Raw) -> dict[str, Raw]:
    lines = (raw["home_line"], raw["vis_line"])
    return {f"{line['TEAM-CITY']} {line['TEAM-NAME']}": line for line in lines}


def row_of(raw: Raw, name: str) -> str:
    (row,) = (key for key, value in raw["box_score"]["PLAYER_NAME"].items() if value == name)
    return row


def raw_value(raw: Raw, entity: str, type_name: str) -> str:
    if type_name == "MATCH-DATE":
        return raw["day"]
    if type_name == "TEAM-SIDE":
        home = raw["home_line"]
        return "home" if entity == f"{home['TEAM-CITY']} {home['TEAM-NAME']}" else "away"
    if type_name.startswith("TEAM-"):
        return teams_of(raw)[entity][type_name]
    return raw["box_score"][type_name.removeprefix("PLAYER-")][row_of(raw, entity)]


def column_of(raw: Raw, column: str, city: str | None = None) -> list[int]:
    box = raw["box_score"]
    return [
        int(value)
        for row, value in box[column].items()
        if value != "N/A" and city in (None, box["TEAM_CITY"][row])
    ]


def spans_of(report: Raw) -> Iterator[tuple[Raw, Raw, Raw, str]]:
    for sentence in report["sentences"]:
        for cell in sentence["cells"]:
            for span in cell["spans"]:
                yield sentence, cell, span, sentence["text"][span["start"] : span["end"]]


def test_every_span_states_the_value_of_the_raw_game(reports):
    checked = 0
    for raw, report in reports:
        for sentence, cell, span, text in spans_of(report):
            value = raw_value(raw, cell["entity"], cell["type"])
            if span["says"] == "rank":
                assert text == "game-high"
            elif span["says"] == "total":
                same = (
                    int(raw_value(raw, other["entity"], other["type"]))
                    for _, other, also, _ in spans_of({"sentences": [sentence]})
                    if (also["start"], also["end"]) == (span["start"], span["end"])
                )
                # What both teams had is said once.
                assert sum(same) in (int(text), 2 * int(text))
            elif cell["type"] == "MATCH-DATE":
                month, day, year = (int(part) for part in value.split("_"))
                when = date(2000 + year, month, day)
                assert text == f"{when:%A}, {when:%B} {day}, {when.year}"
            elif cell["type"] == "TEAM-SIDE":
                assert text == {"home": "host", "away": "visiting"}[value]
            elif cell["type"] == "PLAYER-START_POSITION":
                assert value == "N/A"
                assert text.lower() in ("off the bench", "came off the bench", "in reserve")
            elif value.isdigit():
                assert value_of(text) == int(value)
                checked += 1
            else:
                assert text == value
    assert checked > 60 * 60


def lines_of(raw: Raw) -> dict[str, Raw]:
    """Team lines by every name that a report may use; both teams of a game have different ones."""
    named = {}
    for full, line in teams_of(raw).items():
        named |= {full: line, line["TEAM-NAME"]: line, line["TEAM-CITY"]: line}
    return named


def test_the_reported_winner_is_right(reports):
    for raw, report in reports:
        first = report["sentences"][0]["text"]
        found = re.match(
            r"The (.+?) \(\d+-\d+\) (\w+(?: past| out| from behind to beat)?) "
            r"the (?:host|visiting) (.+?) \(\d+-\d+\) (\d+)-(\d+)( in overtime)? on ",
            first,
        )
        assert found, first
        lines = lines_of(raw)
        winner, loser = lines[found[1]], lines[found[3]]
        assert (int(found[4]), int(found[5])) == (int(winner["TEAM-PTS"]), int(loser["TEAM-PTS"]))
        margin = int(found[4]) - int(found[5])
        assert margin > 0
        close, wide = margin <= 3, margin >= 20
        regular = sum(int(winner[f"TEAM-PTS_QTR{number}"]) for number in (1, 2, 3, 4))
        assert bool(found[6]) == (regular < int(winner["TEAM-PTS"]))
        behind = after(winner, 3) < after(loser, 3)
        assert (found[2] in ("rallied past", "came from behind to beat")) == behind
        if not behind and not found[6]:
            assert (found[2] in ("edged", "squeezed past")) == close
            assert (found[2] in ("routed", "blew out")) == wide


def after(line: Raw, quarters: int) -> int:
    return sum(int(line[f"TEAM-PTS_QTR{number + 1}"]) for number in range(quarters))


def test_how_the_lead_went_is_true(reports):
    """The winning team is the subject; its score comes second where it trailed."""
    places = {"the first quarter": 1, "halftime": 2, "three quarters": 3}
    verbs, bursts = set(), []
    for raw, report in reports:
        (text,) = (
            each["text"] for each in report["sentences"] if "after three quarters" in each["text"]
        )
        lines = lines_of(raw)
        subject = max((name for name in lines if text.startswith(f"The {name} ")), key=len)
        ours = lines[subject]
        (theirs,) = (line for line in teams_of(raw).values() if line is not ours)
        verb = ""
        for found in re.finditer(
            r"(led|trailed|stood level)|(\d+)(?:-(\d+))? (?:after|at) (the first quarter|halftime|"
            r"three quarters)",
            text,
        ):
            verb = found[1] or verb
            if found[1]:
                verbs.add(verb)
                continue
            scores = [after(line, places[found[4]]) for line in (ours, theirs)]
            told = [int(found[2]), int(found[3] or found[2])]
            assert told == (scores[::-1] if verb == "trailed" else scores), text
            assert {"led": told[0] > told[1], "trailed": told[0] > told[1]}.get(
                verb, told[0] == told[1]
            )
        for score, ordinal in re.findall(r"\((\d+-\d+) in the (second|third) quarter\)", text):
            quarter = "TEAM-PTS_QTR2" if ordinal == "second" else "TEAM-PTS_QTR3"
            both = sorted((int(line[quarter]) for line in (ours, theirs)), reverse=True)
            assert score == "{}-{}".format(*both)
            bursts.append(ordinal)
        won, lost = (int(line["TEAM-PTS_QTR4"]) for line in (ours, theirs))
        fourth = re.search(r"(\d+)-(\d+)(?: to force overtime)?\.$", text)
        assert fourth
        assert (int(fourth[1]), int(fourth[2])) == (max(won, lost), min(won, lost))
        lost_it = re.search(r"though|losing the fourth", text)
        assert won == lost if "drew" in text else (won < lost) == bool(lost_it), text
    assert verbs == {"led", "trailed", "stood level"}
    assert {*bursts} == {"second", "third"}


COMPARISONS = {
    r"more assists": ("TEAM-AST", 1),
    r"fewer assists": ("TEAM-AST", -1),
    r"more turnovers": ("TEAM-TOV", 1),
    r"fewer turnovers": ("TEAM-TOV", -1),
    r"outrebounded": ("TEAM-REB", 1),
    r"won the rebounding battle": ("TEAM-REB", 1),
    r"lost the rebounding battle": ("TEAM-REB", -1),
    r"\bled .*after the first quarter": ("TEAM-PTS_QTR1", 1),
    r"trailed .*after the first quarter": ("TEAM-PTS_QTR1", -1),
}


def test_comparisons_of_teams_are_true(reports):
    seen = set()
    for raw, report in reports:
        lines = lines_of(raw)
        for sentence in report["sentences"][1:]:
            text = sentence["text"].split(" though ")[0]
            if any(cell["type"].startswith("PLAYER") for cell in sentence["cells"]):
                continue
            subject = max(
                (name for name in lines if text.startswith((name, f"The {name}"))), key=len
            )
            ours = lines[subject]
            (theirs,) = (line for line in teams_of(raw).values() if line is not ours)
            for phrase, (column, sign) in COMPARISONS.items():
                if re.search(phrase, text):
                    seen.add(phrase)
                    assert (int(ours[column]) - int(theirs[column])) * sign > 0, text
            ordinals = ("first", "second", "third", "fourth")
            for number, ordinal in enumerate(ordinals, start=1):
                margin = int(ours[f"TEAM-PTS_QTR{number}"]) - int(theirs[f"TEAM-PTS_QTR{number}"])
                for verb, sign in (("won", 1), ("lost", -1)):
                    run = re.search(
                        rf"{verb} ((?:the \w+(?: quarter)? \d+-\d+(?:, | and )?)+)", text
                    )
                    if run and f"the {ordinal}" in run[1]:
                        assert margin * sign > 0, text
    assert len(seen) >= 7


def test_claims_about_players_are_true(reports):
    seen = {"lead": 0, "game": 0, "high": 0, "double": 0}
    for raw, report in reports:
        box = raw["box_score"]
        for sentence in report["sentences"]:
            text = sentence["text"]
            who = [cell["entity"] for cell in sentence["cells"] if cell["type"] == "PLAYER-PTS"]
            if not who:
                continue
            row = row_of(raw, who[0])
            city = box["TEAM_CITY"][row]
            if found := re.search(
                rf"(?:led|paced) .*?with (?:a \S+ of )?(?:a game-high )?{NUMBER}", text
            ):
                best = sorted(column_of(raw, "PTS", city))[-2:]
                assert best[0] < best[1] == value_of(found[1])
                seen["lead"] += 1
            if "all scorers" in text:
                best = sorted(column_of(raw, "PTS"))[-2:]
                assert best[0] < best[1] == int(box["PTS"][row])
                seen["game"] += 1
            for number, noun in re.findall(rf"game-high {NUMBER} (\w+)", text):
                best = sorted(column_of(raw, COUNTED[noun]))[-2:]
                assert best[0] < best[1] == value_of(number) == int(box[COUNTED[noun]][row])
                seen["high"] += 1
            tens = sum(int(box[column][row]) >= 10 for column in COUNTED.values())
            for kind, least in (("double-double", 2), ("triple-double", 3)):
                if kind in text:
                    assert tens == least
                    seen["double"] += 1
    assert min(seen.values()) > 10


def test_no_sentence_opens_like_the_one_before(reports):
    """Two in a row may open with one team, but with the same three words only if they are rare."""
    same = total = 0
    for _, report in reports:
        openings = [" ".join(each["text"].split()[:3]) for each in report["sentences"]]
        pairs = list(pairwise(openings))
        same += sum(one == other for one, other in pairs)
        total += len(pairs)
    assert same <= total // 100
