from decimal import Decimal

import pytest

from longsum.language.values import figures, month, written_numbers


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,200 bridges", ["1200"]),
        ("$4.5 million", ["4500000"]),
        ("$5bn and 3k", ["5000000000", "3000"]),
        ("version 1.2.3", ["1", "2", "3"]),
        ("1,5 and 2.50", ["1", "5", "2.50"]),
    ],
)
def test_figures(text: str, values: list[str]) -> None:
    assert list(figures(text)) == [Decimal(value) for value in values]


@pytest.mark.parametrize(
    ("text", "values"),
    [("Forty-one of nineteen", [41, 19]), ("seventy", [70]), ("someone tens", [])],
)
def test_written_numbers(text: str, values: list[int]) -> None:
    assert list(written_numbers(text)) == values


def test_months() -> None:
    assert [month(word) for word in ("may", "sept", "de", "march", "marches")] == [
        4,
        8,
        None,
        2,
        None,
    ]
