"""The search for runs of sentences, against the paper's definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from longsum.core.magnifier.expansion import Expansions, Repeats
from longsum.language.words import terms

WORDS = st.sampled_from(["river", "water", "valley", "flood", "dam", "bridge"])
SENTENCE = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)


def everything(count: int) -> np.ndarray:
    return np.ones(count, dtype=bool)


@given(st.data(), st.lists(SENTENCE, min_size=1, max_size=3), st.lists(SENTENCE, min_size=1))
def test_scores_are_mean_similarity_times_overlap(data, prototype, sentences):
    n = len(sentences)
    shape = (len(prototype), n)
    similarity = np.array(
        data.draw(st.lists(st.floats(0, 1), min_size=shape[0] * n, max_size=shape[0] * n))
    ).reshape(shape)
    sections = sorted(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    found = Expansions(prototype, sentences, similarity, sections)
    for length in (2, 3):
        scores = found.scores(length)
        assert scores.shape == (len(prototype), max(n - length + 1, 0))
        for row, sentence in enumerate(prototype):
            tokens = terms(sentence)
            for first in range(scores.shape[1]):
                run = slice(first, first + length)
                held = set(terms(" ".join(sentences[run])))
                overlap = sum(token in held for token in tokens) / len(tokens)
                whole = len(set(sections[run])) == 1
                expected = similarity[row, run].mean() * overlap * whole
                np.testing.assert_allclose(scores[row, first], expected, atol=1e-12)


def test_of_the_best_four_the_one_with_the_fewest_repeats_comes_first():
    sentences = ["dam on river", "big dam here", "river dam big", "a dam", "old dam", "dam"]
    similarity = np.array([[0.9, 0.9, 0.5, 0.5, 0.4, 0.1]])
    found = Expansions(["dam"], sentences, similarity, [0] * 6)
    summary = Repeats()
    before = found.best(0, 2, everything(5), summary)
    assert [run.sentences for run in before] == [(0, 1), (1, 2), (2, 3), (3, 4)]
    summary.add(["dam on river"])
    after = found.best(0, 2, everything(5), summary)
    # (0, 1) would repeat "dam on", "on river" and "dam on river"; "river dam" is new.
    assert [run.sentences for run in after] == [(1, 2), (2, 3), (3, 4), (0, 1)]
    assert [run.repeats for run in after] == [0, 0, 0, 3]
    allowed = np.array([True, False, True, True, True])
    assert found.best(0, 2, allowed, summary)[0].sentences == (2, 3)


def test_a_run_without_common_words_is_no_expansion():
    found = Expansions(["dam"], ["coal train", "coal ship"], np.ones((1, 2)), [0, 0])
    assert found.best(0, 2, everything(1), Repeats()) == ()
    # Repeats within the run count.
    summary = Repeats()
    # "old dam" twice: one bigram too many; no trigram.
    assert summary.count(["old dam", "old dam"]) == 1
    summary.add(["an old dam"])
    # "an old", "old dam" and "an old dam" are already there.
    assert summary.count(["an old dam stood"]) == 3
