"""Rules of selection that make summaries readable."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_views import document_of
from effort import examples
from longsum.core.extractive.copies import Aids, SelectionRules
from longsum.core.extractive.selection import FixedRanking, Selection, weighted_mean
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked
from longsum.core.summaries import Budget
from longsum.documents.fitness.fitness import FREE, ContextDependence
from longsum.language.repeats import Repetitions


@st.composite
def problems(draw):
    """Draw scores, costs, antecedents, material, procedure, filling and a ladder's budgets."""
    count = draw(st.integers(1, 12))
    some = st.lists(st.booleans(), min_size=count, max_size=count)
    costs = draw(st.lists(st.integers(1, 30), min_size=count, max_size=count))
    scores = draw(st.lists(st.floats(-3, 3, width=16), min_size=count, max_size=count))
    needs = np.where(np.array(draw(some)), np.arange(count) - 1, -1)
    needs[0] = -1
    dangling = np.array(draw(some)) & (needs < 0)
    material, procedure = np.array(draw(some)), np.array(draw(some))
    fill = draw(st.sampled_from(["sensible", "strict"]))
    budgets = sorted(draw(st.lists(st.integers(0, 200), min_size=2, max_size=4, unique=True)))

    def make():
        context = ContextDependence(needs.copy(), dangling)
        aids = Aids(context=context, material=material, fill=fill, procedure=procedure)
        ranking = FixedRanking(np.array(scores, dtype=float), "x")
        return Selection(ranking, costs, preferred=material, aids=aids)

    return make, costs, needs, dangling, budgets


def spent(selection, costs):
    return sum(costs[choice.sentence] for choice in selection.choices)


@settings(max_examples=examples(60))
@given(problems())
def test_the_budget_is_kept_and_a_larger_one_never_gives_less(problem):
    make, costs, *_, budgets = problem
    reached = []
    for budget in budgets:
        selection = make()
        selection.extend(budget)
        reached.append(spent(selection, costs))
    assert all(words <= budget for words, budget in zip(reached, budgets, strict=True))
    assert reached == sorted(reached)


@given(problems())
def test_an_antecedent_comes_before_its_dependent_unless_nothing_else_fits(problem):
    make, costs, needs, dangling, budgets = problem
    selection = make()
    selection.extend(budgets[-1])
    order = [choice.sentence for choice in selection.choices]
    for step, sentence in enumerate(order):
        before = order[:step]
        alone = (needs[sentence] >= 0 and needs[sentence] not in before) or dangling[sentence]
        if alone:
            left = budgets[-1] - sum(costs[each] for each in before)
            free = [
                each
                for each in range(len(costs))
                if each not in before
                and not dangling[each]
                and (needs[each] < 0 or needs[each] in before)
                and costs[each] <= left
            ]
            level = selection._preferred[sentence]
            assert not [each for each in free if selection._preferred[each] == level]


@given(problems())
def test_shorter_summaries_nest_and_keep_pairs_together(problem):
    make, costs, needs, _, budgets = problem
    selection = make()
    asked = selection.extend(budgets[-1])
    order = [choice.sentence for choice in selection.choices]
    held = []
    for budget in budgets[:-1]:
        kept = selection.within(budget, range(asked), held)
        assert set(held) <= set(kept)
        places = [order[step] for step in kept]
        assert sum(costs[place] for place in places) <= budget
        for step in kept:
            needed = needs[order[step]]
            if needed in order[:step]:
                assert needed in places
        held = kept


@settings(max_examples=examples(60))
@given(problems())
def test_extending_keeps_earlier_choices_and_uses_the_budget(problem):
    make, costs, *_, budgets = problem
    selection = make()
    first = selection.extend(budgets[0])
    order = [choice.sentence for choice in selection.choices]
    selection.extend(budgets[-1])
    assert [choice.sentence for choice in selection.choices[:first]] == order
    selection = make()
    selection.extend(budgets[-1])
    material = selection._material
    if selection.complete and selection.choices:
        share = spent(selection, costs) / max(budgets[-1], 1)
        left = selection._fitting(budgets[-1]) & material
        # From three quarters of the budget on, only self-contained sentences are added.
        if share >= 0.75:
            left &= selection._context.levels == FREE
        assert share >= 0.95 or not left.any()


def select(scores, costs, capacity, needs=None, **aids):
    standing = None
    if needs is not None:
        standing = ContextDependence(np.array(needs), np.zeros(len(needs), dtype=bool))
    ranking = FixedRanking(np.array(scores, dtype=float), "x")
    selection = Selection(ranking, costs, aids=Aids(context=standing, **aids))
    selection.extend(capacity)
    return selection


def test_a_pair_competes_with_its_mean_score_weighted_by_words():
    # (1 · 5 + 9 · 15) / 20 = 7, more than 6.
    pair = select([1, 9, 6], [5, 15, 5], 20, needs=[-1, 0, -1])
    assert [(c.sentence, c.score) for c in pair.choices] == [(0, 7.0), (1, 7.0)]
    assert [c.reasons for c in pair.choices] == [
        {"x": 1.0, "antecedent": 6.0},
        {"x": 9.0, "antecedent": -2.0},
    ]
    assert {choice.runner_up for choice in pair.choices} == {2}
    # (1 · 15 + 9 · 5) / 20 = 3, less than 6.
    single = select([1, 9, 6], [15, 5, 5], 20, needs=[-1, 0, -1])
    assert [c.sentence for c in single.choices] == [2, 0]


def test_a_chain_has_at_most_two_antecedents():
    needs = [-1, 0, 1, 2]
    assert [c.sentence for c in select([0, 0, 9, 0], [1] * 4, 3, needs).choices] == [0, 1, 2]
    assert [c.sentence for c in select([1, 0, 0, 9], [1] * 4, 1, needs).choices] == [0]


def test_sensible_filling_leaves_out_a_scrap_that_strict_filling_takes():
    scores, costs = [9, 8, 7, 1], [50, 46, 40, 4]
    strict = select(scores, costs, 100)
    assert [c.sentence for c in strict.choices] == [0, 1, 3]
    sensible = select(scores, costs, 100, fill="sensible")
    assert [c.sentence for c in sensible.choices] == [0, 1]
    assert sensible.complete
    assert not sensible.short
    assert not strict.complete
    # The last remaining sentence is taken if it fits.
    assert len(select([9, 8, 1], [50, 46, 4], 100, fill="sensible").choices) == 3


def test_only_material_fills_the_remaining_length():
    mask = np.array([True, True, False, False])
    taken = select([9, 8, 7, 6], [40, 80, 5, 90], 100, material=mask, fill="sensible")
    assert [c.sentence for c in taken.choices] == [0]
    assert taken.complete
    assert taken.short


def test_findings_come_before_procedure():
    told = np.array([True, True] + [False] * 11)
    order = [c.sentence for c in select(range(13, 0, -1), [10] * 13, 125, procedure=told).choices]
    # A sixth of the words: one sentence of six, and two of twelve.
    assert order == [2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 1]
    assert len(select([2, 1], [10, 10], 20, procedure=np.array([True, True])).choices) == 2


def test_of_near_duplicates_one_is_chosen():
    texts = [
        "The river flooded the northern valley of the county.",
        "Trains carry coal.",
        "Again the river flooded the northern valley of the county.",
    ]
    selection = select([3, 1, 2], [1, 1, 1], 3, repetitions=Repetitions(texts))
    assert [c.sentence for c in selection.choices] == [0, 1]
    assert (selection.distinct, selection.candidates) == (2, 2)


@pytest.mark.parametrize(("capacity", "chosen"), [(8, 1), (9, 2)])
def test_a_dangling_sentence_does_not_fill_a_nearly_full_summary(capacity, chosen):
    standing = ContextDependence(np.full(3, -1), np.array([False, True, False]))
    aids = Aids(standing, material=np.ones(3, dtype=bool), fill="sensible")
    selection = Selection(FixedRanking(np.array([3.0, 2.0, 1.0]), "x"), [6, 2, 9], aids=aids)
    assert selection.extend(capacity) == chosen


GAO = document_of(
    "# One",
    [
        "The Government Accountability Office (GAO) audits programs.",
        *("GAO reports to Congress.", "The view of GAO's staff differs.", "Trains ran."),
    ],
)


class Fixed(ExtractiveSummarizer[None]):
    """Ranks sentences from the last to the first."""

    rules = SelectionRules(self_contained=True, say_once=True, spell_out=True, fill="sensible")
    settings = {}  # noqa: RUF012

    def rank(self, request):
        count = len(request.document.sentences)
        return Ranked(FixedRanking(np.arange(count, dtype=float), "x"))


def test_an_acronym_is_spelled_out_within_the_budget():
    # "The view of GAO's staff differs." and three inserted words, and "Trains ran."
    summary = Fixed("fixed", None).summarize(GAO, Budget(11))
    text = "The view of GAO's (Government Accountability Office) staff differs."
    assert [each.text for each in summary.sentences] == [text, "Trains ran."]
    (inserted,) = summary.sentences[0].insertions
    assert text[inserted.offset :].startswith(inserted.text)
    source = inserted.source
    assert GAO.text[source.start : source.end] == "Government Accountability Office"
    assert summary.sentences[0].without_insertions().text == GAO.sentences[2].text
    assert summary.words == 11
    assert "GAO's (" not in Fixed("fixed", None).summarize(GAO, Budget(10)).text


def test_mean_scores_count_words() -> None:
    scores, words = np.array([1.0, 4.0, 7.0]), np.array([3, 1, 0])
    # (1 · 3 + 4 · 1) / 4, and with at least one word each (1 · 3 + 4 · 1 + 7 · 1) / 5.
    groups = np.array([[-1, 0, 1], [0, 1, 2]])
    assert weighted_mean(scores, words, groups).tolist() == [1.75, 2.8]
