"""Novel and repeated n-grams by hand."""

import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.metrics import novel_ngrams, repeated_ngrams

DOCUMENT = "The cat sat on the mat."


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (1, 1 / 4),  # the, cat, sat known; here new
        (2, 1 / 3),  # the cat, cat sat known; sat here new
        (4, 1.0),
        (5, 0.0),  # no n-gram so long
    ],
)
def test_by_hand(n: int, expected: float) -> None:
    assert novel_ngrams("The cat sat here.", DOCUMENT, n) == expected


def test_each_occurrence_counts() -> None:
    assert novel_ngrams("dog dog dog cat", DOCUMENT, 1) == 3 / 4


def test_empty_sides() -> None:
    assert novel_ngrams("", DOCUMENT, 1) == 0.0
    assert novel_ngrams("a cat", "", 1) == 1.0


def test_impossible_n_is_refused() -> None:
    with pytest.raises(LongsumError, match="give n as 1 or more"):
        novel_ngrams("a", "a", 0)
    with pytest.raises(LongsumError, match="give n as 1 or more"):
        repeated_ngrams("a", 0)


def test_repetitions_by_hand() -> None:
    # the cat, cat saw, saw the, the cat, cat sleep: one of five a second time.
    assert repeated_ngrams("The cat saw. The cat sleep.", 2) == pytest.approx(1 / 5)
    assert repeated_ngrams("the cat saw the cat sleep", 3) == 0.0
    assert repeated_ngrams("no no no", 1) == pytest.approx(2 / 3)
    assert repeated_ngrams("", 2) == 0.0
