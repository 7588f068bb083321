"""The overlap kept up to date equals the overlap counted anew."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.evaluation.metrics.overlap import ClippedOverlap

tokens = st.lists(st.sampled_from("abcd"), max_size=8)


def clipped(selection: Counter[str], reference: list[str]) -> int:
    return sum(min(count, selection[token]) for token, count in Counter(reference).items())


@settings(max_examples=examples(200))
@given(tokens, st.lists(tokens, min_size=1, max_size=4), tokens, st.data())
def test_equal_to_counting(
    reference: list[str], candidates: list[list[str]], added: list[str], data: st.DataObject
) -> None:
    overlap = ClippedOverlap(reference, candidates)
    removed = data.draw(st.lists(st.sampled_from(added), unique=True)) if added else []
    overlap.add(added)
    overlap.remove(removed)
    selection = Counter(added) - Counter(removed)
    assert overlap.overlap == clipped(selection, reference)
    extra, lost = ["a", "a", "b"], data.draw(st.sampled_from([[], [*selection][:1]]))
    for place, candidate in enumerate(candidates):
        grown = selection + Counter(candidate)
        assert overlap.gains[place] == clipped(grown, reference) - overlap.overlap
        changed = grown + Counter(extra) - Counter(lost)
        expected = clipped(changed, reference) - overlap.overlap
        assert overlap.gain(place, extra, lost) == expected
