"""Parquet files and lists of records give the same tables as CSV with the same rows."""

import json
import sys
from pathlib import Path
from time import perf_counter

import pytest

from longsum.common.errors import LongsumError
from longsum.documents.readers import ReadLimits
from longsum.tables.inputs.read import read_schema, read_table
from longsum.tables.inputs.rows import read_delimited, read_guessed
from longsum.tables.inputs.table_schema import parse_schema
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.table import ALL
from longsum.tables.templates import realize

N_OF_NAMES = parse_schema("{entity: name, columns: {n: }}")
EXAMPLES = Path(__file__).parents[3] / "examples" / "tables"
RECORDS = [
    {"entity": "Ash", "type": "height", "value": 12, "side": "home"},
    {"entity": "Ash", "type": "leaves", "value": "round", "side": "home"},
    {"entity": "Dogwood", "type": "height", "value": 9.5, "side": "away"},
]


def written(tmp_path: Path, value: object) -> Path:
    path = tmp_path / "records.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_list_of_records_is_a_table(tmp_path):
    table, warnings = read_table(written(tmp_path, RECORDS))
    assert warnings == []
    height, leaves = table.types
    assert (height.name, height.kind, height.ranked) == ("height", "number", True)
    assert (leaves.kind, leaves.ranked) == ("text", False)
    assert [(each.name, each.side) for each in table.entities] == [
        ("Ash", "home"),
        ("Dogwood", "away"),
    ]
    assert table.record("Dogwood", "height").rank == 2
    assert table.record("Dogwood", "leaves").missing
    text = realize(table, plan_by_rules(table)).text
    assert "12" in text
    assert "9.5" in text


def test_no_name_commands_a_terminal_or_hides_itself(tmp_path):
    hostile = "\x1b]0;x\x07A\ud800\u202e\x9b31m"
    records = [{"entity": f"e{hostile}", "type": f"w{hostile}", "value": f"v{hostile}"}]
    table, _ = read_table(written(tmp_path, records))
    text = realize(table, plan_by_rules(table)).text
    said = {"phrase": f"p{hostile[:-6]}", "unit": f"km{hostile[-4:]}"}
    schema = parse_schema(json.dumps({"entity": "e", "title": "t\x9b", "columns": {"x": said}}))
    shown = [text, schema.title, schema.columns["x"].phrase, schema.columns["x"].unit]
    assert not set("".join(shown)) & set("\x1b\x07\x9b\u202e\ud800")


@pytest.mark.timing
def test_a_header_of_any_width_is_read_in_time():
    header = ",".join(map(str, range(100_000)))
    began = perf_counter()
    with pytest.raises(LongsumError, match="no column 'e'"):
        read_delimited(header, parse_schema("{entity: e, columns: {x: {}}}"))
    assert perf_counter() - began < 5


def test_records_and_rows_with_a_schema_are_one_table(tmp_path, example_table):
    rows = example_table("planets")
    renamed = (EXAMPLES / "planets.yaml").read_text().replace("entity: planet", "entity: entity")
    named = tmp_path / "schema.yaml"
    named.write_text(renamed)
    records = [
        {"entity": each.entity.name, "type": each.type.name, "value": each.value}
        for each in rows.records
    ]
    table, _ = read_table(written(tmp_path, records), schema=read_schema(named, ReadLimits()))
    assert [each.value for each in table.records] == [each.value for each in rows.records]
    assert [each.rank for each in table.records] == [each.rank for each in rows.records]
    assert table.types == rows.types


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ([{**RECORDS[0], "type": None}], "record 1, lacks"),
        ([{**RECORDS[0], "type": "side"}], "record 1, lacks"),
        ([{**RECORDS[0], "type": "entity"}], "record 1, lacks"),
        ([*RECORDS, RECORDS[0]], "two values of 'height'"),
        ([RECORDS[0], 3], "record 2, is '3'"),
        ([{**RECORDS[0], "value": [1]}], "a value or a side that is neither"),
        ([*RECORDS[:2], {**RECORDS[2], "side": "north"}], "must be home or away"),
        ([RECORDS[0], {**RECORDS[1], "side": "away"}], "on both sides"),
        ([{**RECORDS[0], "entity": "  "}], "no name"),
        (
            [{"entity": "a", "type": f"t{number}", "value": 1} for number in range(1001)],
            "more than 1,000 types",
        ),
    ],
)
def test_damaged_records_are_refused_in_one_sentence(changed, problem, tmp_path):
    with pytest.raises(LongsumError) as raised:
        read_table(written(tmp_path, changed))
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_parquet_file_is_read_as_its_rows_are(tmp_path, example_table):
    pytest.importorskip("pyarrow", reason="reading Parquet needs pyarrow")
    from pyarrow import csv, parquet

    path = tmp_path / "planets.parquet"
    parquet.write_table(csv.read_csv(EXAMPLES / "planets.csv"), path)
    schema = read_schema(EXAMPLES / "planets.yaml", ReadLimits())
    table, _ = read_table(path, schema=schema)
    rows = example_table("planets")
    assert [each.number for each in table.records] == [each.number for each in rows.records]
    assert [each.missing for each in table.records] == [each.missing for each in rows.records]
    path.write_bytes(path.read_bytes()[:300] + b"\0" * 200)
    with pytest.raises(LongsumError, match="not a readable Parquet file"):
        read_table(path, schema=schema)


def test_a_parquet_file_needs_a_schema_and_pyarrow(tmp_path, monkeypatch):
    path = tmp_path / "planets.parquet"
    path.write_bytes(b"PAR1 and nothing else PAR1")
    with pytest.raises(LongsumError, match="--schema"):
        read_table(path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(LongsumError, match="longsum\\[parquet\\]"):
        read_table(path, schema=read_schema(EXAMPLES / "planets.yaml", ReadLimits()))


@pytest.mark.parametrize(
    ("values", "mean", "money"),
    [
        (["1", "2"], "1.5", "1.50"),
        (["0.1", "0.4"], "0.25", "0.25"),
        (["1.25", "1.5"], "1.38", "1.38"),
        (["0.125", "0.250"], "0.188", "0.188"),
        (["1.12345", "1.12345"], "1.12", "1.12"),
        (["0"] * 99 + ["1"], "0.010", "0.01"),
        (["0"] * 999 + ["1"], "0.0010", "0.0010"),
        (["-1", "0"], "-0.5", "-0.50"),
        (["0", "0"], "0.0", "0.00"),
    ],
)
def test_a_mean_has_one_decimal_more_than_its_values_and_no_more_than_cents(values, mean, money):
    text = "name;n\n" + "".join(f"n{place};{value}\n" for place, value in enumerate(values))
    for unit, shown in (("km", mean), ("€", money)):
        columns = f"{{n: {{overall: mean, unit: {unit}}}}}"
        schema = parse_schema(f"{{entity: name, summary: true, columns: {columns}}}")
        assert read_delimited(text, schema).record(ALL, "average n").value == shown


@pytest.mark.parametrize(
    ("values", "change"),
    [
        ([5, 7], None),  # two values are no course
        ([5, 6, 7], "40"),
        ([5, 9, 5], "0"),
        ([5, *[9] * 10, 5], "0"),
        ([5, *[9] * 11, 5], None),
        ([4, 9, 2, 8, 1, 5], None),  # up and down
        ([-4, 1, 3], "7"),  # no percentage of what is below zero
        ([8, 4, 0], "-100"),
    ],
)
def test_a_column_changes_where_it_moves_from_its_first_value_to_its_last(values, change):
    schema = "{entity: m, time: true, summary: true, columns: {n: {overall: level}}}"
    text = "m;n\n" + "".join(f"n{place};{value}\n" for place, value in enumerate(values))
    record = read_delimited(text, parse_schema(schema)).record(ALL, "change of n")
    assert (record and record.value) == change
    if record:
        assert record.type.unit == ("" if values[0] < 0 else "%")


def test_no_table_has_more_cells_than_the_most(monkeypatch):
    monkeypatch.setattr("longsum.tables.inputs.rows.MOST_CELLS", 4)
    for read, most in (
        (lambda text: read_guessed(text)[0], 2),
        (lambda text: read_delimited(text, N_OF_NAMES), 4),
    ):
        rows = [f"n{place};1\n" for place in range(most + 1)]
        assert len(read(f"name;n\n{''.join(rows[:most])}").rows) == most
        with pytest.raises(LongsumError, match="more than 4 cells; give fewer rows"):
            read(f"name;n\n{''.join(rows)}")


def test_numbers_and_dates_are_read_with_a_schema_as_they_are_without() -> None:
    schema = parse_schema(
        "entity: name\ncolumns:\n  sales: {unit: €}\n  day: {kind: date}\n", "the schema"
    )
    text = "name;sales;day\nNorth;1.234,5 €;31.12.2024\nSouth;(45,0) €;1.1.2025\n"
    table = read_delimited(text, schema)
    assert [record.value for record in table.records] == [
        *("1234.5", "2024-12-31", "-45.0", "2025-01-01")
    ]
    for separator, number in ((";", 1.234), ("\t", 1234)):
        (record,) = read_delimited(f"name{separator}n\nNorth{separator}1,234\n", N_OF_NAMES).records
        assert record.number == number
    with pytest.raises(LongsumError, match=r"^The table has '1.*not a number"):
        read_delimited(text.replace("€", "£"), schema)
