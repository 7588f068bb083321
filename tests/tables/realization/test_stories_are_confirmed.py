"""The templates' statements about leads and sums are confirmed, and similar wrong ones are not."""

import re
from collections.abc import Iterator

import pytest

from invented_games import GAMES
from longsum.tables.checks.text_checks import checker_for
from longsum.tables.games.rotowire import game_table
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.realization.checked_realization import SentenceCheck
from longsum.tables.report import ReportSentence
from longsum.tables.table import Table
from longsum.tables.templates import realize


def told(word: str) -> Iterator[tuple[Table, SentenceCheck, ReportSentence]]:
    """Yield the first sentence with a word from the report of each game, if there is one."""
    for game in GAMES[:12]:
        table = game_table(game)
        sentences = realize(table, plan_by_rules(table)).sentences
        if found := next((each for each in sentences if word in each.text), None):
            yield table, SentenceCheck(checker_for(table)), found


@pytest.mark.parametrize(
    ("word", "old", "new"),
    [
        (" after three quarters", " led ", " trailed "),
        (" after three quarters", " after three quarters", " at the end of the third"),
        (", a combined ", ", a combined ", ", a season-high "),
        (", a combined ", "scored", "combined to score a season-high"),
        # A wrong sum.
        (", a combined ", r"\d+\.$", lambda total: f"{int(total[0][:-1]) + 1}."),
    ],
)
def test_as_it_is_and_not_otherwise(word: str, old: str, new) -> None:
    tried = 0
    for _, check, sentence in told(word):
        assert check.passed(sentence.text, sentence.records, []), sentence.text
        if (wrong := re.sub(old, new, sentence.text)) != sentence.text:
            assert not check.passed(wrong, sentence.records, []), wrong
            tried += 1
    assert tried > 1


def test_a_comeback_is_one_that_the_quarters_show(game: dict[str, dict[str, str]]) -> None:
    """The hosts win after trailing in the first quarter, or never."""
    for first, right in (("10", True), ("40", False)):
        home, away = game["home_line"], game["vis_line"]
        away |= {f"TEAM-PTS_QTR{number}": "20" for number in range(1, 5)} | {"TEAM-PTS": "80"}
        home |= {f"TEAM-PTS_QTR{number}": "30" for number in range(2, 5)}
        home |= {"TEAM-PTS_QTR1": first, "TEAM-PTS": str(90 + int(first))}
        table = game_table(game)
        check = SentenceCheck(checker_for(table))
        hosts, guests = table.of_kind("team")
        points = [table.index(each.name, "TEAM-PTS") for each in (hosts, guests)]
        scores = f"{90 + int(first)}-80"
        text = f"The {hosts.name} rallied past the {guests.name} {scores}."
        planned = [index for index in points if index is not None]
        assert bool(check.passed(text, planned, [])) is right
        lost = f"The {guests.name} rallied past the {hosts.name} {scores}."
        assert not check.passed(lost, planned, [])


def test_no_team_leads_itself() -> None:
    tried = 0
    for table, check, sentence in told(" after three quarters"):
        names = [each.aliases[0] for each in table.of_kind("team")]
        mine = next(name for name in names if f" {name} " in sentence.text.split(" the ")[0])
        (other,) = (name for name in names if name != mine)
        wrong = sentence.text.replace(f" the {other} ", f" the {mine} ", 1)
        assert wrong != sentence.text
        assert not check.passed(wrong, sentence.records, []), wrong
        tried += 1
    assert tried > 1
