from decimal import Decimal

import pytest

from longsum.core.grounding.quantities import durations, figures, month, unit, written_numbers


@pytest.mark.parametrize(
    ("read", "text", "values"),
    [
        *((figures, "1,200 bridges", ["1200"]), (figures, "$4.5 million", ["4500000"])),
        (figures, "$5bn and 3k", ["5000000000", "3000"]),
        (figures, "2 hundred, 3m, 4 trillion", ["200", "3000000", "4000000000000"]),
        (figures, "version 1.2.3", ["1", "2", "3"]),
        (figures, "1,5 and 2.50", ["1", "5", "2.50"]),
        (written_numbers, "Forty-one of nineteen", [41, 19]),
        (written_numbers, "someone tens", []),
        (written_numbers, "zero one two three four five six seven eight nine", range(10)),
        (written_numbers, "ten eleven twelve thirteen fourteen fifteen", range(10, 16)),
        (written_numbers, "sixteen seventeen eighteen nineteen twenty", range(16, 21)),
        *((written_numbers, "thirty, forty", [30, 40]), (written_numbers, "fifty", [50])),
        *((written_numbers, "sixty, seventy", [60, 70]), (written_numbers, "eighty", [80])),
        (written_numbers, "ninety", [90]),
        (written_numbers, "the first, the second, the eighth or the ninth", [1, 2, 8, 9]),
        (written_numbers, "the twelfth, the twenty-third and the hundredth", [12, 23, 100]),
        (written_numbers, "half, a quarter, a third, two-fifths of it", [50, 25, 33, 40]),
        (written_numbers, "two-thirds, three-quarters, a fifth, one-fifth", [67, 75, 20, 20]),
        (written_numbers, "three-fifths, four-fifths, a tenth, one-tenth", [60, 80, 10, 10]),
        (written_numbers, "one-half, one-third, one-quarter, one-fourth", [50, 33, 25, 25]),
        (written_numbers, "decades of it, centuries of it, some fortnight", [10, 100, 2]),
        (durations, "5 seconds, ten minutes, 2 hours and a half, a day", [5, 600, 9_000, 86_400]),
        (durations, "a week, a fortnight, six months", [604_800, 1_209_600, 15_778_800]),
        (
            durations,
            "a year, three decades, the last century",
            [31_557_600, 946_728_000, 3155760000],
        ),
    ],
)
def test_numbers(read, text, values) -> None:
    assert list(read(text)) == [Decimal(value) for value in values]


def test_months() -> None:
    words = ("may", "sept", "de", "march", "marches")
    assert [month(word) for word in words] == [4, 8, None, 2, None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("5 kg", "kilogram"), ("5 kilograms", "kilogram"), ("5-metre", "meter")),
        *(("12%", "percent"), ("12 percentage points", "percent"), ("$4.5 million", "dollar")),
        *(("4.5 million dollars", "dollar"), ("$5m", "dollar"), ("5 m", "meter"), ("€3bn", "euro")),
        *(("20 °C", "celsius"), ("5 US dollars", "dollar"), ("US$5", "dollar"), ("42", "")),
    ],
)
def test_units_have_one_spelling(text: str, expected: str) -> None:
    assert unit(text) == expected


SHORT = """
% percent, $ dollars, us$ dollars, USD dollars, € euros, EUR euros, £ pounds, GBP pounds,
lb pounds, lbs pounds, sterling pounds, ¥ yen, JPY yen, ₹ rupees, INR rupees, ft foot, feet foot,
inches inch, centuries century, s seconds, sec seconds, min minutes, h hours, hr hours, hrs hours,
oz ounces, km kilometres, cm centimetres, mm millimetres, m metres, kg kilograms, mg milligrams,
g grams, l litres, ml millilitres, kW kilowatts, MW megawatts, GW gigawatts, ha hectares,
°C celsius, °F fahrenheit, tonnes tons, percentage percent
"""


def test_abbreviations_stand_for_exactly_one_unit() -> None:
    pairs = [pair.split() for pair in SHORT.split(",")]
    units = [[unit(f"5 {spelt}") for spelt in pair] for pair in pairs]
    assert all(short == long != "" for short, long in units)
    assert len({long for _, long in units}) == len({long for _, long in pairs})
    assert unit("5 degrees Celsius") == unit("5 °C")
