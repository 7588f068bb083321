from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from longsum.tables.table_relations import damerau_levenshtein

WORDS = st.text("abc", max_size=6)


@cache
def defined(one: str, other: str) -> int:
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
def test_it_is_its_definition(one, other):
    assert damerau_levenshtein(one, other) == defined(one, other)
    assert damerau_levenshtein(one, other) == damerau_levenshtein(other, one)
