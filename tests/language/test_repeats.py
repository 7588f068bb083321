from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from linear_time import assert_linear
from longsum.language.repeats import Repetitions, first_alike, plain


def test_what_differs_in_form_alone_is_the_same():
    assert plain(" The  Final ﬁgures\u00a0rose! ") == plain("the final figures rose.")
    assert plain("The figures rose by 1.") != plain("The figures rose by 2.")
    assert plain("It rose; then fell.") != plain("It rose then fell.")


def test_each_names_the_first_like_it():
    assert first_alike(["A b.", "C.", "a  b", "c?", "D."]).tolist() == [0, 1, 0, 1, 4]
    assert first_alike([]).tolist() == []


def repeats(one, other):
    index = Repetitions([one, "The weather in Norway was fine all week long.", other])
    found = index.of(0).tolist()
    assert found == ([2] if index.of(2).tolist() == [0] else [])
    return bool(found)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (
            "The river flooded the northern valley.",
            "The river flooded the northern valley again.",
            True,
        ),
        (
            "The office audits federal programs of housing aid.",
            "As before, the office audits federal programs of housing aid, and it reports on dams.",
            True,
        ),
        ("Costs of the dam rose by 5 percent.", "Costs of the dam rose by 7 percent.", False),
        (
            "The river flooded the northern valley.",
            "The river never flooded the northern valley.",
            False,
        ),
        (
            "The river flooded the northern valley.",
            "The valley has northern fields and a river.",
            False,
        ),
        ("The river rose.", "The river rose again.", False),
    ],
)
def test_near_and_contained_sentences(one, other, same):
    assert repeats(one, other) is same


WORDS = st.sampled_from(
    ["river", "valley", "floods", "dam", "coast", "coal", "trains", "market", "fields", "summer"]
)


@st.composite
def nearly_alike(draw):
    """Sentences, and the same with a word more."""
    sentences = draw(st.lists(st.lists(WORDS, max_size=9), max_size=5))
    longer = [list(words) for words in sentences]
    for words in longer:
        words.insert(draw(st.integers(0, 9)), draw(WORDS | st.just("muddy")))
    return sentences + longer


@given(nearly_alike())
@example(
    [
        ["river", "valley", "dam", "coal", "coast"],
        ["river", "valley", "muddy", "dam", "coal", "coast"],
    ]
)
def test_the_index_finds_what_a_comparison_of_all_pairs_finds(sentences):
    index = Repetitions([" ".join(words) for words in sentences])
    sets = [
        {*words, *map(" ".join, pairwise(words))} if len({*words}) > 3 else set()
        for words in sentences
    ]
    for place, own in enumerate(sets):
        expected = [
            other
            for other, its in enumerate(sets)
            if other != place and own and its and 5 * len(own & its) >= 4 * min(len(own), len(its))
        ]
        assert index.of(place).tolist() == expected
        pairs = [other for other in range(len(sets)) if index.are_alike(place, other)]
        assert [each for each in pairs if each != place] == expected


def test_the_index_takes_linear_time():
    draw = Random(5)
    vocabulary = [f"word{number}" for number in range(5000)]
    texts = [" ".join(draw.choices(vocabulary, k=12)) for _ in range(40_000)]

    def build_and_ask(size):
        index = Repetitions(texts[:size])
        for place in range(0, size, 100):
            index.of(place)

    assert_linear(build_and_ask, 40_000)
