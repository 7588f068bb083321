"""A text is divided where its vocabulary changes."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.core.section_trees.segmentation import SHORTEST, key_terms, topic_segments

FIELDS = (
    "harbour ship cargo crane dock pilot anchor tide",
    "kitchen bread flour oven yeast dough baker crust",
    "forest timber cedar sapling moss ranger trail pine",
)


WORDS = ("tide", "dough", "cedar", "the", "5")


def _text(fields: list[int], count: int = 25, seed: int = 1) -> list[str]:
    draw = random.Random(seed)
    return [
        f"The {' and the '.join(draw.sample(FIELDS[which].split(), 4))} were seen."
        for which in fields
        for _ in range(count)
    ]


def test_boundaries_are_where_the_words_change() -> None:
    found = topic_segments(_text([0, 1, 2]), 3)
    assert found == [range(25), range(25, 50), range(50, 75)]
    names = key_terms([_text([which]) for which in (0, 1, 2)], 3)
    for name, own in zip(names, FIELDS, strict=True):
        assert set(name) <= set(own.split())


def test_between_topics_a_stretch_of_nothing_belongs_to_the_later_one() -> None:
    between = ["And so it was."] * 30
    assert topic_segments(_text([0]) + between + _text([1]), 4) == [range(25), range(25, 80)]


def test_never_more_than_asked_for() -> None:
    assert len(topic_segments(_text([0, 1, 2, 0, 1, 2]), 4)) == 4
    assert topic_segments(_text([0, 1]), 1) == [range(50)]


def test_little_or_no_text() -> None:
    assert topic_segments([], 5) == []
    assert topic_segments(["One."], 5) == [range(1)]
    assert key_terms([[], ["The tide turned."]], 2) == [(), ("tide", "turned")]


@settings(max_examples=examples(60))
@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=9), max_size=40),
    st.integers(1, 6),
)
def test_segments_cover_the_text_in_order(words: list[list[str]], most: int) -> None:
    sentences = [" ".join(each) for each in words]
    found = topic_segments(sentences, most)
    assert [place for part in found for place in part] == list(range(len(sentences)))
    assert len(found) <= most
    assert len(found) < 2 or min(map(len, found)) >= SHORTEST
