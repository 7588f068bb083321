import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.documents import Document, DocumentBuilder
from longsum.errors import LongsumError
from longsum.summaries import Budget
from longsum.summaries.budget import ladder_around


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("250w", 250, "words"),
        ("300t", 300, "tokens"),
        ("12s", 12, "sentences"),
        ("8%", 8, "percent"),
        ("0.5%", 0.5, "percent"),
        (" 10 w ", 10, "words"),
        ("short", 100, "words"),
        ("medium", 250, "words"),
        ("long", 600, "words"),
    ],
)
def test_lengths_that_users_write(text, amount, unit):
    budget = Budget.parse(text)
    assert (budget.amount, budget.unit) == (amount, unit)


@pytest.mark.parametrize(
    "text",
    ["", "w", "0w", "-5w", "1.5s", "101%", "nan%", "infw", "1e9w", "250", "250x", "9" * 40 + "w"],
)
def test_lengths_that_mean_nothing(text):
    with pytest.raises(LongsumError):
        Budget.parse(text)


@given(st.integers(1, 10**9 - 1), st.sampled_from("wts"))
def test_a_budget_prints_as_it_is_read(amount, unit):
    budget = Budget.parse(f"{amount}{unit}")
    assert Budget.parse(str(budget)) == budget


def test_capacity_of_a_share_is_rounded_down(small: Document):
    words = sum(Budget(1).costs(small.sentences))
    assert words == 101
    assert Budget(10, "percent").capacity(small) == 10
    assert Budget(100, "percent").capacity(small) == 101
    assert Budget(50, "percent").costs(small.sentences) == Budget(1).costs(small.sentences)


def test_sentences_cost_one_each(small: Document):
    assert Budget(4, "sentences").costs(small.sentences) == [1] * 9


def test_the_ladder_holds_the_length_asked_for(small: Document):
    assert [str(b) for b in ladder_around(Budget(4, "sentences"), small)] == ["1s", "2s", "4s"]
    assert [str(b) for b in ladder_around(Budget(5000), small)] == ["25w", "50w", "5000w"]
    eighth = ladder_around(Budget(8, "percent"), small)
    assert [str(b) for b in eighth] == ["1%", "2%", "4%", "8%", "16%", "32%"]


@given(asked=st.integers(1, 10**6), repeats=st.integers(1, 5000))
def test_the_stops_of_the_slider_fit_the_document(asked: int, repeats: int):
    builder = DocumentBuilder()
    builder.sentences(["Three words here."] * repeats)
    budgets = ladder_around(Budget(asked), builder.build("Long"))
    amounts = [budget.amount for budget in budgets]
    assert amounts == sorted(set(amounts))
    assert asked in amounts
    assert len(amounts) <= 6
    others = [amount for amount in amounts if amount != asked]
    assert all(2 * amount <= 3 * repeats for amount in others)
    assert all(max(amount / asked, asked / amount) >= 4 / 3 for amount in others)


def test_tokens_are_words_and_marks_unless_told_otherwise(small: Document):
    budget = Budget(10, "tokens")
    assert budget.cost("The dam's cost, 5,000 (of 7) — high!") == 14
    assert budget.cost("東京は晴れ。") == 6
    letters = Budget(10, "tokens", len)
    assert letters == budget
    assert letters.cost("dam") == 3
    assert letters.capacity(small) == 10


def test_a_share_is_made_absolute_and_is_at_least_a_word(small: Document):
    assert Budget(10, "percent").absolute(small) == Budget(10)
    assert Budget(0.1, "percent").absolute(small) == Budget(1)
    for budget in (Budget(7), Budget(7, "tokens"), Budget(7, "sentences")):
        assert budget.absolute(small) == budget
