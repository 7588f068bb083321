import math
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.core.section_trees import segmentation
from longsum.core.section_trees.segmentation import LEAST_DEPTH, SHORTEST, key_terms, topic_segments
from longsum.language.words import content_terms

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
    assert topic_segments(_text([0, 1, 2]), 3) == [range(25), range(25, 50), range(50, 75)]
    names = key_terms([_text([which]) for which in (0, 1, 2)], 3)
    for name, own in zip(names, FIELDS, strict=True):
        assert set(name) <= set(own.split())


def test_sentences_without_terms_between_topics_belong_to_the_later_one() -> None:
    between = ["And so it was."] * 30
    assert topic_segments(_text([0]) + between + _text([1]), 4) == [range(25), range(25, 80)]


def test_at_most_the_requested_segments_even_for_short_or_empty_texts() -> None:
    assert len(topic_segments(_text([0, 1, 2, 0, 1, 2]), 4)) == 4
    assert topic_segments(_text([0, 1]), 1) == [range(50)]
    assert topic_segments([], 5) == []
    assert topic_segments(["One."], 5) == [range(1)]
    assert key_terms([[], ["The tide turned."]], 2) == [(), ("tide", "turned")]


@settings(max_examples=examples(120))
@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=9), min_size=16, max_size=40),
    st.integers(1, 6),
)
def test_segments_cover_the_text_and_end_in_the_deepest_valleys(words, most) -> None:
    sentences = [" ".join(each) for each in words]
    # Few terms fill a block, so that there is more than one on either side of a gap.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segmentation, "BLOCK_TERMS", 12)
        found = topic_segments(sentences, most)
    assert [place for part in found for place in part] == list(range(len(sentences)))
    assert len(found) <= most
    assert len(found) < 2 or min(map(len, found)) >= SHORTEST
    depths = _depths([Counter(content_terms(text)) for text in sentences])
    ends = [part.stop for part in found[:-1]]
    least = max([SHORTEST, len(sentences) // (4 * most)])
    for end in ends:
        assert depths[end] >= LEAST_DEPTH
    for place, depth in depths.items():
        apart = all(abs(place - end) >= least for end in (0, *ends, len(sentences)))
        if apart and len(found) < most:
            valleys = [each for each in depths.values() if each > 0]
            usual = fmean(valleys) - pstdev(valleys) / 2 if valleys else 0
            assert depth < max(usual, LEAST_DEPTH) + 1e-9


def _depths(counts: list[Counter[str]]) -> dict[int, float]:
    """How deep the valley of the cosines is at each place, written out."""
    scores = []
    for place in range(1, len(counts)):
        sides = []
        for nearest in (reversed(counts[:place]), iter(counts[place:])):
            side: Counter[str] = Counter()
            while side.total() < 12 and (more := next(nearest, None)) is not None:
                side += more
            sides.append(side)
        one, other = sides
        norm = math.hypot(*one.values()) * math.hypot(*other.values())
        scores.append(sum(one[term] * other[term] for term in one) / norm if norm else 1.0)
    depths = {}
    for at, score in enumerate(scores):
        slopes = [list(_rising(side)) for side in (scores[at::-1], scores[at:])]
        falls = [slope[-1] - score for slope in slopes]
        first = at == 0 or scores[at - 1] > score
        depths[at + 1] = sum(falls) if first and min(falls) > 0 else 0.0
    return depths


def _rising(scores: list[float]) -> Iterator[float]:
    yield scores[0]
    for one, other in pairwise(scores):
        if other < one:
            return
        yield other
