"""Delimited files with a schema, and the reports on them."""

import csv
import json
import lzma
import os
import re
from pathlib import Path

import pytest

from longsum.common.errors import LongsumError
from longsum.tables import Plan
from longsum.tables.inputs.rows import read_delimited
from longsum.tables.inputs.table_schema import parse_schema
from longsum.tables.matching.mentions import Mention
from longsum.tables.matching.phrase_statements import PhraseReader
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.templates import realize

EXAMPLES = Path(__file__).parents[2] / "examples" / "tables"
SIZES = parse_schema("{entity: name, columns: {size: }}")
SCHEMA = """
entity: name
columns: {size: {unit: km}, note: {kind: text}, day: {kind: date}, time: {best: low, unit: s}}
"""
ROWS = """name,size,note,day,time
Ada,12000,red,2020-02-01,9
Bea,7,"a, b",2020-02-02,8
Cleo,7,,2020-02-03,7
Dora,3,blue,,n/a
"""


@pytest.mark.data
def test_the_grants_are_those_of_the_report():
    root = os.environ.get("LONGSUM_DATA")
    path = Path(root or ".") / "gov_reports_examples" / "gao.jsonl.xz"
    if not root or not path.exists():
        pytest.skip("LONGSUM_DATA does not lead to gov_reports_examples")
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        (document,) = (d for d in map(json.loads, lines) if d["id"] == "gao-26-107841")
    told = [part for section in document["sections"] for part in section["paragraphs"]]
    told = [part.replace(" [a]", "") for part in told]
    rows = list(csv.reader((EXAMPLES / "smart-grants.csv").open(encoding="utf-8")))[1:]
    assert all(" ".join(row) in told for row in rows)


@pytest.fixture
def table():
    return read_delimited(ROWS, parse_schema(SCHEMA))


def say(table, *cells):
    return realize(table, Plan((tuple(table.index(*cell) for cell in cells),))).text


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        ([("Ada", "size")], "Ada has the highest size, 12,000 km."),
        ([("Dora", "size")], "Dora has the lowest size, 3 km."),
        ([("Bea", "note")], "The note of Bea is a, b."),
        ([("Cleo", "note")], "No note is given for Cleo."),
        ([("Ada", "day")], "The day of Ada is February 1, 2020."),
        (
            [("Ada", "size"), ("Bea", "size"), ("Cleo", "size")],
            "Ada has the highest size, 12,000 km, followed by Bea with 7 km and Cleo with 7 km.",
        ),
        (
            [("Cleo", "time"), ("Bea", "time")],
            "Cleo has the lowest time, 7 s, followed by Bea with 8 s.",
        ),
        ([("Bea", "size"), ("Ada", "size")], "The size is 7 km for Bea and 12,000 km for Ada."),
        (
            [("Bea", "size"), ("Bea", "note"), ("Bea", "day")],
            "For Bea, the size is 7 km (joint second highest), the note a, b and the day February "
            "2, 2020.",
        ),
        (
            [("Bea", "note"), ("Ada", "size"), ("Dora", "day")],
            "The note of Bea is a, b; Ada has the highest size, 12,000 km; and no day is given for "
            "Dora.",
        ),
    ],
)
def test_a_sentence(table, cells, text):
    assert say(table, *cells) == text


def test_rows_that_tie_for_first_share_the_rank():
    table = read_delimited("name,size\na,2\nb,2\nc,1\nd,0\n", SIZES)
    ab = [("a", "size"), ("b", "size"), ("c", "size")]
    assert say(table, *ab) == "A and b share the highest size, 2, followed by c with 1."
    # Not said of one alone, nor as if there were no other.
    assert say(table, ("a", "size")) == "A has the joint highest size, 2."
    assert say(table, ("a", "size"), ("c", "size")) == "The size is 2 for a and 1 for c."


def test_further_rows_that_tie_are_counted():
    rows = "".join(f"n{place},{5 if place < 5 else 1}\n" for place in range(9))
    table = read_delimited("name,size\n" + rows, SIZES)
    cells = [("n0", "size"), ("n1", "size"), ("n2", "size")]
    assert say(table, *cells) == "N0, n1, n2 and 2 others share the highest size, 5."
    assert say(table, *cells[:1], ("n8", "size")) == "The size is 5 for n0 and 1 for n8."


def test_a_number_states_the_type_whose_words_of_content_stand_near():
    schema = parse_schema("{entity: n, columns: {b: {phrase: length of the day}}}")
    reader = PhraseReader(read_delimited("n,b\nAda,5\n", schema))
    (found,) = reader.statements("length of a day : 5", [])
    assert (found.value, [*found.types.values()]) == (5, [("b",)])


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
def test_a_name_between_a_number_and_its_type_is_one_word_of_eight(order: slice) -> None:
    reader = PhraseReader(read_delimited("name,size\nAda,5\n", SIZES))
    for far, count in ((7, 1), (8, 0)):
        text = " ".join(["60", "Ada of Ur", *["far"] * far, "size"][order])
        start = text.index("Ada")
        found = reader.statements(text, [Mention(start, start + len("Ada of Ur"), ("Ada",), "n")])
        assert len(found) == count


def test_a_single_row_has_one_sentence_and_no_ranks():
    schema = parse_schema("{entity: n, columns: {a: , b: {phrase: size}}}")
    assert plan_by_rules(read_delimited("n,a,b\nAda,1,2\n", schema)).sentences == ((0, 1),)


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        *[(sign, f"{sign}{{}}") for sign in "$€£¥₹"],
        *[(sign, f"{{}}{sign}") for sign in "%‰°′″"],
        *[("kg", "{} kg"), ("%/a", "{} %/a")],
    ],
)
def test_a_unit_is_placed_as_it_is_written(unit, text):
    schema = parse_schema(json.dumps({"entity": "n", "columns": {"cost": {"unit": unit}}}))
    for number, said in (("9999", "9,999"), ("10000", "10,000"), ("1.5", "1.5")):
        table = read_delimited(f"n,cost\nAda,{number}\nBea,{number}0\n", schema)
        assert say(table, ("Ada", "cost")) == f"The cost of Ada is {text.format(said)}."


def test_separators_and_names_of_several_columns():
    schema = parse_schema("{entity: [first, last], group: team, side: at, columns: {n: }}")
    for separator in ",;\t":
        text = "first,last,team,at,n\nAnn,Ash,Reds,home,4\n".replace(",", separator)
        (record,) = read_delimited(text, schema).records
        who = record.entity
        assert (who.name, who.of, who.side, record.number) == ("Ann Ash", "Reds", "home", 4)
    with pytest.raises(LongsumError, match="'north' in line 2 as at; it must be home or away"):
        read_delimited(text.replace("home", "north"), schema)


def test_ten_thousand_rows_give_a_short_report():
    rows = "".join(f"row {number},{number}\n" for number in range(10_000))
    table = read_delimited("name,size\n" + rows, SIZES)
    report = realize(table, plan_by_rules(table))
    assert report.sentences[0].text.startswith("Row 9999 has the highest size, 9,999, followed by")
    assert len(report.sentences) == 10


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("name,size\n", "no column 'note'"),
        ("name,size,note,day,time\n", "has no rows"),
        (ROWS.replace("Bea", "Ada"), "two values of 'size' for 'Ada'"),
        (ROWS.replace("12000", "many"), "'many' in line 2, column 'size', which is not a number"),
        (ROWS.replace("12000", '"1.2.3"'), "in line 2, column 'size'"),
        (ROWS.replace("2020-02-01", "1 Feb"), "which is not a date"),
        (ROWS.replace("red", "red,red"), "6 cells in line 2, but 5 columns"),
        (ROWS.replace("Ada", " "), "has no name for the row in line 2"),
        (ROWS.replace('"a, b"', '"a, b'), "is not valid CSV"),
        (ROWS.replace("note", "size", 1), "two columns 'size'"),
        (ROWS.replace("red", "x" * 501), "more than 500 characters in line 2, column 'note'"),
        (
            ROWS.replace("Ada", "A" * 501),
            "a name of more than 500 characters",
        ),
        ("", "no column 'name'"),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(text, problem):
    with pytest.raises(LongsumError) as caught:
        read_delimited(text, parse_schema(SCHEMA), "t.csv")
    assert problem in str(caught.value)
    assert str(caught.value).startswith(("t.csv ", "The table "))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [", "is not valid YAML"),
        ("- 1", "cannot be used"),
        ("{entity: a, kind: group, columns: {b: }}", "gives the rows the kind 'group'"),
        ("entity: name", "'columns': field required"),
        ("{entity: name, columns: {}}", "'columns'"),
        ("{entity: name, columns: {a: {kind: colour}}}", "'columns.a.kind'"),
        ("{entity: name, colums: {a: }}", "no field 'colums'"),
        ("{entity: name, columns: {a: {units: km}}}", "units"),
        ("!!python/object/apply:os.system ['true']", "is not valid YAML"),
    ],
)
def test_a_wrong_schema_is_refused(text, problem):
    with pytest.raises(LongsumError, match=re.escape(problem)):
        parse_schema(text)
