"""What games are told as, and what texts about them are read as, is what it was."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from invented_games import GAMES
from longsum.tables.checks.text_checks import checker_for, matcher_for
from longsum.tables.games.rotowire import game_table
from longsum.tables.matching.matcher import Relation
from longsum.tables.plan import Plan
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.planning.run_planning import reference_sentences
from longsum.tables.table import Table
from longsum.tables.templates import realize


def changed(game: dict[str, Any], **ours: int) -> Table:
    """Return a game whose hosts have other numbers; a number of quarters is added to each."""
    line = game["home_line"]
    for column, number in ours.items():
        line[f"TEAM-{column}"] = str(number)
    return game_table(game)


def test_reports_are_what_they_were(game, as_before) -> None:
    lines = []
    for each in GAMES[:8]:
        table = game_table(each)
        for sentence in realize(table, plan_by_rules(table)).sentences:
            spans = (f"{span.record}@{span.start}" for span in sentence.spans)
            lines.append(f"{sentence.text}  {' '.join(spans)}")
    for scores in ({"PTS": 120}, {"PTS": 98}, {"PTS": 80}, {"PTS": 97, "PTS_QTR1": 19}):
        table = changed(game, **scores)
        lines += [each.text for each in realize(table, plan_by_rules(table)).sentences[:4]]
    # Both were level at 99, and scored on.
    game["vis_line"] |= {"TEAM-PTS": "110", "TEAM-PTS_QTR4": "26"}
    table = changed(game, PTS=112, PTS_QTR1=21, PTS_QTR4=24)
    lines += [each.text for each in realize(table, plan_by_rules(table)).sentences[:4]]
    as_before("table-reports", "\n".join(lines) + "\n")


def test_sentences_of_any_plan_are_what_they_were(table, as_before) -> None:
    drawn, lines = Random(4), []
    entities = [[*table.of_entity(each.name)] for each in table.entities]
    for _ in range(250):
        told = drawn.sample(entities, drawn.choice([1, 1, 2, 2, 3]))
        same = drawn.random() < 0.5
        own = sorted({table.records[index].type.name for index in told[0]})
        names = drawn.sample(own, min(3, len(own)))
        plan = [
            index
            for of in told
            for index in drawn.sample(of, drawn.randint(1, min(7, len(of))))
            if not same or table.records[index].type.name in names
        ] or told[0][:2]
        lines.append(realize(table, Plan((tuple(plan), tuple(plan[:1])))).text)
    as_before("table-sentences", "\n".join(lines) + "\n")


def read(relation: Relation) -> str:
    """Return what a number was read as, on one line."""
    who, what = " & ".join(relation.entities), " + ".join(relation.types)
    more = f" unless {relation.reason}" if relation.reason else ""
    sure = "" if relation.sure else ", not surely"
    return f"{relation.said} {relation.form} of {who}: {what} = {relation.has}{sure}{more}"


def test_texts_are_read_as_they_were(as_before) -> None:
    lines = []
    for game in GAMES[:6]:
        own = game_table(game)
        sentences = reference_sentences(game)
        checker = checker_for(own)
        for each in matcher_for(own).read(sentences):
            lines += [sentences[each.number], *(f"  {read(found)}" for found in each.relations)]
        wrong = [_raised(sentence) for sentence in sentences]
        lines += [
            f"  {flag.kind} {flag.ground} {flag.saw} -> {flag.instead}: {flag.message}"
            for flag in checker.check(wrong)
        ]
    as_before("table-readings", "\n".join(lines) + "\n")


def _raised(sentence: str) -> str:
    return " ".join(str(int(word) + 1) if word.isdigit() else word for word in sentence.split(" "))


@pytest.mark.data
def test_references_of_real_games_are_read_as_they_were(real_games, as_before) -> None:
    found, flags = Counter[str](), Counter[str]()
    for game in real_games:
        table, sentences = game_table(game), reference_sentences(game)
        for each in matcher_for(table).read(sentences):
            for relation in each.relations:
                right = "right" if relation.value == relation.has else "otherwise"
                sure = "sure" if relation.sure else "unsure"
                what = "+".join(relation.types)
                who = len(relation.entities)
                found[f"{relation.form} {what} {who} {right} {sure} {relation.reason}"] += 1
        flags.update(f"{flag.kind} {flag.ground}" for flag in checker_for(table).check(sentences))
        plan = plan_by_rules(table)
        found["entries of plans"] += sum(map(len, plan.sentences))
        found["words of reports"] += len(realize(table, plan).text.split())
    counted = [f"{name}: {count}" for name, count in sorted((found + flags).items())]
    as_before("table-readings-of-real-games", "\n".join(counted) + "\n")
