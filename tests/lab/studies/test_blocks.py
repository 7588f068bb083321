"""Designs: as balanced as the numbers allow."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longsum.lab.studies.blocks import balanced_blocks, concurrence, pairs_of, singles_of, span
from longsum.lab.studies.fact_checks import rotated


@pytest.mark.parametrize(
    ("varieties", "size", "count", "together"),
    [(7, 3, 7, 1), (13, 4, 13, 1), (6, 3, 10, 2), (11, 5, 11, 2), (4, 2, 6, 1), (21, 5, 21, 1)],
)
def test_designs_of_the_textbooks_are_found(varieties, size, count, together):
    blocks = balanced_blocks(varieties, size, count, Random(0))
    seen = concurrence(varieties, blocks)
    assert set(pairs_of(seen)) == {together}
    assert set(singles_of(seen)) == {count * size // varieties}


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.integers(0, 12), st.integers(0, 9))
def test_pairs_differ_by_one_at_most(varieties, count, seed):
    """In blocks of two, the numbers always allow this."""
    blocks = balanced_blocks(varieties, 2, count, Random(seed))
    seen = concurrence(varieties, blocks)
    assert len(blocks) == count
    assert all(len(set(block)) == 2 for block in blocks)
    least, most = span(pairs_of(seen))
    assert most - least <= 1
    least, most = span(singles_of(seen))
    assert most - least <= 1


def test_later_blocks_make_up_for_earlier_ones():
    first = concurrence(5, balanced_blocks(5, 2, 7, Random(0)))
    both = concurrence(5, balanced_blocks(5, 2, 3, Random(1), before=first), before=first)
    assert set(pairs_of(both)) == {1}


def test_counts_are_those_of_the_blocks():
    seen = concurrence(4, [(0, 1, 2), (0, 2)])
    assert singles_of(seen) == [2, 1, 2, 0]
    assert pairs_of(seen) == [1, 2, 0, 1, 0, 0]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 11), st.integers(1, 9), st.integers(1, 5), st.integers(0, 9))
def test_every_document_is_seen_once_and_in_all_settings_equally_often(
    people, documents, kinds, seed
):
    found = rotated(people, documents, kinds, Random(seed))
    assert [len(row) for row in found] == [documents] * people
    assert {each for row in found for each in row} <= set(range(kinds))
    for row in found:
        least, most = span(row.count(kind) for kind in range(kinds))
        assert most - least <= 1
    total = Counter(each for row in found for each in row)
    for kind in range(kinds):
        column = [sum(row[document] == kind for row in found) for document in range(documents)]
        assert sum(column) == total[kind]
        assert max(column) - min(column) <= 1


def test_settings_meet_equally_often_if_documents_are_few():
    """Three documents in five settings, as in MLS, and ten people: pairs meet three times."""
    found = rotated(10, 3, 5, Random(0))
    assert set(pairs_of(concurrence(5, [sorted(row) for row in found]))) == {3}
    assert {row.count(kind) for row in zip(*found, strict=True) for kind in range(5)} == {2}
