"""Reports on tables, and readings of texts about games, are as before."""

import json
from collections import Counter
from itertools import product
from random import Random

import pytest

from invented_games import GAMES
from longsum.common.errors import LongsumError
from longsum.tables.annotated_text import MONTHS
from longsum.tables.checks.checking import Flag
from longsum.tables.checks.text_checks import checker_for, matcher_for
from longsum.tables.games.rotowire import game_table
from longsum.tables.inputs.rows import read_delimited, read_guessed
from longsum.tables.inputs.table_schema import parse_schema
from longsum.tables.matching.matcher import Relation
from longsum.tables.plan import Plan
from longsum.tables.planning.planners import plan_by_rules, untold_notice
from longsum.tables.planning.run_planning import reference_sentences
from longsum.tables.table import Table
from longsum.tables.templates import realize

from .checks.test_checking import FLAGS


def changed(game: dict, **ours: int) -> Table:
    """Return a game with other numbers for the hosts; a number of quarters is added to each."""
    line = game["home_line"]
    for column, number in ours.items():
        line[f"TEAM-{column}"] = str(number)
    return game_table(game)


def test_reports_are_the_same_as_before(game, as_before) -> None:
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


LEADS = (-12, -11, -8, -7, -3, -1, 0, 1, 2, 3, 4, 6, 7, 8, 11, 12)
"""How far apart two teams are in a quarter: about where they are told in other words."""
ABOUT = {"PTS": (10, 12, 34, 35, 36), "FTM": (7, 8), "FG3M": (2, 3), "MIN": (12, 20, 21, 41, 42)}
"""The same of players."""


def test_reports_of_games_near_thresholds_are_the_same_as_before(game, as_before) -> None:
    drawn, lines = Random(6), []
    home, away = game["home_line"], game["vis_line"]
    for _ in range(60):
        for quarter in range(1, 5):
            away[f"TEAM-PTS_QTR{quarter}"] = "25"
            home[f"TEAM-PTS_QTR{quarter}"] = str(25 + drawn.choice(LEADS))
        for line in (home, away):
            total = sum(int(line[f"TEAM-PTS_QTR{quarter}"]) for quarter in range(1, 5))
            line["TEAM-PTS"] = str(total + (drawn.choice(range(1, 9)) if total == 100 else 0))
            for column, least in (("FG_PCT", 42), ("REB", 40), ("AST", 20), ("TOV", 12)):
                line[f"TEAM-{column}"] = str(least + drawn.choice(range(8)))
        for column, values in ABOUT.items():
            game["box_score"][column] |= {row: str(drawn.choice(values)) for row in "01345"}
        table = game_table(game)
        plan = plan_by_rules(table)
        texts = [each.text for each in realize(table, plan).sentences]
        told = (
            " ".join(table.records[index].type.name.split("-", 1)[1] for index in sentence)
            for sentence in plan.sentences
        )
        lines += [text for text in texts if "quarter" in text] + texts[:1]
        lines.append(" | ".join(told))
    as_before("table-bounds", "\n".join(lines) + "\n")


def test_sentences_of_any_plan_are_the_same_as_before(table, as_before) -> None:
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


COLUMNS = (
    *("Sales", "Unit Price", "Visits", "population", "Staff", "Score", "Growth", "Weight (kg)"),
    *("France", "Italy", "Peru", "2019", "2020", "ID", "Won", "High", "Net income", "Cost (€)"),
    *("Total fees", "Hours/week", "Liked it?", "Fit_index", "orders", "hours per week"),
)
TEXTS = ("yes no", "Asia Europe America", "0 1", "a b c d e f g h i j k l", "-")
FORMS = (
    *("{:.0f}", "{:.0f}", "{:.1f}", "${:.2f}", "{:.1f}%", "{:.0f} €"),
    *("{:,.0f}", "{:.7f}", "{:.4f}"),
)


def drawn_file(drawn: Random) -> str:
    """Return the text of a table with random columns and values."""
    rows = range(drawn.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 20, 70]))
    keys = {
        "Month": [MONTHS[row % 12][:4] for row in rows],
        "Year": [str(2001 + row) for row in rows],
        "Day": [f"2024-{row // 28 + 1:02d}-{row % 28 + 1:02d}" for row in rows],
        "Item": [f"n{row}" for row in rows],
        "Country": [f"n{row % 7}" for row in rows],
        "Region": [f"r{row % 3}" for row in rows],
        "Period": [str(2001 + row // 3) for row in rows],
        "Team": [drawn.choice(["Reds", "Blues", "Total"]) for _ in rows],
    }
    columns = {name: keys[name] for name in drawn.sample([*keys], drawn.choice([0, 1, 1, 2, 2]))}
    for name in drawn.sample(COLUMNS, drawn.randint(1, 5)):
        form, step, most = (drawn.choice(of) for of in (FORMS, [0, 0, 3], [3, 50, 9000]))
        least = drawn.choice([0, 0, -most])
        values = [drawn.randint(least, most) + row * step * most / len(rows) for row in rows]
        if drawn.random() < 0.3:
            values[drawn.choice(rows)] *= 20
        cells = [form.format(value) for value in values]
        if drawn.random() < 0.2:
            texts = drawn.choice(TEXTS).split()
            cells = [drawn.choice(texts) for _ in rows]
        if drawn.random() < 0.2:
            cells[drawn.choice(rows)] = ""
        columns[name] = cells
    lines = [*zip(*columns.values(), strict=True)]
    if drawn.random() < 0.2:
        lines.append(("Total", *lines[-1][1:]))
    separator = drawn.choice("\t;")
    return "\n".join(map(separator.join, [tuple(columns), *lines]))


def test_reports_of_files_are_the_same_as_before(as_before) -> None:
    drawn, lines = Random(4), []
    for _ in range(140):
        text = drawn_file(drawn)
        try:
            table, notes = read_guessed(text)
        except LongsumError as error:
            lines.append(str(error))
            continue
        plan = plan_by_rules(table)
        lines += [realize(table, plan).text, *notes, *untold_notice(table, plan)]
    as_before("table-files", "\n".join(lines) + "\n")


def test_plans_of_tables_of_every_size_are_the_same_as_before(as_before) -> None:
    drawn, lines = Random(5), []
    for rows, columns in product((3, 5, 6, 7, 8, 12, 13), (1, 4, 5, 8, 9)):
        for first in ("Sales 2", "200"):
            names = [f"{first}{column}" for column in range(columns)]
            cells = [
                [f"n{row}", *(str(drawn.randint(1, 40)) for _ in names)] for row in range(rows)
            ]
            text = "\n".join(map(";".join, [["name", *names], *cells]))
            plain = parse_schema(json.dumps({"entity": "name", "columns": dict.fromkeys(names)}))
            for table in (read_guessed(text)[0], read_delimited(text, plain)):
                plan = plan_by_rules(table)
                told = " ".join("-".join(map(str, sentence)) for sentence in plan.sentences)
                lines += [f"{rows} {columns}: {told}", *untold_notice(table, plan)]
    as_before("table-plans", "\n".join(lines) + "\n")


def read(relation: Relation) -> str:
    """Return the reading of a number, in one line."""
    who, what = " & ".join(relation.entities), " + ".join(relation.types)
    more = f" unless {relation.reason}" if relation.reason else ""
    sure = "" if relation.sure else ", not surely"
    return f"{relation.said} {relation.form} of {who}: {what} = {relation.has}{sure}{more}"


def told(flag: Flag) -> str:
    return f"{flag.kind} {flag.ground} {flag.saw} -> {flag.instead}: {flag.message}"


# What makes right sentences wrong, and wrong ones right.
CHANGES = [
    *(("", ""), ("Wolves", "Eagles"), ("Eagles", "Wolves"), ("Ann Ash", "Ed Elm")),
    *(("Bo Birch", "Di Dogwood"), ("points", "rebounds"), ("more", "fewer"), ("led", "trailed")),
    *(("beat", "lost to"), ("third", "second"), ("won", "lost"), ("win", "loss"), ("The", "She")),
    *(("team", "game"), ("The Wolves", "Weston"), (" had", " and Flo Ash had"), ("0", "1")),
]


# Beside those that are flagged: other ways of saying things, and what looks like them.
SENTENCES = (
    *("The Wolves lost 3 of their last 10 games.", "Ann Ash was 20 of 30 tonight."),
    *("The Wolves lost 104-98 to the Boston Celtics.", "They went on a 12 - 2 run."),
    *("The Wolves outscored the Eagles 14-9 in the paint.", "The Wolves won by six percent."),
    *("The Wolves won by six.", "The Wolves outscored the Eagles by six in the second quarter."),
    *("The Wolves forced 14 turnovers.", "Ann Ash was two points shy of 62."),
    *("Ann Ash made five buckets from beyond the arc.", "The Wolves had 9 of their own."),
    *("Ann Ash made 15 baskets from the foul line.", "Ann Ash made 20 baskets."),
    *("Bo Birch was second on the team in rebounds.", "Bo Birch sat with 7 minutes to play."),
    *("Easton came home after they lost to the Wolves.", "It rallied past the Wolves."),
    *("The Eagles had to stop after a win over the Wolves.", "John Doe had a double-double."),
    *("Cy Cedar scored in double figures.", "Help came off the bench.", "Bo Birch had a steal."),
    *("The Wolves had a game-high 44 rebounds.", "Cy Cedar led all scorers with 12 points."),
    *("Cy Cedar was second on the team with 12 points.", "Flo Ash led the bench with 4 points."),
    *("The bench scored 33 points.", "Ann Ash led the bench with 60 points."),
    *("The Wolves rallied past the Eagles.", "The Eagles rallied past the Wolves."),
    *("The Wolves had a 24-point third quarter and a 30-point final half.", "Ann Ash posted 60."),
    *("The Wolves led 60-55.", "The Wolves led 59-55.", "The Wolves led 74-59.", "They led 75-59."),
    *("Four players scored in double figures.", "The 9 - 14 run was theirs."),
    *("It is the 1900-1901 season.", "It is the 1899-1900 season."),
    *("The Wolves beat the Wolves 104-98.", "It was played on Friday, March 5, 2016."),
    *("Ann Ash and Bo Birch combined for 98 points.", "Both teams shot 44 percent."),
    *("The Wolves shot 46 percent from the field, 33 from deep and 80 from the line.",),
    *("Ann Ash hit 56 percent from deep and 94 percent of her free throws.",),
)


def test_sentences_are_read_and_flagged_as_they_were(game, table, as_before) -> None:
    texts = [
        sentence.replace(old, new)
        for sentence, _ in FLAGS
        for old, new in CHANGES
        if old in sentence
    ]
    lines = []
    gaps = changed(game | {"day": None}, PTS_QTR2="N/A", AST="N/A")
    for own, each in ((table, (*texts, *SENTENCES)), (gaps, SENTENCES)):
        for text in dict.fromkeys(each):
            lines += [text, *(f"  {told(flag)}" for flag in checker_for(own).check([text]))]
            (found,) = matcher_for(own).read([text])
            lines += [f"  {read(relation)}" for relation in found.relations]
            claims = [claim.place for claim in checker_for(own).claims(found)]
            lines += [f"  claimed: {text[slice(*found.words.span(*span))]}" for span in claims]
    as_before("table-flags", "\n".join(lines) + "\n")


def test_texts_are_read_as_they_were(as_before) -> None:
    lines = []
    for game in GAMES[:6]:
        own = game_table(game)
        sentences = reference_sentences(game)
        checker = checker_for(own)
        for each in matcher_for(own).read(sentences):
            lines += [sentences[each.number], *(f"  {read(found)}" for found in each.relations)]
        wrong = [_raised(sentence) for sentence in sentences]
        lines += [f"  {told(flag)}" for flag in checker.check(wrong)]
    as_before("table-readings", "\n".join(lines) + "\n")


def _raised(sentence: str) -> str:
    return " ".join(str(int(word) + 1) if word.isdigit() else word for word in sentence.split(" "))


@pytest.mark.data
def test_references_of_real_games_are_read_as_they_were(real_games, as_before) -> None:
    found, flags = Counter[str](), Counter[str]()
    for game in real_games[::4]:
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
