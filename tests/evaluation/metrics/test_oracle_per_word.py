"""The oracle of recall per word: equal to its definition, and higher where words are limited."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.common.errors import LongsumError
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.evaluation.metrics import recall_steps

sentence = st.lists(st.sampled_from("abc"), max_size=5).map(" ".join)
document = st.lists(sentence, max_size=7)
references = st.lists(
    st.lists(st.sampled_from("abc"), max_size=12).map(" ".join), min_size=1, max_size=3
)


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
def test_each_step_gains_the_most_per_word(
    sentences: list[str], targets: list[str], fill: bool, capacity: int
) -> None:
    costs = [len(text.split()) for text in sentences]
    steps = recall_steps(sentences, targets, costs=costs, capacity=capacity, fill=fill)
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


def test_without_a_reference_it_is_refused() -> None:
    with pytest.raises(LongsumError, match="reference"):
        recall_steps(["a"], [])
