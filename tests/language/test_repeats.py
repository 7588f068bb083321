from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from linear_time import assert_linear
from longsum.language.repeats import Repetitions, first_alike, plain
from longsum.language.words import content_terms


def test_texts_that_differ_only_in_form_are_equal():
    assert plain(" The  Final ﬁgures\u00a0rose! ") == plain("the final figures rose.")
    assert plain("The figures rose by 1.") != plain("The figures rose by 2.")
    assert plain("It rose; then fell.") != plain("It rose then fell.")


def test_each_names_the_first_like_it():
    assert first_alike(["A b.", "C.", "a  b", "c?", "D."]).tolist() == [0, 1, 0, 1, 4]
    assert first_alike([]).tolist() == []


WORDS = st.sampled_from(
    ["river", "valley", "floods", "dam", "coast", "coal", "trains", "market", "fields", "summer"]
)
# What is no term and yet tells one sentence from another, or does not.
OTHERS = st.sampled_from(["5", "7.5", "never", "the", "muddy"])


@st.composite
def nearly_alike(draw):
    """Draw pairs of sentences that differ only in one word and in the end."""
    sentences = draw(st.lists(st.lists(WORDS, min_size=3, max_size=9), max_size=4))
    longer = [list(words) for words in sentences]
    for words in sentences + longer:
        words.insert(draw(st.integers(0, 9)), draw(WORDS | OTHERS))
        words[-1] += draw(st.sampled_from(["", ".", "?"]))
    return sentences + longer


@given(nearly_alike())
@example(
    [
        ["river", "valley", "dam", "coal", "coast"],
        ["river", "valley", "muddy", "dam", "coal", "coast"],
    ]
)
def test_the_index_finds_the_same_as_a_comparison_of_all_pairs(sentences):
    index = Repetitions([" ".join(words) for words in sentences])
    said = [(" ".join(words), content_terms(" ".join(words))) for words in sentences]
    sets = [{*terms, *map(" ".join, pairwise(terms))} for _, terms in said]

    def numbers(text):
        return {word.strip(".?") for word in text.split() if word[0].isdigit()}

    def within(one, other):
        (text, terms), (its, others) = said[one], said[other]
        return (
            min(len({*terms}), len({*others})) > 3
            and text.count("never") == its.count("never")
            and ("?" in text) == ("?" in its)
            and numbers(text) <= numbers(its)
            and 5 * len(sets[one] & sets[other]) >= 4 * len(sets[one])
        )

    for place in range(len(sets)):
        expected = [
            other
            for other in range(len(sets))
            if other != place and (within(place, other) or within(other, place))
        ]
        assert index.of(place).tolist() == expected
        pairs = [other for other in range(len(sets)) if index.are_alike(place, other)]
        assert [each for each in pairs if each != place] == expected


def test_a_sentence_that_ends_in_a_question_mark_is_a_question():
    index = Repetitions([f"The river floods valley{mark} daily." for mark in ("", " (?)")])
    assert index.are_alike(0, 1)
    asked = Repetitions([f"The river floods the valley daily{end}" for end in (".", "?”")])
    assert not asked.are_alike(0, 1)


def test_of_more_than_200_terms_nothing_repeats_anything():
    for terms, found in ((200, [1]), (201, [])):
        long = " ".join(f"river{number}" for number in range(terms))
        assert Repetitions([f"{long}.", f"Then {long}."]).of(0).tolist() == found


@pytest.mark.timing
def test_the_index_takes_linear_time():
    draw = Random(5)
    vocabulary = [f"word{number}" for number in range(5000)]
    texts = [" ".join(draw.choices(vocabulary, k=12)) for _ in range(40_000)]

    def build_and_ask(size):
        index = Repetitions(texts[:size])
        for place in range(0, size, 100):
            index.of(place)

    assert_linear(build_and_ask, 40_000)
