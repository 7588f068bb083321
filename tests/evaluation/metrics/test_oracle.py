"""The fast oracle makes the same choices as its definition, whose value is rouge-score's."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from effort import examples
from longsum.common.errors import LongsumError
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.evaluation.metrics.oracle import (
    OracleSearch,
    PerWordSearch,
    oracle_steps,
)
from oracle_naive import greedy_oracle_naive

sentence = st.lists(st.sampled_from("abc"), max_size=5).map(" ".join)
document = st.lists(sentence, max_size=8)
references = st.lists(
    st.lists(st.sampled_from("abc"), max_size=14).map(" ".join), min_size=1, max_size=3
)


@settings(max_examples=examples(200))
@given(document, references, st.booleans(), st.data())
@example(["a b", "", "a b", "b"], ["a b b a"], True, None)
def test_equal_to_the_definition(sentences, targets, fill, data) -> None:
    costs = capacity = None
    if data is not None and data.draw(st.booleans()):
        costs = data.draw(
            st.lists(st.integers(0, 4), min_size=len(sentences), max_size=len(sentences))
        )
    if data is not None and data.draw(st.booleans()):
        capacity = data.draw(st.integers(0, 9))
    fast = oracle_steps(sentences, targets, costs=costs, capacity=capacity, fill=fill)
    slow = greedy_oracle_naive(sentences, targets, costs=costs, capacity=capacity, fill=fill)
    assert fast == slow
    if capacity is not None:
        prices = costs or [1] * len(sentences)
        assert sum(prices[step.sentence] for step in fast) <= capacity


@settings(max_examples=examples(60))
@given(document, references)
def test_the_objective_equals_that_of_rouge_score(sentences, targets) -> None:
    scorer = RougeScorer(["rouge1", "rouge2"], use_stemmer=True)
    chosen: list[int] = []
    for step in oracle_steps(sentences, targets, fill=True):
        chosen.append(step.sentence)
        text = " ".join(sentences[place] for place in sorted(chosen))
        scores = [scorer.score(target, text) for target in targets]
        total = sum(score["rouge1"].fmeasure + score["rouge2"].fmeasure for score in scores)
        assert step.objective == pytest.approx(total / len(targets), abs=1e-12)
    steps = oracle_steps(sentences, targets, fill=True)
    assert [step.sentence for step in steps] == chosen


@settings(max_examples=examples(60))
@given(document, references)
def test_a_bound_is_too_high_only_by_bigrams_between_sentences(sentences, targets) -> None:
    own = [rouge_tokens(text) for text in sentences]
    wanted = [rouge_tokens(text) for text in targets[:1]]
    prices = np.array([len(tokens) for tokens in own])
    total = max(len(wanted[0]) - 1, 0)
    for search in (OracleSearch(own, wanted), PerWordSearch(own, wanted, prices)):
        left, chosen = np.arange(len(own)), list[int]()
        while left.size:
            over = search._bounds(left) - [search._objective(place) for place in left]
            for place, more in zip(left, over, strict=True):
                length = sum(len(own[each]) for each in (*chosen, place))
                spoken = [each for each in chosen if own[each]]
                between = any(each < place for each in spoken) + any(
                    each > place for each in spoken
                )
                most = 2 * between / max(length - 1 + total, 1)
                if isinstance(search, PerWordSearch):
                    most = 2 * bool(spoken) / max(total, 1) / max(prices[place], 1)
                assert -1e-12 <= more <= most + 1e-12
            place = int(left[len(left) // 2])
            search.choose(place)
            chosen.append(place)
            left = left[left != place]


def test_mistakes_are_refused() -> None:
    with pytest.raises(LongsumError, match="at least one reference"):
        oracle_steps(["a"], [])
    for costs in ([1], [1, -1], [1, 2, 3]):
        with pytest.raises(LongsumError, match="each of the 2 sentences"):
            oracle_steps(["a", "b"], ["a"], costs=costs)


def _recall(sentences: list[str], chosen: list[int], targets: list[str]) -> float:
    words = rouge_tokens(" ".join(sentences[place] for place in sorted(chosen)))
    total = 0.0
    for target in targets:
        wanted = rouge_tokens(target)
        total += (Counter(words) & Counter(wanted)).total() / max(len(wanted), 1)
        pairs = Counter(pairwise(wanted))
        total += (Counter(pairwise(words)) & pairs).total() / max(pairs.total(), 1)
    return total / len(targets)


@settings(max_examples=examples(200))
@given(document, references, st.booleans(), st.integers(0, 12))
@example(["b x", "a"], ["a b"], False, 12)  # One word costs half of two.
def test_each_step_gains_the_most_per_word(sentences, targets, fill, capacity) -> None:
    costs = [len(text.split()) for text in sentences]
    steps = oracle_steps(
        sentences, targets, costs=costs, capacity=capacity, fill=fill, per_word=True
    )
    chosen: list[int] = []
    reached, room = 0.0, capacity
    for step in steps:
        gains = {
            place: (_recall(sentences, [*chosen, place], targets) - reached) / max(cost, 1)
            for place, cost in enumerate(costs)
            if place not in chosen and cost <= room
        }
        assert gains[step.sentence] == pytest.approx(max(gains.values()), abs=1e-12)
        chosen.append(step.sentence)
        room -= costs[step.sentence]
        reached = _recall(sentences, chosen, targets)
        assert step.objective == pytest.approx(reached, abs=1e-12)
    left = [place for place, cost in enumerate(costs) if place not in chosen and cost <= room]
    if fill:
        assert not left
    else:
        best = max((_recall(sentences, [*chosen, place], targets) for place in left), default=0.0)
        assert best <= reached + 1e-12
