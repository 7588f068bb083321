import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from document_views import document_of
from longsum.common.errors import LongsumError
from longsum.core.summaries import Budget
from longsum.core.summaries.budget import lengths_around


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        *(("250w", 250, "words"), ("300t", 300, "tokens"), ("12s", 12, "sentences")),
        *(("8%", 8, "percent"), ("0.5%", 0.5, "percent"), (" 10 w ", 10, "words")),
        *(("short", 100, "words"), ("medium", 250, "words"), ("long", 600, "words")),
        *(("10W", 10, "words"), ("250 words", 250, "words"), ("1 word", 1, "words")),
        *(("1,000 words", 1000, "words"), ("300 tokens", 300, "tokens"), ("1 Token", 1, "tokens")),
        *(("12 sentences", 12, "sentences"), ("1 sentence", 1, "sentences")),
        *(("10 %", 10, "percent"), ("2.5 percent", 2.5, "percent"), ("Medium", 250, "words")),
        *(("250", 250, "words"), (250, 250, "words"), (np.int64(3), 3, "words")),
        ("0" * 38 + "9w", 9, "words"),
    ],
)
def test_lengths_that_users_write(text, amount, unit):
    budget = Budget.parse(text)
    assert (budget.amount, budget.unit, budget.automatic) == (amount, unit, False)


def test_auto_is_the_models_own_length() -> None:
    found = Budget.parse(" AUTO ")
    assert (found.automatic, found.is_open, str(found)) == (True, True, "auto")


@pytest.mark.parametrize(
    ("length", "says"),
    [
        *(
            ("", "'' is not a length"),
            ("w", "'w' is not a length"),
            ("many", "'many' is not a length"),
        ),
        *(("250x", "'250x' is not a length"), ("12 pages", "'12 pages' is not a length")),
        *(("NaN", "'NaN' is not a length"), ("infw", "'infw' is not a length")),
        *(("1e9w", "'1e9w' is not a length"), ("10,00w", "'10,00w' is not a length")),
        *(("0.0000001%", "is not a length"), ("9" * 40 + "w", "is not a length")),
        *(("9" * 20 + "w", "at most 999999999 words"), ("9" * 999, "is not a length")),
        *(("1000000000s", "at most 999999999 sentences"), (10**400, "at most 999999999 words")),
        *(("0w", "0 words is impossible"), ("-5w", "-5 words is impossible")),
        *(("-5", "-5 words is impossible"), (0, "0 words is impossible")),
        *((-5, "-5 words is impossible"), ("1.5s", "1.5 sentences is impossible")),
        *(("101%", "at most 100%"), ("250 wrods", "Did you mean 'words'")),
        *(("meduim", "Did you mean 'medium'"), ("0.1", "'10%' for a share")),
        *((0.1, "'10%' for a share"), (1.0, "'100%' for a share")),
        *((250.0, "250.0 is not a whole number"), (float("nan"), "nan is not a whole number")),
        (float("inf"), "inf is not a whole number"),
    ],
)
def test_meaningless_lengths_are_refused(length, says):
    with pytest.raises(LongsumError, match=re.escape(says)) as found:
        Budget.parse(length)
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 250


@pytest.mark.parametrize("length", [None, True, [250], b"250w", {"words": 250}])
def test_a_length_of_the_wrong_type_is_refused(length):
    with pytest.raises(TypeError, match=type(length).__name__):
        Budget.parse(length)


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        (("250w",), TypeError, "Budget.parse reads"),
        ((True,), TypeError, "bool"),
        ((250, "w"), LongsumError, "no unit 'w'"),
        ((250, "word"), LongsumError, "choose words"),
        ((float("nan"),), LongsumError, "impossible"),
        ((float("-inf"),), LongsumError, "impossible"),
        ((float("inf"),), LongsumError, "at most"),
    ],
)
def test_a_budget_checks_its_fields(given, error, says):
    with pytest.raises(error, match=says):
        Budget(*given)


@given(st.integers(1, 10**9 - 1), st.sampled_from("wts"))
def test_a_budget_prints_as_it_is_parsed(amount, unit):
    budget = Budget.parse(f"{amount}{unit}")
    assert Budget.parse(str(budget)) == budget


def test_costs_and_capacities(small):
    words = Budget(1).costs(small.sentences)
    assert sum(words) == 101
    assert Budget(50, "percent").costs(small.sentences) == words
    assert Budget(4, "sentences").costs(small.sentences) == [1] * 9
    # A percentage is rounded down, but is at least one word as an absolute length.
    assert Budget(10, "percent").capacity(small) == 10
    assert Budget(100, "percent").capacity(small) == 101
    assert Budget(10, "percent").absolute(small) == Budget(10)
    assert Budget(0.1, "percent").absolute(small) == Budget(1)
    for budget in (Budget(7), Budget(7, "tokens"), Budget(7, "sentences")):
        assert budget.absolute(small) == budget


def test_a_percentage_is_computed_exactly() -> None:
    """In floating point 18.4 % of 375 words are 68.99999999999999."""
    document = document_of(["word " * 375], title="")
    for tenths in range(1, 1001):
        assert Budget(tenths / 10, "percent").capacity(document) == tenths * 375 // 1000


def test_the_ladder_contains_the_requested_length(small):
    assert [str(b) for b in lengths_around(Budget(4, "sentences"), small)] == ["1s", "2s", "4s"]
    assert [str(b) for b in lengths_around(Budget(5000), small)] == ["25w", "50w", "5000w"]
    assert [str(b) for b in lengths_around(Budget(32), small)] == ["32w", "50w"]
    eighth = lengths_around(Budget(8, "percent"), small)
    assert [str(b) for b in eighth] == ["1%", "2%", "4%", "8%", "16%", "32%"]
    document = document_of(["word " * 5000], title="Long")
    stops = [budget.amount for budget in lengths_around(Budget(300), document)]
    assert stops == [100, 200, 300, 400, 800, 1600]


def test_tokens_are_words_and_punctuation_marks_by_default(small):
    budget = Budget(10, "tokens")
    assert budget.cost("The dam's cost, 5,000 (of 7) — high!") == 14
    assert budget.cost("東京は晴れ。") == 6
    letters = Budget(10, "tokens", len)
    assert letters == budget
    assert letters.cost("dam") == 3
    assert letters.capacity(small) == 10
