from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from longsum.core.extractive.plan_ranking import BlockingRanking, Trigrams, _allowed
from longsum.core.extractive.selection import FixedRanking, Selection
from longsum.core.summaries import Budget
from longsum.core.systems.system import Request

SENTENCES = st.lists(
    st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join), min_size=1, max_size=8
)


def trigrams(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[start : start + 3]) for start in range(len(words) - 2)}


@given(SENTENCES, st.data())
def test_blocking_affects_exactly_the_sentences_that_share_a_trigram(
    sentences: list[str], data: st.DataObject
) -> None:
    places = st.integers(0, len(sentences) - 1)
    chosen = data.draw(st.lists(places, max_size=4))
    held = set().union(*(trigrams(sentences[place]) for place in chosen))
    expected = [bool(trigrams(sentence) & held) for sentence in sentences]
    assert Trigrams(sentences).blocked(chosen).tolist() == expected


def test_case_and_punctuation_do_not_matter() -> None:
    found = Trigrams(
        ["The river, rose again", "Yes: the River rose!", "river rose the", "the river"]
    )
    assert found.blocked([0]).tolist() == [True, True, False, False]
    assert found.sharing(0).tolist() == [0, 1]
    assert found.sharing(3).tolist() == []


def test_if_the_preferred_sentences_are_blocked_others_may_be_chosen() -> None:
    sentences = ["a b c", "a b c d", "e f g"]
    ranking = BlockingRanking(FixedRanking(np.array([3.0, 2.0, 1.0]), "x"), Trigrams(sentences))
    preferred = np.array([True, True, False])
    selection = Selection(ranking, [1, 1, 1], preferred=preferred)
    assert selection.extend(3) == 2
    assert [choice.sentence for choice in selection.choices] == [0, 2]
    assert selection.choices[1].runner_up is None
    # The wrapped ranking is told each choice.
    told: list[int] = []
    BlockingRanking(SimpleNamespace(choose=told.append), Trigrams(sentences)).choose(2)
    assert told == [2]


def test_a_sentence_that_fits_exactly_may_follow(small) -> None:
    """A beam ends where no sentence fits, but not before one that fits exactly."""
    costs = [len(sentence.text.split()) for sentence in small.sentences]
    for words in {costs[0] + costs[1], costs[0] + costs[1] - 1}:
        request = Request(small, Budget(words))
        read = SimpleNamespace(known=np.ones(len(costs), dtype=bool), preferred=np.ones(9, int))
        copies = SimpleNamespace(texts=[s.text for s in small.sentences], costs=lambda _: costs)
        allowed = _allowed(request, read, copies, None)
        assert not allowed((0,))[0]
        assert allowed((0,))[1] == (words == costs[0] + costs[1])
