import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.documents.fitness.fitness import ContextDependence
from longsum.evaluation.metrics.oracle import oracle_steps
from longsum.models.tasks.extraction.histories import Histories, HistoryConfig, make_histories

sentence = st.lists(st.sampled_from("abcde"), min_size=1, max_size=5).map(" ".join)
document = st.lists(sentence, min_size=1, max_size=9)
reference = st.lists(st.sampled_from("abcde"), min_size=1, max_size=14).map(" ".join)


def made(sentences: list[str], target: str, *more, **settings) -> Histories:
    config = HistoryConfig(**{"steps": 5, "candidates": 4, **settings})
    return make_histories(sentences, [target], config, np.random.default_rng(0), *more)


@settings(max_examples=examples(60))
@given(document, reference)
def test_the_first_plan_is_the_greedy_oracle(sentences: list[str], target: str) -> None:
    found = made(sentences, target)
    expected = [step.sentence for step in oracle_steps(sentences, [target])][:5]
    assert found.plans[0, : found.lengths[0]].tolist() == expected


RECALL: dict[str, float] = {"per_word": 0.5, "stretch": 2.0, "steps": 12}


@pytest.mark.parametrize("gains", [{}, RECALL], ids=["of ROUGE", "by recall"])
def test_plans_are_perturbed_only_as_allowed(gains: dict[str, float]) -> None:
    sentences = ["a b c", "a b d", "c d", "e f", "a e"]
    straight = made(sentences, "a b c d e f", **gains, stray_rate=0.0)
    assert len(straight.plans) > 1
    assert (straight.plans == straight.plans[0]).all()
    straying = made(sentences, "a b c d e f", **gains, stray_rate=1.0, strays=20)
    assert (straying.plans != straying.plans[0]).any()


def test_plans_by_recall_go_on_past_the_reference() -> None:
    sentences = ["a b", "c d", "e f", "g h", "a c e g"]
    found = made(sentences, "a b c d e f g h", strays=0, **RECALL)
    plan = found.plans[0, : found.lengths[0]].tolist()
    spent = np.cumsum([0, *(len(sentences[place].split()) for place in plan)])
    # Nothing is left to gain once all bigrams are there.
    assert sorted(plan) == [0, 1, 2, 3]
    assert (np.diff(found.ends) > 0).all()
    assert found.ends[spent < 7].max() < 0.5 <= found.ends[-1]
    # From 0 to 1 within some tenths of the reference, around its end.
    np.testing.assert_allclose(found.ends[:-1], 1 / (1 + np.exp(10 * (1 - spent[:-1] / 8))))


def test_a_plan_ends_past_the_stretch() -> None:
    sentences = [f"a{number} b" for number in range(20)]
    target = " ".join(f"a{number}" for number in range(20))
    short = made(sentences, f"{target} b", strays=0, per_word=0.5, stretch=0.5, steps=30)
    long = made(sentences, f"{target} b", strays=0, per_word=0.5, stretch=1.5, steps=30)
    assert 2 * (short.lengths[0] - 1) < 0.5 * 21 <= 2 * short.lengths[0]
    assert (short.candidates[-1] == -1).all()
    assert long.lengths[0] > short.lengths[0]
    assert long.ends[5] == pytest.approx(short.ends[5])


@settings(max_examples=examples(40))
@given(document, reference, st.sampled_from([None, 0.5]))
def test_only_material_is_in_plans(sentences, target, per_word) -> None:
    found = made(sentences, target, np.arange(len(sentences)) % 2 == 1, per_word=per_word)
    used = {*found.plans.ravel().tolist(), *found.candidates.ravel().tolist()} - {-1}
    assert all(place % 2 for place in used) or len(sentences) == 1


def test_without_material_all_sentences_may_be_chosen() -> None:
    assert made(["a b", "c"], "a b", np.zeros(2, bool)).plans[0, 0] == 0


def standing_of(needs: list[int], leading: tuple[int, ...] = ()) -> ContextDependence:
    marked = np.zeros(len(needs), bool)
    marked[list(leading)] = True
    return ContextDependence(np.array(needs), np.zeros(len(needs), bool), marked)


def test_a_dependent_sentence_follows_its_antecedent_in_every_plan() -> None:
    sentences = ["a b c d", "e f g h", "i j k l", "m n o p"]
    needs = [-1, 0, -1, 2]
    target = "e f g h m n o p a"
    settings = {"steps": 4, "strays": 8, "stray_rate": 0.9, "per_word": 0.5}
    found = made(sentences, target, None, standing_of(needs), **settings)
    for plan in found.plans.tolist():
        for place, sentence in enumerate(plan):
            if sentence in (1, 3):
                assert needs[sentence] in plan[:place]
    # "i" brings nothing, so that what needs it is not reached; "a" brings a word.
    assert found.plans[0].tolist() == [0, 1, -1, -1]
    assert {1, 3} <= set(made(sentences, target, **settings).plans[0].tolist())


def test_an_item_is_in_plans_without_its_lead_in() -> None:
    sentences = ["These are the parts:", "a b c", "d e f"]
    settings = {"steps": 3, "candidates": 3, "strays": 0, "per_word": 0.5}
    found = made(sentences, "a b c d e parts", None, standing_of([-1, 0, 0], (0,)), **settings)
    assert sorted(found.plans[0].tolist()) == [-1, 1, 2]
