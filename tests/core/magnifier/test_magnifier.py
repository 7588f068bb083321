"""The guarantees of the Pointer-Magnifier, for any prototype and length."""

from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_views import document_of
from effort import FULL, examples
from longsum.core.extractive.kernels import Kernels, KernelsConfig
from longsum.core.kernels.fitted import KernelSettings
from longsum.core.kernels.kernel import combine
from longsum.core.magnifier.expansion import Repeats, soft_selection
from longsum.core.magnifier.magnifier import Magnified, Magnifier
from longsum.core.summaries import Budget, Summary
from longsum.language.words import count_words

WORDS = ("river", "water", "valley", "flood", "dam", "bridge", "railway", "train", "coal", "coast")
DOCUMENTS = examples(40)
LENGTHS = 85
"""Budgets for each document: some 3,500 cases in all of them."""


def sentence(random: Random) -> str:
    return " ".join(random.choices(WORDS, k=random.randint(1, 9))).capitalize() + "."


@cache
def magnifier(seed: int) -> Magnifier:
    """Make a document of up to 14 sentences, some repeated, and a prototype that copies some."""
    random = Random(seed)
    sizes = random.choice([[random.randint(6, 14)], [random.randint(1, 5) for _ in range(3)]])
    sections = ((f"# {sentence(random)}", [sentence(random) for _ in range(n)]) for n in sizes)
    document = document_of(*sections, title="")
    own = [found.text for found in document.sentences]
    prototype = [
        random.choice(own) if random.random() < 0.5 else sentence(random)
        for _ in range(random.choice([0, 1, 1, 2, 2, 4]))
    ]
    weights = random.choice([(0.9, 0.2, -0.1), (1.0, 0.5, -0.5), (0.2, 0.9, -0.1)])
    return Magnifier(document, prototype, KernelSettings(*weights))


def length(magnified: Magnified) -> int:
    return sum(count_words(piece.text) for piece in magnified.pieces)


def plain(text: str) -> str:
    return text.casefold().rstrip(".")


def left(made: Magnifier, magnified: Magnified, words: int) -> list[int]:
    """Return the words of each sentence that could be added, of the prototype or the document."""
    there = {plain(piece.text) for piece in magnified.pieces}
    prototype = made._material.prototype
    below = words < sum(count_words(text) for text in prototype)
    texts = prototype if below else made._material.sentences
    return [count_words(text) for text in texts if plain(text) not in there]


@pytest.mark.parametrize("seed", range(DOCUMENTS))
def test_lengths_are_exact_and_topics_are_kept(seed):
    made = magnifier(seed)
    covered: frozenset[int] = frozenset()
    for words in range(1, LENGTHS + 1, 1 if FULL else 3):
        magnified = made.magnify(Budget(words))
        reached = length(magnified)
        assert reached <= words
        assert all(words - reached < cost for cost in left(made, magnified, words))
        assert covered <= magnified.topics
        covered = magnified.topics
    assert made.magnify(Budget(1000)).whole


@given(st.integers(0, DOCUMENTS - 1), st.integers(1, 12), st.sampled_from(["sentences", "percent"]))
def test_other_units_are_kept_too(seed, amount, unit):
    made = magnifier(seed)
    budget = Budget(amount if unit == "sentences" else 8 * amount, unit)
    magnified = made.magnify(budget)
    reached = len(magnified.pieces) if unit == "sentences" else length(magnified)
    assert reached <= budget.capacity(made.document)


@given(st.integers(0, DOCUMENTS - 1), st.integers(1, 300))
def test_tokens_are_counted_as_the_budget_says(seed, amount):
    made = magnifier(seed)
    magnified = made.magnify(Budget(amount, "tokens", len))
    reached = sum(len(piece.text) for piece in magnified.pieces)
    assert reached <= amount
    there = {plain(piece.text) for piece in magnified.pieces}
    if sum(map(len, made._material.prototype)) <= amount:
        rest = [text for text in made._material.sentences if plain(text) not in there]
        assert all(len(text) > amount - reached for text in rest)


@given(st.integers(0, DOCUMENTS - 1), st.integers(1, LENGTHS))
def test_shares_add_up_and_nothing_is_there_twice_or_lacking(seed, words):
    made = magnifier(seed)
    magnified, material, said = made.magnify(Budget(words)), made._material, Repeats()
    for step in magnified.steps:
        assert 0 <= step.score <= 1 + 1e-9
        assert sum(step.shares.values()) == pytest.approx(step.score, abs=1e-9)
        for run in step.runs:
            assert run.repeats == said.count(material.sentences[at] for at in run.sentences)
        said.add(material.sentences[at] for at in step.sentences)
        said.add([material.prototype[step.place]] if step.operation == "copy" else [])
    texts = [plain(piece.text) for piece in magnified.pieces]
    assert len(texts) == len(set(texts))
    # If the prototype fits, each of its sentences is copied or expanded.
    placed = [step for step in magnified.steps if step.operation != "fill"]
    waiting = len(made._material.prototype)
    assert len(placed) == len({step.place for step in placed}) <= waiting
    if sum(count_words(text) for text in made._material.prototype) <= words:
        assert len(placed) == waiting
        # Each is the best of those that remain, whose shares add up to one; another is next.
        for number, step in enumerate(placed):
            assert step.score >= 1 / (waiting - number) - 1e-9
            later = {other.place for other in placed[number + 1 :]}
            assert step.runner_up in (later or {None})


@given(st.data())
@settings(max_examples=examples(60))
def test_selection_is_a_distribution_at_every_step(data):
    """Any part of the prototype may remain, with any expansion sets."""
    made = magnifier(data.draw(st.integers(0, DOCUMENTS - 1)))
    material = made._material
    m, n = len(material.prototype), len(material.sentences)
    if not m:
        return
    open_ = np.array(data.draw(st.lists(st.booleans(), min_size=m, max_size=m)))
    if not open_.any():
        open_[0] = True
    runs = {}
    for place in np.flatnonzero(open_).tolist():
        if data.draw(st.booleans()):
            first = data.draw(st.integers(0, n - 1))
            runs[place] = tuple(range(first, min(first + 3, n)))
    local = material.multiplex.local(material.prototype_distances)
    attention = combine(local, material.multiplex.weights, open_)
    found = soft_selection(material, attention, runs)
    for distribution in (found.copy, found.chosen, *([found.expand] if runs else [])):
        assert (distribution >= 0).all()
        assert distribution.sum() == pytest.approx(1)
        assert not distribution[~open_].any()
    np.testing.assert_allclose(sum(found.shares.values()), found.chosen, atol=1e-9)


def test_equations_7_and_8_by_hand():
    made = magnifier(next(n for n in range(DOCUMENTS) if len(magnifier(n)._material.prototype) > 1))
    material = made._material
    m = len(material.prototype)
    attention = combine({"even": np.ones(m)}, {"even": 1.0}, np.ones(m, dtype=bool))
    found = soft_selection(material, attention, {1: (0,)})
    # The only set has all of P_e, so α = 1 there and p_o = 1; elsewhere α = 0 and p_o = 1 / m.
    np.testing.assert_allclose(found.chosen[1], 1 / (1 + (m - 1) / m))
    np.testing.assert_allclose(np.delete(found.chosen, 1), 1 / m / (1 + (m - 1) / m))


@pytest.fixture(scope="module")
def extracted(example) -> Summary:
    return Kernels("kernels", KernelsConfig()).summarize(example, Budget(150))


@pytest.fixture(scope="module")
def of_extract(example, extracted: Summary) -> Magnifier:
    return Magnifier(example, extracted)


def test_the_prototypes_order_is_kept(example, extracted: Summary):
    made = Magnifier(example, [sentence.text for sentence in reversed(extracted.sentences)])
    for words in (60, 200, 700):
        magnified = made.magnify(Budget(words))
        places = [magnified.steps[piece.step].place for piece in magnified.pieces]
        assert places == sorted(places)
        for place in set(places):
            at = [
                piece
                for piece, found in zip(magnified.pieces, places, strict=True)
                if found == place
            ]
            own = [piece.sentence for piece in at if piece.sentence is not None]
            assert own == sorted(own)


def test_an_extract_stays_in_the_documents_order(example, of_extract: Magnifier):
    texts = [sentence.text for sentence in example.sentences]
    for words in (60, 200, 700):
        found = of_extract.magnify(Budget(words)).pieces
        places = [texts.index(piece.text) for piece in found]
        assert places == sorted(places)


def test_more_room_means_more_expansions(of_extract: Magnifier):
    operations = [
        [step.operation for step in of_extract.magnify(Budget(words)).steps]
        for words in (100, 180, 1000)
    ]
    expansions = [found.count("expand") for found in operations]
    assert expansions[0] == 0 < min(expansions[1:])
    assert [len(each) for each in operations] == sorted(len(each) for each in operations)
    assert "fill" in operations[2]
    # An expansion names the runs that it was preferred to.
    steps = of_extract.magnify(Budget(1000)).steps
    expanded = [step for step in steps if step.operation == "expand"]
    assert expanded
    for step in expanded:
        assert step.runs[0].sentences == step.sentences
        assert 1 <= len(step.runs) <= 4
        assert [run.repeats for run in step.runs] == sorted(run.repeats for run in step.runs)
        assert len(step.sentences) in (2, 3)


def test_weights_changed_later_give_the_same_result(small):
    prototype = [small.sentences[1].text, "Dams do less damage to bridges."]
    weights = KernelSettings(-0.5, 1.0, 0.5)
    made = Magnifier(small, prototype)
    for words in (12, 30, 80):
        expected = Magnifier(small, prototype, weights).magnify(Budget(words))
        assert made.weighed(weights).magnify(Budget(words)) == expected
    assert made.explanation.weights["topics"] == 0.9
