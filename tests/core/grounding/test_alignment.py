import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.core.grounding.alignment import MIN_NOTABLE, OVERLAP_WEIGHT, Aligner, notable


@pytest.fixture(scope="module")
def texts(small) -> list[str]:
    return [sentence.text for sentence in small.sentences]


def test_a_copied_sentence_has_only_its_source(texts):
    # A copy is at least 85 % of its source: 34 of 40 letters, and 34 of 41.
    for first, method in (("Bends", "copied"), ("Beyond", "aligned")):
        text = "rivers of the valley feed the seas"
        assert Aligner([f"{first} {text}", "Rivers."]).align(text)[0].method == method
    aligner = Aligner(texts)
    # Sentences 0 and 2 differ in one word.
    for place, text in enumerate(texts):
        (found,) = aligner.align(text.upper().replace(" ", "  "))
        assert (found.sentence, found.score, found.method) == (place, 1.0, "copied")


def test_the_formula_by_hand():
    # Terms of y: {dams, hold, water}; of x: {old, dams, hold, water}: F1 = 6/7. Pairs of y:
    # (dams, hold), (hold, water), the last of which is in x: 1/2.
    aligner = Aligner(["Old dams that hold water."])
    (found,) = aligner.align("Dams hold water.")
    assert found.score == pytest.approx((6 / 7 + 1 / 2) / 2)
    (attended,) = aligner.align("Dams hold water.", np.array([0.4]))
    overlap = OVERLAP_WEIGHT * (6 / 7 + 1 / 2) / 2
    assert attended.reasons == pytest.approx({"overlap": overlap, "attention": 0.25 * 0.4})
    assert attended.score == sum(attended.reasons.values())
    # One of two and three terms is F1 = 2/5, half of which is the least that counts.
    (least,) = Aligner(["Dams hold rivers."]).align("Rivers sleep.")
    assert (least.score, least.method) == (0.2, "aligned")
    assert Aligner(["Old dams hold rivers."]).align("Rivers sleep.") == ()


def test_attention_breaks_ties_and_without_overlap_must_be_strong(texts):
    attention = np.zeros(len(texts))
    attention[2] = 0.5
    sentence = "The river carries water to the sea."
    assert Aligner(texts).align(sentence)[0].sentence == 0
    assert Aligner(texts).align(sentence, attention)[0].sentence == 2
    # Without overlap it must be strong.
    attention[2], attention[4], attention[5] = 0, 0.6, 0.1
    (found,) = Aligner(texts).align("Nothing alike.", attention)
    assert (found.sentence, found.method) == (4, "attention")
    assert Aligner(texts).align("Nothing alike.") == ()


@given(st.lists(st.sampled_from(["river", "dams", "hold", "in", "north", "42", "coal"])))
def test_at_most_three_sources_in_order_of_scores_within_range(words):
    texts = ["River dams hold water.", "Dams in the north hold coal.", "42 dams.", "Coal, coal."]
    found = Aligner(texts).align(" ".join(words), np.array([0.5, 0.5, 0.0, 0.0]))
    scores = [alignment.score for alignment in found]
    assert len(found) <= 3
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    assert len({alignment.sentence for alignment in found}) == len(found)


def test_attention_that_follows_length_is_not_notable():
    lengths = np.array([10.0, 30.0, 60.0])
    assert not notable(lengths / 200, lengths).any()
    assert not notable(np.zeros(3), lengths).any()
    found = notable(np.array([0.5, 0.2, 0.3]), lengths)
    assert found.tolist() == pytest.approx([1.0, 0.0, 0.0])
    # A hundredth too much for the first is a tenth of what counts in full.
    weak = notable(np.array([0.11, 0.3, 0.59]), lengths)
    assert weak.tolist() == pytest.approx([0.01 / MIN_NOTABLE, 0.0, 0.0])


def test_a_further_source_scores_at_least_two_fifths_of_the_first():
    words = ["river", "bridge", "farmer", "market", "valley"]
    words += ["engine", "harbour", "forest", "railway", "mountain"]

    def sharing(count: int) -> str:
        return " ".join([*words[:count], *(f"filling{count}{n}" for n in range(10 - count))])

    def score(count: int) -> float:
        """F1 of the words and the share of the pairs, of ten and nine."""
        return (count / 10 + (count - 1) / 9) / 2

    # Relative to a source with nine of ten words, four words are 0.41 and three 0.29.
    assert score(3) < 0.4 * score(9) < score(4)
    found = Aligner([sharing(3), sharing(9), sharing(4)]).align(" ".join(words))
    assert [alignment.sentence for alignment in found] == [1, 2]
    assert [alignment.score for alignment in found] == pytest.approx([score(9), score(4)])
