"""The text of doubts, and how much of a document was read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from document_views import build_tree
from longsum.core.summaries import Coverage
from longsum.core.summaries.sentence import Doubt

SPAN = ("4,5", 3, 6)


@pytest.mark.parametrize(
    ("doubt", "says"),
    [
        (
            Doubt("source", "missing", "document"),
            "no sentence of the document was found that says it",
        ),
        (
            Doubt("wording", "missing", "cited"),
            "more than half of its words are not in the cited sentences",
        ),
        (
            Doubt("negation", "differs", "cited", *SPAN, "no", 8),
            "it says “4,5” where sentence 9 of the document says “no”",
        ),
        (
            Doubt("unit", "differs", "cited", *SPAN, "4,5 kg", 8),
            "sentence 9 of the document has 4,5 kg in place of 4,5",
        ),
        (
            Doubt("money", "differs", "document", *SPAN, "4,6", 0),
            "where it has the sum 4,5, sentence 1 of the document has 4,6",
        ),
        (
            Doubt("number", "missing", "document", *SPAN),
            "the number 4,5 is nowhere in the document",
        ),
        (Doubt("date", "missing", "cited", *SPAN), "the date 4,5 is not in the cited sentences"),
        (
            Doubt("name", "missing", "cited", *SPAN, sentence=8),
            "the name 4,5 is not in the cited sentences, but in sentence 9",
        ),
    ],
)
def test_a_doubt_states_what_was_found_and_where(doubt: Doubt, says: str) -> None:
    assert str(doubt) == says
    told = doubt.to_json()
    assert told.pop("says") == says
    assert Doubt(**told) == doubt
    place = (3, 6) if doubt.text else (0, 0)
    assert (doubt.start, doubt.end) == place


@given(ranks=st.lists(st.integers(1, 3), max_size=6), read=st.sets(st.integers(0, 5)))
def test_unread_sections_are_reported(ranks, read) -> None:
    # Each section has one sentence, of its own number.
    read = {number for number in read if number < len(ranks)}
    coverage = Coverage.of(build_tree(ranks), read)
    assert (coverage.sentences_read, coverage.sentences_total) == (len(read), len(ranks))
    assert set(coverage.unread_sections) == set(range(len(ranks))) - read
