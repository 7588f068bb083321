"""Scores of relations, against independent definitions and games by hand."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.tables.relation_finder import same_in_league
from longsum.tables.table_relations import (
    Triple,
    content_ordering,
    content_selection,
    damerau_levenshtein,
    relation_generation,
    same_entity,
)

PARTS = ["Boston", "Celtics", "Los Angeles", "Lakers"]
SAME = same_entity(["Boston Celtics", "Los Angeles Lakers"], PARTS)


def triples(text):
    return [Triple(*each.split("|")) for each in text.split()]


def test_relation_generation_by_hand():
    a, b, c = triples("a|1|x b|2|x c|3|x")
    # 4 of 6 relations are right; without the repetition 3 differ, in 2 reports.
    made = relation_generation(
        [[(a, True), (a, True), (b, False)], [(a, True), (c, True), (b, False)]]
    )
    assert made.precision == pytest.approx(4 / 6)
    assert made.count == 3 / 2
    assert relation_generation([[]]).precision == 0
    with pytest.raises(ValueError, match="at least one"):
        relation_generation([])


def test_repetitions_are_compared_with_all_before_them_repetitions_too():
    """As in the published script, Ash repeats Ann Ash, and Bo Ash repeats Ash, but not Ann Ash."""
    prediction = [Triple(name, "1", "x") for name in ("Ann Ash", "Ash", "Bo Ash")]
    made = content_selection([prediction], [[Triple("Bo Ash", "1", "x")]], SAME)
    assert (made.precision, made.recall) == (0, 0)


def test_content_ordering_by_hand():
    reference = triples("a|1|x b|2|x c|3|x d|4|x")
    # One swap over four; two missing of four; nothing in common; both empty.
    other = triples("x|9|x y|9|x z|9|x")
    made = [triples("b|2|x a|1|x c|3|x d|4|x"), triples("a|1|x b|2|x"), other, []]
    references = [reference, reference, reference, []]
    expected = [1 - 1 / 4, 1 - 2 / 4, 0, 1]
    for prediction, wanted, score in zip(made, references, expected, strict=True):
        assert content_ordering([prediction], [wanted], SAME) == pytest.approx(score)
    assert content_ordering(made, references, SAME) == pytest.approx(sum(expected) / 4)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Boston", "Boston Celtics", True),
        ("Celtics", "Boston", True),
        ("Boston", "Lakers", False),
        ("Boston", "Bost", True),  # inside the same full name
        ("Thomas", "Isaiah Thomas", True),
        ("Isaiah Thomas", "Thomas", True),
        ("Thomas", "Lance Thomas", True),  # as published: a part of the other is enough
        ("Isaiah Thomas", "Lance Thomas", False),
        ("LA Lakers", "Lakers", True),  # what is no part of a team's name is any other name
        ("the Boston Celtics", "Boston Celtics", True),
    ],
)
def test_same_entity(one, other, same):
    assert SAME(one, other) is same
    assert same_in_league()(one, other) is same


NAMES = st.sampled_from(["Boston", "Celtics", "Boston Celtics", "Lakers", "Ann Ash", "Ash"])
TRIPLES = st.lists(
    st.builds(Triple, NAMES, st.sampled_from("12"), st.sampled_from("xy")), max_size=6
)
REPORTS = st.lists(st.tuples(TRIPLES, TRIPLES), min_size=1, max_size=4)


def equal(one, other):
    if one[1:] != other[1:]:
        return False
    if one[0] in PARTS:
        full = ("Boston Celtics", "Los Angeles Lakers")
        return one[0] == other[0] or any(one[0] in f and other[0] in f for f in full)
    return one[0] in other[0] or other[0] in one[0]


def once(report):
    """A second implementation of the published removal of repetitions."""
    repeated = {n for n in range(len(report)) for m in range(n) if equal(report[n], report[m])}
    return [triple for n, triple in enumerate(report) if n not in repeated]


@given(REPORTS)
def test_content_selection_is_its_definition(reports):
    tp = predicted = gold = 0
    for prediction, reference in reports:
        mine, theirs = once(prediction), once(reference)
        tp += len([t for t in mine if [1 for r in theirs if equal(t, r)]])
        predicted, gold = predicted + len(mine), gold + len(theirs)
    made = content_selection(*zip(*reports, strict=True), SAME)
    assert made.precision == (tp / predicted if predicted else 0)
    assert made.recall == (tp / gold if gold else 0)
    # 2 P R / (P + R), with tp in both.
    assert made.f1 == pytest.approx(2 * tp / (predicted + gold) if tp else 0)


@given(TRIPLES)
def test_a_report_has_its_own_order(report):
    assert content_ordering([report], [report], SAME) == 1


WORDS = st.text("abc", max_size=6)


@cache
def defined(one, other):
    if not one or not other:
        return len(one) + len(other)
    costs = [
        defined(one[:-1], other) + 1,
        defined(one, other[:-1]) + 1,
        defined(one[:-1], other[:-1]) + (one[-1] != other[-1]),
    ]
    if one[-2:] == other[-2:][::-1] and len(one) > 1 and len(other) > 1:
        costs.append(defined(one[:-2], other[:-2]) + 1)
    return min(costs)


@given(WORDS, WORDS)
def test_a_distance_of_edits_is_its_definition(one, other):
    assert damerau_levenshtein(one, other) == defined(one, other)
    assert damerau_levenshtein(one, other) == damerau_levenshtein(other, one)
