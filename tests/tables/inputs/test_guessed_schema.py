"""Files without a schema: what is guessed about them, and that their numbers stay right."""

import time

import pytest

from longsum.common.errors import LongsumError
from longsum.tables.inputs.rows import read_delimited, read_guessed
from longsum.tables.inputs.table_schema import parse_schema
from longsum.tables.planning.planners import plan_by_rules, untold_notice
from longsum.tables.templates import realize


def numbers(column: list[str], separator: str = ";") -> list[float | None]:
    rows = "".join(f"n{place}{separator}{cell}\n" for place, cell in enumerate(column))
    table, _ = read_guessed(f"name{separator}x\n{rows}")
    return [table.records[index].number for index in table.of_type("x")]


@pytest.mark.parametrize(
    ("column", "read"),
    [
        (["1.234,50 €", "7 €"], [1234.5, 7]),
        (["(45)", "(1,5)"], [-45, -1.5]),
        (["1.234.567", "12"], [1234567, 12]),
        (["1,234", "5"], [1.234, 5]),
        (["1,234.5", "2,000"], [1234.5, 2000]),
        (["0.125", "3"], [0.125, 3]),
        (["-$3", "$-4", "n/a", "($5)", "(6) $"], [-3, -4, None, -5, -6]),
        (["$(450,000.25)", "$ (5)", "$7"], [-450000.25, -5, 7]),
        (["10%", "60 %"], [10, 60]),
        ([".73199999", "1"], [0.73199999, 1]),
        ([",125", "5"], [0.125, 5]),
        (["1e+05", "95000", "2.5E-03"], [100000, 95000, 0.0025]),
        (["7", "#N/A", "--", "**", "#DIV/0!", *"?.:…", ".."], [7, *[None] * 9]),
    ],
)
def test_numbers_as_people_write_them(column, read):
    assert numbers(column) == read


@pytest.mark.parametrize(
    "code",
    [
        "1.2.3",
        "10.0.0.1",
        "555 123 4567",
        "1.234.5",
        "1 23",
        "1,2,3",
        "($(5))",
        "$(5",
        "١٢",
        "1.5\nc;1,5",
    ],
)
def test_digits_in_groups_that_no_number_has_are_a_text(code):
    table, _ = read_guessed(f"name;x\na;{code}\nb;7\n")
    assert [each.kind for each in table.columns] == ["text"]


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ("France,Italy,Sales", "france"),  # two are too few
        ("France,Italy,Peru,Sales,Cost", "France"),
        ("France,Italy,Peru,Sales,Cost,Votes", "france"),  # half are
    ],
)
def test_names_of_more_than_half_the_columns_are_those_of_somebody(columns, name):
    numbers = ",1" * len(columns.split(","))
    table, _ = read_guessed(f"who,{columns}\na{numbers}\nb{numbers}\n")
    assert table.columns[0].phrase == name


def test_a_column_of_long_texts_is_left_out_and_reported():
    table, notes = read_guessed(f"name;x;why\na;1;{'w' * 501}\nb;2;{'w' * 500}\n")
    assert [each.name for each in table.columns] == ["x"]
    assert "column 'why' has texts of more than 500 characters and is left out" in notes


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n,level\n1,T\n2,0.5\n3,1.5\n", ["row 1", "row 2", "row 3"]),  # a measure with a gap
        ("version,n\n1.0,1\n1.1,2\n1.1.1,3\n", ["1.0", "1.1", "1.1.1"]),
        (
            "day,at,n\n2024-05-01,Oslo,1\n2024-05-02,Oslo,2\n2024-05-01,Bonn,3\n2024-05-02,Bonn,4\n",
            ["Oslo 2024-05-01", "Oslo 2024-05-02", "Bonn 2024-05-01", "Bonn 2024-05-02"],
        ),
        ("who,kind,x\n,a,1\nB,b,2\nC,c,3\n", ["a", "b", "c"]),  # the first column has a gap
        ("ok,n\nyes,1\nno,2\nyes,3\nno,4\n", [f"row {n}" for n in range(1, 5)]),  # statuses
    ],
)
def test_what_names_rows(text, names):
    table, _ = read_guessed(text)
    assert [each.name for each in table.rows] == names


def test_ranks_are_not_ranked_and_weeks_are_in_time():
    table, _ = read_guessed("Week,Pos,Cases\n2024-W51,1,7\n2024-W52,2,8\n2025-W01,3,9\n")
    assert [each.ranked for each in table.columns] == [False, True]
    assert any(each.measure == "change" for each in table.types)


def test_columns_get_names_of_their_own_however_many_they_are():
    header = ["n", "a", "a (2)", "a", "", "w" * 150, "w" * 151, *["b"] * 5_000]
    begun = time.process_time()
    table, _ = read_guessed(f"{','.join(header)}\nx{',1' * (len(header) - 1)}\n")
    assert time.process_time() - begun < 3  # it was cubic
    names = [each.name for each in table.columns]
    assert names[:6] == ["a", "a (2)", "a (3)", "column 5", "w" * 150, "column 7"]
    assert names[6:] == ["b", *(f"b ({number})" for number in range(2, 5_001))]


def test_the_separator_and_other_columns_decide_what_a_comma_means():
    assert numbers(["1,234", "5"], "\t") == [1234, 5]
    table, _ = read_guessed('name,x,y\na,12.400,"4,5"\nb,1.250,"12,7"\n')
    assert [table.records[index].number for index in table.of_type("x")] == [12400, 1250]


def test_currencies_and_percents_are_never_ranked_together():
    table, _ = read_guessed("who,x\na,€45\nb,$60\nc,€70\nd,5%\n")
    assert {each.name: each.unit for each in table.columns} == {
        "x in €": "€",
        "x in $": "$",
        "x in %": "%",
    }
    assert table.record("c", "x in €").rank == table.record("b", "x in $").rank == 1
    assert table.record("a", "x in $").missing


@pytest.mark.parametrize(
    ("days", "read", "told"),
    [
        (["3.4.2024", "13.4.2024"], ["2024-04-03", "2024-04-13"], False),
        (["3/4/2024", "3/14/2024"], ["2024-03-04", "2024-03-14"], False),
        (["3/4/2024", "14/3/2024"], ["2024-04-03", "2024-03-14"], False),
        (["3/4/2024", "5/6/2024"], ["2024-03-04", "2024-05-06"], True),
        (["1/12/2023", "1/1/2024", "1/2/2024"], ["2023-12-01", "2024-01-01", "2024-02-01"], False),
        (["2024-1-2", "2024/12/31"], ["2024-01-02", "2024-12-31"], False),
        (["14 Mar 2024", "Mar 3, 2024"], ["2024-03-14", "2024-03-03"], False),
        (["Dec-1-2007", "January 31, 2008"], ["2007-12-01", "2008-01-31"], False),
        (["2024-05-01 10:22", "2024-05-02T23:59:00Z"], ["2024-05-01", "2024-05-02"], False),
        (["14/03/24", "01/03/99"], ["2024-03-14", "1999-03-01"], False),
        (["3.4.2024", "", "13.4.2024"], ["2024-04-03", "N/A", "2024-04-13"], False),
    ],
)
def test_dates_as_they_come(days, read, told):
    rows = "".join(f'n{place},"{day}"\n' for place, day in enumerate(days))
    table, notes = read_guessed(f"name,day\n{rows}")
    assert [table.records[index].value for index in table.of_type("day")] == read
    assert any("month first" in note for note in notes) is told


def test_totals_that_differ_from_the_sum_are_reported():
    table, notes = read_guessed("name,cost,fee,visits\nA,1,2,3\nB,2,2,3\nTotal,4,,6\n")
    assert [note for note in notes if "add up" in note] == [
        "'Total' has 4 for 'cost', but the rows add up to 3"
    ]
    assert [each.name for each in table.rows] == ["A", "B", "Total"]


def test_repeated_names_and_empty_columns_are_reported():
    table, notes = read_guessed("who,n,m\nAda,1,\nBea,2,\nAda,3,\n")
    assert [each.name for each in table.rows] == ["Ada (row 1)", "Bea", "Ada (row 3)"]
    assert any("'who' are repeated" in note for note in notes)
    assert any("'m' has no values" in note for note in notes)
    # The guess is a schema.
    schema = parse_schema(notes[0].split(": ", 1)[1])
    assert (schema.entity, list(schema.columns)) == ("who", ["n"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "city,kind,fee\nA,x,$1\nB,x,$2\nC,x,$4\nD,x,$3\nTotal,,$10\n",
            "The kind is x for all four.",
        ),
        ("who,price\na,$2\nb,$3\nc,$4\nd,$5\n", "The average price is $3.50."),
        (
            "account;amount\nRent;-45.000,50 €\nPay;2.500,00 €\nFee;(12,30) €\n",
            "Across the three accounts, amount totals -€42,512.80. Pay has the highest amount, "
            "€2,500.00, followed by Fee with -€12.30 and Rent with -€45,000.50.",
        ),
    ],
)
def test_a_report_of_a_guess_says_each_value_once_with_its_unit(text, said):
    table, _ = read_guessed(text)
    assert realize(table, plan_by_rules(table)).text.count(said) == 1


@pytest.mark.parametrize(
    ("text", "names", "lines"),
    [
        ("name,n,m\nA,1,2\nNot a row,,\n", ["A"], ["line 3 is not a row"]),
        (
            "name,n,m\nA,1,2\nNo row\nNor this\n",
            ["A"],
            ["line 4 is not a row", "line 3 is not a row"],
        ),
        ("name,n,m\nA,1,2\nWord,,\n", ["A", "Word"], []),
        ("name,n\nA,1\nA row,\n", ["A", "A row"], []),
        ("Title\n,2024\n\nname,n,m\nA,1,2\n", ["A"], ["lines 1 to 2 are not rows"]),
        ("Title,2024,of\nA,1,2\n", ["A"], []),
    ],
)
def test_titles_and_remarks_are_no_rows(text, names, lines):
    table, notes = read_guessed(text)
    assert [each.name for each in table.rows] == names
    assert table.title == ("Title" if text.startswith("Title\n") else "")
    assert [each.split(" and ")[0] for each in notes if "left out" in each] == lines
    assert all("left out: '" in each for each in notes if "left out" in each)


def guess(text):
    return parse_schema(read_guessed(text)[1][0].split("replaces: ", 1)[1])


@pytest.mark.parametrize(
    ("groups", "rows", "longest", "overall"),
    [(10, 20, 40, "groups"), (11, 22, 40, None), (10, 19, 40, None), (10, 20, 41, None)],
)
def test_few_short_texts_that_come_again_divide_the_rows(groups, rows, longest, overall):
    kinds = [f"{'k' * (longest - 1)}{chr(97 + place % groups)}" for place in range(rows)]
    text = "name,kind,n\n" + "".join(f"n{place},{kind},1\n" for place, kind in enumerate(kinds))
    assert guess(text).overall.get("kind") == overall


@pytest.mark.parametrize(
    ("column", "rows", "overall"),
    [
        *(("Score", 4, "mean"), ("Score", 3, None), ("Foo", 10, "mean"), ("Foo", 9, None)),
        *(("Sales", 2, "total"), ("Population", 2, "total"), ("Growth %", 30, None)),
    ],
)
def test_from_how_many_rows_on_a_mean_is_given_depends_on_the_measure(column, rows, overall):
    text = f"name,{column}\n" + "".join(f"n{place},{place}.5\n" for place in range(rows))
    assert guess(text).overall.get(column) == overall


@pytest.mark.parametrize(("before", "named"), [(2, True), (3, False)])
def test_two_of_the_first_four_columns_may_name_a_row(before, named):
    head = ",".join(f"c{place}" for place in range(before))
    rows = [f"{'x,' * before}{p},{q},1" for p in "abc" for q in "uvw"]
    assert (guess("\n".join([f"{head},p,q,n", *rows])).entity == ("p", "q")) is named


@pytest.mark.parametrize(("rows", "named"), [(499, True), (500, False)])
def test_a_code_names_rows_only_in_a_small_table(rows, named):
    pairs = [(f"t{place // 25}", place % 25) for place in range(rows)]
    text = "team,pos,n\n" + "".join(f"{team},{code},1\n" for team, code in pairs)
    assert (guess(text).entity == ("team", "pos")) is named


@pytest.mark.parametrize(
    ("names", "years", "every", "panel"),
    [(3, 3, 1, True), (2, 4, 1, False), (4, 2, 1, False), (8, 8, 4, True), (10, 10, 5, False)],
)
def test_a_panel_has_three_of_each_and_a_fourth_of_all_pairs(names, years, every, panel):
    rows = [
        f"L{name},{2000 + year},{name + year}.5"
        for name in range(names)
        for year in range(years)
        if (name + year) % every == 0
    ]
    assert guess("\n".join(["land,year,n", *rows])).panel is panel


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a,b\n", "no rows"),
        (",,\n", "no rows"),
        ("a,b\n1,2,3\n", "3 cells in line 2"),
        ("a\nx\ny\n", "no column besides"),
    ],
)
def test_text_that_is_not_a_table_is_refused(text, problem):
    with pytest.raises(LongsumError, match=f"^The table .*{problem}"):
        read_guessed(text)


@pytest.mark.parametrize(
    ("column", "phrase", "unit"),
    [
        ("body_mass_g", "body mass", "g"),
        ("flipper length mm", "flipper length", "mm"),
        ("salary_in_usd", "salary", "$"),
        ("land_area_km2", "land area", "km²"),
        ("price_per_kg", "price per kg", ""),
        ("usd_eur", "usd", "€"),
        ("km", "km", ""),
        ("TEAM_G", "TEAM G", ""),
    ],
)
def test_a_unit_may_stand_behind_the_name_of_a_column(column, phrase, unit):
    table, _ = read_guessed(f"name,{column}\na,5\nb,7\n")
    assert [(each.phrase, each.unit) for each in table.columns] == [(phrase, unit)]


def test_a_column_called_name_names_the_rows_and_a_counter_none():
    table, notes = read_guessed("rowid,code,state_name,n\n1,IA,Iowa,5\n2,OH,Ohio,7\n")
    assert [each.name for each in table.of_kind("row")] == ["Iowa", "Ohio"]
    assert "column 'rowid' only numbers the rows and is left out" in notes
    # Ranks that count on are not left out, and names of others keep their capitals.
    table, _ = read_guessed("rank,code,n_seats,Haley\n1,IA,5,3\n2,OH,7,4\n")
    assert [each.phrase for each in table.columns] == ["rank", "n seats", "Haley"]


def test_flags_are_given_in_their_shortest_form_and_no_meaningless_shares():
    rows = "".join(f"n{place},{place % 3 // 2}.00,{1 + place / 7}\n" for place in range(3000))
    table, _ = read_guessed(f"name,survived,sales\n{rows}")
    text = realize(table, plan_by_rules(table)).text
    assert "Survived is 0 for 2,000 of the 3,000 rows and 1 for 1,000." in text
    assert "(0%" not in text


def test_a_panel_is_reported_with_a_column_for_each_year():
    """With rows in any order and from its printed schema too, with the same claims."""
    names = [f"Land {letter}" for letter in "ABCDEFGHIJKLMN"]
    rows = [
        f"{name},{name[-1]}X,{year},{place + 1 + (year - 1999) * (7 - place) / 8:.3f}"
        for place, name in enumerate(names)
        for year in range(1999, 2005)
        if year < 2004 or place < 3
    ]
    head = "Entity,Code,Year,Fertility (UN Population Division (2015))\n"
    table, notes = read_guessed(head + "\n".join(rows))
    text = realize(table, plan_by_rules(table)).text
    assert "Land N has the highest fertility in 2003, 11" in text
    assert "Land A rose most, from 1.000 in 1999 to 4.500 in 2003, up 350%" in text
    assert "2004" not in text
    assert len(table.rows) == len(names)
    printed = parse_schema(notes[0].split("replaces: ", 1)[1])
    again = read_delimited(head + "\n".join(rows), printed)
    assert realize(again, plan_by_rules(again)).text == text
    shuffled, _ = read_guessed(head + "\n".join(sorted(rows, key=lambda row: row[::-1])))
    assert sorted(realize(shuffled, plan_by_rules(shuffled)).text.split(". ")) == sorted(
        text.split(". ")
    )


@pytest.mark.parametrize(
    "extra",
    [
        "Entity,Year,n\nA,2001,4\nA,2001,5\nB,2002,6\nC,2003,7\n",  # a year comes again
        "Entity,Year,n,m\n" + "".join(f"{e},{y},4,5\n" for e in "ABC" for y in (2001, 2002, 2003)),
        "Entity,Year,n\n" + "".join(f"{e},{y},4\n" for e in "ABC" for y in (11, 12, 13)),
    ],
)
def test_a_table_that_is_not_a_panel_of_one_measure_keeps_its_rows(extra):
    table, notes = read_guessed(extra)
    assert "panel" not in notes[0]
    assert len(table.rows) == extra.count("\n") - 1


def test_a_schema_that_is_no_panel_says_so():
    schema = parse_schema("entity: Entity\ncolumns: {n: }\npanel: true\n")
    with pytest.raises(LongsumError, match="the second with years"):
        read_delimited("Entity,n\nA,4\n", schema)


@pytest.mark.parametrize(
    ("column", "values", "word"),
    [
        ("engineers", (4, 9, 7, 2), "most"),
        ("engineers", (0.4, 0.9, 0.7, 0.2), "highest"),
        ("average payments", (4, 9, 7, 2), "highest"),
        ("% of beds", (4, 9, 7, 2), "highest"),
    ],
)
def test_only_counts_have_most_rather_than_highest(column, values, word):
    rows = "".join(f"n{place},{value}\n" for place, value in enumerate(values))
    table, _ = read_guessed(f"name,{column}\n{rows}")
    assert f"N1 has the {word} {column}, " in realize(table, plan_by_rules(table)).text


def test_an_indicator_file_is_reported_by_its_name_up_to_the_last_year_that_most_rows_have():
    """As from the World Bank: a title, gaps as `..`, and a last year that few rows have."""
    head = (
        "Data Source,Indicators\n\nCountry Name,Country Code,Indicator Name,2019,2020,2021,2022,\n"
    )
    rows = (
        f"Land {letter},{letter}X,Fertility rate,{place + 1},..,{place + 2},{'9' * (place < 2)},\n"
        for place, letter in enumerate("ABCDEFGHI")
    )
    table, _ = read_guessed(head + "".join(rows))
    text = realize(table, plan_by_rules(table)).text
    assert "Land I has the highest fertility rate in 2021, 10, followed" in text
    assert "Land A rose most, from 1 in 2019 to 2 in 2021, up 100%." in text
    notice = untold_notice(table, plan_by_rules(table))[0]
    assert "'Country Code'" in notice
    assert "'2022'" in notice
