import pytest

from longsum.language.measures import unit


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
