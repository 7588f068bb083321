from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.evaluation.metrics.overlap import ClippedOverlap
from longsum.evaluation.metrics.recall_search import RecallSearch

words = st.lists(st.sampled_from("abcde"), max_size=6)
documents = st.lists(words, min_size=1, max_size=8)
references = st.lists(st.lists(st.sampled_from("abcde"), max_size=12), min_size=1, max_size=3)


def recall(chosen: list[list[str]], reference: list[str]) -> float:
    """ROUGE-1 + ROUGE-2 recall by the definition; bigrams stay within sentences."""
    total = 0.0
    for ngrams in (list, lambda tokens: list(pairwise(tokens))):
        own = Counter(ngram for sentence in chosen for ngram in ngrams(sentence))
        wanted = Counter(ngrams(reference))
        total += (own & wanted).total() / max(wanted.total(), 1)
    return total


@settings(max_examples=examples(80))
@given(documents, references, st.randoms(use_true_random=False))
def test_gains_are_differences_of_recall(sentences, targets, random) -> None:
    costs = np.array([max(len(sentence), 1) for sentence in sentences])
    search = RecallSearch(sentences, targets, costs, 0.6)
    chosen: list[int] = []
    for _ in range(3):
        before = [sentences[place] for place in chosen]
        expected = [
            np.mean([recall([*before, own], each) - recall(before, each) for each in targets])
            / cost**0.6
            for own, cost in zip(sentences, costs, strict=True)
        ]
        assert search.gains() == pytest.approx(expected, abs=1e-12)
        chosen.append(random.randrange(len(sentences)))
        search.choose(chosen[-1])


def test_a_reset_search_knows_of_no_choice() -> None:
    search = RecallSearch([["a", "b"], ["c"]], [["a", "b", "c"]], np.array([2, 1]), 1.0)
    first = search.gains()
    search.choose(0)
    assert search.gains()[0] == 0
    search.reset()
    assert (search.gains() == first).all()


tokens = st.lists(st.sampled_from("abcd"), max_size=8)


def clipped(selection: Counter[str], reference: list[str]) -> int:
    return sum(min(count, selection[token]) for token, count in Counter(reference).items())


@settings(max_examples=examples(200))
@given(tokens, st.lists(tokens, min_size=1, max_size=4), tokens, st.data())
def test_equal_to_counting(reference, candidates, added, data) -> None:
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
