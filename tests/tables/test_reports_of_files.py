"""Reports on typical CSV files: each claim is recomputed from the file."""

import re

import pytest

from longsum.tables import Entity, RecordType, make_table
from longsum.tables.amounts import amount
from longsum.tables.inputs.read import read_table
from longsum.tables.inputs.rows import read_delimited, read_guessed
from longsum.tables.inputs.table_schema import parse_schema
from longsum.tables.planning.planners import plan_by_rules, untold_notice
from longsum.tables.templates import realize
from report_claims import check_file
from sent_tables import FILES


def told(text):
    table, notes = read_guessed(text)
    plan = plan_by_rules(table)
    return realize(table, plan).text, [*notes, *untold_notice(table, plan)]


@pytest.fixture(params=sorted(FILES))
def path(request, tmp_path):
    path = tmp_path / request.param
    path.write_bytes(FILES[request.param])
    return path


def test_every_claim_of_a_report_is_true_of_its_file(path):
    claims, wrong, unread = check_file(path)
    assert (wrong, unread) == ([], [])
    assert claims > 2


def test_no_report_has_unnatural_phrases(path):
    table, _ = read_table(path)
    sentences = [each.text for each in realize(table, plan_by_rules(table)).sentences]
    text = " ".join(sentences)
    assert not re.search(r"(?i)\b(highest high|lowest low|highest lowest|average average)\b", text)
    assert not re.search(r"[$€£]-|\bTotal has the (?:high|most)", text)
    assert len(set(sentences)) == len(sentences)


def test_every_column_is_reported_or_named_in_a_notice(path):
    table, _ = read_table(path)
    plan = plan_by_rules(table)
    said = {table.records[index] for each in plan.sentences for index in each}
    types = {each for record in said for each in (record.type.name, record.type.of)}
    groups = {record.entity.of for record in said}
    notices = " ".join(untold_notice(table, plan))
    missing = [
        each.name for each in table.columns if each.name not in types and each.phrase not in groups
    ]
    for place, column in enumerate(missing):
        assert repr(column) in notices or place >= 8
    assert ("more" in notices) is (len(missing) > 8)


_AGAIN = ("01", "06", "12", "14", "20", "28")


@pytest.mark.parametrize(
    "text",
    [
        *(text.decode() for name, text in FILES.items() if name[:2] in _AGAIN),
        "item,price\na,$25047.15\nb,$3120.50\nc,$99.25\nd,$7\n",
        'name,x,y\na,12.400,"4,5"\nb,1.250,"12,7"\n',
    ],
)
def test_a_guess_given_as_a_schema_produces_the_same_report(text):
    first, notes = told(text)
    again = read_delimited(text, parse_schema(notes[0].split("replaces: ", 1)[1]))
    assert realize(again, plan_by_rules(again)).text == first


def test_a_wrong_total_is_a_note_and_is_not_ranked():
    text, notes = told("Item,Cost\nPens,10\nInk,20\nPaper,30\nGlue,5\nTotal,70\n")
    assert "'Total' has 70 for 'Cost', but the rows add up to 65" in notes
    assert text.startswith("Across the four items, cost totals 65. Paper has the highest cost, 30")
    # One that is right is no news, and averages are none.
    for row in ("Total,65", "Average,16.25"):
        _, notes = told(f"Item,Cost\nPens,10\nInk,20\nPaper,30\nGlue,5\n{row}\n")
        assert len(notes) == 1


@pytest.mark.parametrize(
    ("rows", "sums"),
    [
        ("Pay,9\nTip,2\nTotal income,11\nRent,3\nFood,4\nTotal costs,7\nNet income,4\nBoat,4\n",
         ["Total income", "Total costs", "Net income"]),
        ("Cash,10\nLoans,4\nNet debt,6\n", []),  # of two that are no sums
        ("Cash,10\nBonds,4\nNet debt,15\n", []),
    ],
)  # fmt: skip
def test_rows_that_add_up_others_are_totals(rows, sums):
    table, _ = read_guessed(f"Item,Cost\n{rows}")
    assert [each.name for each in table.of_kind("total")] == sums


def test_a_sum_may_leave_columns_empty_that_its_parts_have():
    income = "Pay,9,1\nTip,2,3\nTotal income,11,\n"
    rest = "Rent,3,5\nFood,4,6\nTotal costs,7,11\nNet income,4,\n"
    table, _ = read_guessed(f"Item,Cost,Age\n{income}{rest}")
    assert len(table.of_kind("total")) == 3


@pytest.mark.parametrize(
    ("columns", "changes"),
    [
        (
            "'2019': , '2020': , '2021': ",
            [("a", "2019 to 2021 in %", "100", "%"), ("d", "2019 to 2021", "5", "")],
        ),
        ("'2019': ", []),
        ("'2019': {kind: text}", []),
    ],
)
def test_a_row_changes_from_its_first_to_its_last_period(columns, changes):
    schema = f"{{entity: who, summary: true, periods: true, columns: {{{columns}}}}}"
    table = read_delimited(
        "who,2019,2020,2021\na,1,9,2\nb,,5,5\nc,4,4,\nd,0,1,5\n", parse_schema(schema)
    )
    assert [
        (each.entity.name, each.type.name.removeprefix("change from "), each.value, each.type.unit)
        for each in table.records
        if each.type.measure == "change"
    ] == changes


def test_a_company_called_total_is_a_row():
    text, _ = told("Company,Sales\nTotal Energies,70\nShell,80\nEni,20\nBP,60\n")
    assert "followed by Total Energies with 70" in text


def test_shares_need_a_total_that_means_something():
    rows = "a,{}\nb,5\nc,6\nd,7\n"
    assert "of the total" in told("who,votes\n" + rows.format(9))[0]
    assert "of the total" not in told("who,votes\n" + rows.format(-9))[0]
    assert "of the total" not in told("who,price\n" + rows.format(9))[0]


def test_a_stock_is_not_added_up_over_years():
    rows = "2001,{0},1\n2002,{1},2\n2003,{2},3\n"
    text, _ = told("Year,Population,Births\n" + rows.format(100, 110, 121))
    assert "Population rose from 100 in 2001 to 121 in 2003, up 21%." in text
    assert "births total 6" in text
    assert "population totals" not in text
    # From one end to the other and back is no rise.
    text, _ = told("Year,Population,Births\n" + rows.format(100, 10, 101))
    assert "Population rose" not in text


def test_words_that_are_no_months_are_no_days():
    table, _ = read_guessed("name,day\na,Foo 12 2024\nb,Bar 13 2024\n")
    assert [each.kind for each in table.columns] == ["text"]


def test_lines_above_and_below_a_table_are_reported():
    text = "Sales, all shops;;\n;;\nShop;Votes;Staff\nA;1;5\nB;2;6\nSource: our own books;;\n"
    _, notes = told(text)
    assert [note for note in notes if "is not a row" in note] == [
        "line 1 is not a row and is left out: 'Sales, all shops'",
        "line 6 is not a row and is left out: 'Source: our own books'",
    ]


def test_a_column_that_only_counts_rows_is_left_out():
    table, notes = read_guessed(",size\n1,5\n2,6\n3,9\n")
    assert [each.name for each in table.columns] == ["size"]
    assert "column 1 only numbers the rows and is left out" in notes


def test_many_decimals_are_rounded_in_reports():
    text, _ = told("who,size\na,16.4079397672827\nb,0.00223101\nc,1.000000\nd,0.0000000\n")
    assert all(said in text for said in ("16.41", "0.00223", "with 1 and", "lowest size, 0."))
    # What is no plain number is said as it stands.
    for value in ("€16.4079397672827", "about 16.4079397672827"):
        table = make_table([(Entity("a", "thing"), RecordType("size", "size"), value)])
        assert amount(table, 0).text == value
