"""Steps that correct a hierarchy: the example of Figure 11, and the result for every pair."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.common.errors import LongsumError
from longsum.core.questions.question_tree import ROOT, Question, QuestionTree
from longsum.evaluation.metrics.tree_edits import adjustment_steps, tree_edits


def tell(answer: str, *children: Question) -> Question:
    return Question("?", answer, children)


GENERATED = QuestionTree(
    (tell("red apples", tell("green pears", tell("blue plums"))), tell("white grapes"))
)


def test_figure_11_by_a_reference() -> None:
    reference = QuestionTree(
        (tell("red apples"), tell("green pears"), tell("white grapes", tell("blue plums")))
    )
    assert tree_edits(GENERATED, reference).moves == (0, 1, 2, 0)
    assert tree_edits(GENERATED, GENERATED).moves == (0, 0, 0, 0)
    assert tree_edits(GENERATED, reference).total == 3


def test_the_nearest_of_several_is_taken() -> None:
    assert adjustment_steps([ROOT, 0, 1, ROOT], [(), (), {0, 3}, ()]) == [0, 0, 1, 0]


def test_a_pair_waits_for_its_descendants() -> None:
    # 0 is wanted below 1, which hangs on it: 1 goes first, up to the root, and then 0 to it.
    assert adjustment_steps([ROOT, 0], [{1}, {ROOT}]) == [1, 1]
    chain = QuestionTree((tell("red apples", tell("green pears")),))
    turned = QuestionTree((tell("green pears", tell("red apples")),))
    assert tree_edits(chain, turned).moves == (1, 1)


def test_a_circle_is_refused() -> None:
    with pytest.raises(LongsumError, match="Question 1 would have to be below its own"):
        adjustment_steps([ROOT, 0], [{1}, {0}])
    with pytest.raises(LongsumError, match="cycle"):
        adjustment_steps([ROOT], [{0}])


def test_a_pair_without_a_match_stays_and_a_missing_parent_is_passed_over() -> None:
    generated = QuestionTree((tell("red apples"), tell("nothing known"), tell("blue plums")))
    reference = QuestionTree((tell("red apples", tell("green pears", tell("blue plums"))),))
    # The parent of plums is not there; its parent, apples, is: one step, from the root to it.
    assert tree_edits(generated, reference).moves == (0, 0, 1)
    assert tree_edits(generated, QuestionTree(())).total == 0


def test_a_missing_pair_costs_one_step_per_level() -> None:
    # The levels of Figure 11's pairs: 1, 2, 3 and 1.
    assert tree_edits(QuestionTree(()), GENERATED).additions == (1, 2, 3, 1)
    stump = QuestionTree((tell("red apples"),))
    assert tree_edits(stump, GENERATED).additions == (0, 2, 3, 1)
    strange = QuestionTree((tell("nothing known"),))
    assert tree_edits(strange, GENERATED).total == tree_edits(QuestionTree(()), GENERATED).total


def test_twins_and_pairs_without_words_are_not_missed() -> None:
    twins = QuestionTree((tell("red apples", tell("")), tell("red apples")))
    assert tree_edits(twins, twins).total == 0
    # One of the two is as well one as the other.
    assert tree_edits(QuestionTree((tell("red apples"),)), twins).additions == (0, 0, 0)


@st.composite
def forests(draw: st.DrawFn) -> list[int]:
    """Draw parents in depth-first order."""
    parents: list[int] = []
    path: list[int] = []
    for place in range(draw(st.integers(1, 8))):
        del path[draw(st.integers(0, len(path))) :]
        parents.append(path[-1] if path else ROOT)
        path.append(place)
    return parents


def neighbours(parents: Sequence[int], pair: int) -> list[int]:
    """Return where one step attaches a pair: to its grandparent, or to a sibling."""
    parent = parents[pair]
    up = [] if parent == ROOT else [parents[parent]]
    return up + [place for place, above in enumerate(parents) if above == parent and place != pair]


def fewest_steps(parents: list[int], pair: int, wanted: int) -> int | None:
    """Search all ways of moving one pair step by step."""
    reached = frontier = {parents[pair]}
    steps = 0
    while frontier:
        if wanted in frontier:
            return steps
        steps += 1
        moved = ([*parents[:pair], place, *parents[pair + 1 :]] for place in frontier)
        frontier = {place for tree in moved for place in neighbours(tree, pair)} - reached
        reached = reached | frontier
    return None


@settings(max_examples=examples(200))
@given(forests(), st.data())
def test_one_pair_takes_the_fewest_steps_of_the_paper(parents, data) -> None:
    pair = data.draw(st.integers(0, len(parents) - 1))
    target = data.draw(st.integers(ROOT, len(parents) - 1))
    wanted: list[set[int]] = [set() for _ in parents]
    wanted[pair] = {target}
    expected = fewest_steps(parents, pair, target)
    if expected is None:
        with pytest.raises(LongsumError):
            adjustment_steps(parents, wanted)
    else:
        assert adjustment_steps(parents, wanted)[pair] == expected


@settings(max_examples=examples(200))
@given(forests(), forests())
def test_any_hierarchy_can_be_made_of_any_other(parents: list[int], targets: list[int]) -> None:
    wanted = [{target} for target in targets[: len(parents)]]
    wanted += [{ROOT}] * (len(parents) - len(wanted))
    steps = adjustment_steps(parents, wanted)
    assert [step == 0 for step in steps].count(False) >= sum(
        parent not in suits for parent, suits in zip(parents, wanted, strict=True)
    )


words = st.sampled_from(["red", "green", "blue", "red green", "blue red", ""])
question = st.recursive(
    st.builds(Question, st.just("?"), words),
    lambda below: st.builds(Question, st.just("?"), words, st.lists(below, max_size=3).map(tuple)),
    max_leaves=6,
)
tree = st.builds(QuestionTree, st.lists(question, max_size=3).map(tuple))


@settings(max_examples=examples(100))
@given(tree, tree)
def test_a_reference_is_never_a_circle(generated: QuestionTree, reference: QuestionTree) -> None:
    edits = tree_edits(generated, reference)
    assert len(edits.moves) == len(generated)
    assert len(edits.additions) == len(reference)
    assert all(step >= 0 for step in (*edits.moves, *edits.additions))
