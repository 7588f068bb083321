"""Krippendorff's alpha: the published examples, and an independent definition."""

import itertools
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.common.errors import LongsumError
from longsum.evaluation.metrics.agreement import Level, Rating, agreement, parse_ratings

N = None
# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", example C: four observers.
RATERS: list[list[Rating]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]
UNITS = [list(unit) for unit in zip(*RATERS, strict=True)]


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_the_published_example_with_missing_values(level: Level, alpha: float) -> None:
    found = agreement(UNITS, level)
    assert found.alpha == pytest.approx(alpha, abs=0.0006)
    # The last unit has one rating: 11 units with 40 ratings are left.
    assert (found.units, found.ratings) == (11, 40)


def defined_alpha(units: list[list[Rating]], level: Level) -> float | None:
    """Compute 1 − D_o / D_e over pairs of ratings, by the definition."""
    kept = [[value for value in unit if value is not None] for unit in units]
    kept = [unit for unit in kept if len(unit) > 1]
    pooled = [value for unit in kept for value in unit]

    def difference(a: float, b: float) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (a - b) ** 2
        low, high = min(a, b), max(a, b)
        between = sum(low <= value <= high for value in pooled)
        return (between - (pooled.count(low) + pooled.count(high)) / 2) ** 2 if a != b else 0.0

    observed = sum(
        difference(a, b) / (len(unit) - 1)
        for unit in kept
        for a, b in itertools.permutations(unit, 2)
    ) / len(pooled)
    expected = sum(difference(a, b) for a, b in itertools.permutations(pooled, 2))
    expected /= len(pooled) * (len(pooled) - 1)
    return 1 - observed / expected if expected else None


tables = st.lists(
    st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=4, max_size=4),
    min_size=1,
    max_size=8,
).filter(lambda units: any(sum(value is not None for value in unit) > 1 for unit in units))


@settings(max_examples=examples(60), deadline=None)
@given(tables, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_it_is_the_definition(units: list[list[Rating]], level: Level) -> None:
    found, expected = agreement(units, level, samples=2).alpha, defined_alpha(units, level)
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))


ALIKE_BUT_ONE: list[list[Rating]] = [*[[1, 1]] * 5, [1, 2]]


@pytest.mark.parametrize(
    ("units", "samples", "seed"),
    [(UNITS, 1000, 0), (UNITS, 40, 1), *((ALIKE_BUT_ONE, n, n) for n in range(1, 13))],
)
def test_its_interval_is_of_samples_of_the_units(units, samples, seed) -> None:
    rng = np.random.default_rng(seed)
    paired = [unit for unit in units if sum(value is not None for value in unit) > 1]
    drawn = (rng.multinomial(len(paired), [1 / len(paired)] * len(paired)) for _ in range(samples))
    alphas = [
        defined_alpha(
            [unit for unit, times in zip(paired, each, strict=True) for _ in range(times)],
            "nominal",
        )
        for each in drawn
    ]
    defined = [alpha for alpha in alphas if alpha is not None]
    bounds = (None, None)
    if 2 * len(defined) >= samples:
        bounds = pytest.approx(tuple(np.quantile(defined, (0.025, 0.975))))
    chosen = {} if (samples, seed) == (1000, 0) else {"samples": samples, "seed": seed}
    found = agreement(units, **chosen)
    assert (found.low, found.high) == bounds


def test_the_names_of_nominal_values_do_not_matter() -> None:
    renamed = [["one" if v == 1 else v for v in unit] for unit in UNITS]
    assert agreement(renamed).alpha == pytest.approx(agreement(UNITS).alpha)
    with pytest.raises(LongsumError, match="'one' is not a number; give numbers, or measure"):
        agreement(renamed, "interval")


def test_equal_ratings_give_no_agreement() -> None:
    found = agreement([[1, 1], [1, 1]])
    assert (found.alpha, found.low, found.high) == (None, None, None)


def test_mistakes_are_refused() -> None:
    with pytest.raises(LongsumError, match="at least two ratings"):
        agreement([[1, None], [None, 2]])
    with pytest.raises(LongsumError, match="'good' is not a number"):
        agreement([["good", 1]], "ordinal")
    with pytest.raises(LongsumError, match="'ratio'; choose from nominal, ordinal, interval"):
        agreement([[1, 2]], "ratio")  # type: ignore[arg-type]


def test_a_table_is_read() -> None:
    text = 'unit,ann,ben\n"a, or b",1,2\n\nc, ,good\n'
    assert parse_ratings(text, "x.csv") == [["1", "2"], [None, "good"]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no ratings"),
        ("unit,ann,ben\n", "has no ratings"),
        ("unit,ann\na,1\n", "has no ratings"),
        ("unit,ann,ben\na,1\n", "line of 'a' in 'x.csv' has 2 cells and the first line 3"),
        ('unit,ann,ben\na,"1,2\n', "not a CSV file"),
    ],
)
def test_other_tables_are_refused(text: str, says: str) -> None:
    with pytest.raises(LongsumError, match=says):
        parse_ratings(text, "x.csv")


def test_long_tables_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # How long a field may be is set for the whole program.
    line = "x" * 10**7
    for text, says in ((line, "no ratings|not a CSV"), (f"{line}x", "more than 10,000,000 char")):
        with pytest.raises(LongsumError, match=says):
            parse_ratings(text, "x.csv")
    # In its package the name of the module is the function's.
    module = import_module("longsum.evaluation.metrics.agreement")
    monkeypatch.setattr(module, "MOST_CHARACTERS", 12)
    assert parse_ratings("u,a,b\na,1,1\n", "x.csv") == [["1", "1"]]
    with pytest.raises(LongsumError, match="more than 12 characters"):
        parse_ratings("u,a,b\na,1,10\n", "x.csv")
