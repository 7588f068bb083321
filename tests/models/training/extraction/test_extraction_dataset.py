import numpy as np
import pytest
import torch

from longsum.models.tasks.extraction.histories import Histories
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit
from longsum.models.training.extraction.extraction_dataset import ExtractionDataset, collate
from longsum.models.training.extraction.extraction_settings import ExtractionTaskConfig, Target

TARGETS = ("gains", "selection", "text")


def dataset(split: ExtractionSplit, target: Target = "gains", **settings) -> ExtractionDataset:
    task = ExtractionTaskConfig(target=target, beginnings=settings.pop("beginnings", 5))
    return ExtractionDataset(split, task, **settings)


def row_of(histories: Histories, plan: list[int]) -> int:
    """Return the row of a beginning among those of all plans."""
    row = 0
    for order, length in zip(histories.plans, histories.lengths, strict=True):
        if list(order[: len(plan)]) == plan and len(plan) <= length:
            return row + len(plan)
        row += int(length) + 1
    raise AssertionError(plan)


def alike(first, second) -> bool:
    return all(
        np.array_equal(getattr(one, part), getattr(other, part))
        for one, other in zip(first.steps, second.steps, strict=True)
        for part in ("plan", "candidates", "shares")
    )


@pytest.mark.parametrize("target", TARGETS)
def test_targets_are_distributions_over_the_remaining_sentences(
    split: ExtractionSplit, target: Target
) -> None:
    made = dataset(split, target, draws=8)
    for item in map(made.__getitem__, range(len(made))):
        for step in item.steps:
            assert step.shares.sum() == pytest.approx(1)
            assert (step.shares > 0).all()
            assert not set(step.plan) & set(step.candidates)
            assert len(set(step.candidates)) == len(step.candidates)
            assert step.candidates.min() >= -1
            assert step.candidates.max() < len(item.document.headings)


def test_the_end_is_the_target_exactly_if_no_sentence_gains(split: ExtractionSplit) -> None:
    made = dataset(split, draws=8)
    ends = 0
    for index in range(len(made)):
        histories = split[index % len(split)].histories
        for step in made[index].steps:
            row = row_of(histories, list(step.plan))
            useful = histories.gains[row] > 0
            assert (step.candidates == -1).any() == (not useful.any())
            ends += not useful.any()
            if useful.any():
                assert set(step.candidates) == set(histories.candidates[row][useful])
                best = histories.candidates[row][histories.gains[row].argmax()]
                assert step.candidates[step.shares.argmax()] == best
    assert 0 < ends < 5 * len(made)


def test_a_gain_smaller_by_the_temperature_is_e_times_less_probable(split: ExtractionSplit) -> None:
    histories = split[0].histories
    step = dataset(split)[0].steps[0]
    gains = histories.gains[0][histories.gains[0] > 0]
    expected = np.exp((gains[0] - gains[1]) / gains[0] / 0.1)
    assert step.shares[0] / step.shares[1] == pytest.approx(expected, rel=1e-4)


def test_an_item_depends_on_its_place_its_draw_and_the_seed(split: ExtractionSplit) -> None:
    first, again = dataset(split, draws=3, seed=1), dataset(split, draws=3, seed=1)
    list(map(again.__getitem__, range(len(again))))
    other = dataset(split, draws=3, seed=2)
    for index in reversed(range(len(first))):
        assert alike(first[index], again[index])
    assert not all(alike(first[index], other[index]) for index in range(len(first)))
    assert not all(alike(first[index], first[index + len(split)]) for index in range(2))


def test_measuring_takes_the_greedy_plan_evenly(split: ExtractionSplit) -> None:
    made = dataset(split, beginnings=3)
    for place in range(len(split)):
        histories = split[place].histories
        length = int(histories.lengths[0])
        steps = made[place].steps
        assert [len(step.plan) for step in steps] == [0, round(length / 2), length]
        assert all(
            np.array_equal(step.plan, histories.plans[0, : len(step.plan)]) for step in steps
        )


def test_with_one_beginning_the_measured_steps_rotate(split: ExtractionSplit) -> None:
    made = dataset(split, beginnings=1)
    lengths = [len(made[place].steps[0].plan) for place in range(len(split))]
    assert lengths == [
        place % (int(split[place].histories.lengths[0]) + 1) for place in range(len(split))
    ]
    assert len(set(lengths)) > 1


def test_text_order_is_that_of_the_document_to_the_end(split: ExtractionSplit) -> None:
    made, chosen = dataset(split, "text"), dataset(split, "selection")
    unordered = False
    for place in range(len(split)):
        order = split[place].histories.plans[0, : split[place].histories.lengths[0]]
        for step, other in zip(made[place].steps, chosen[place].steps, strict=True):
            count = len(step.plan)
            assert list(step.plan) == sorted(order)[:count]
            assert list(step.candidates) == [*sorted(order), -1][count : count + 1]
            assert list(other.plan) == list(order[:count])
            assert list(other.candidates) == [*order, -1][count : count + 1]
        unordered |= list(order) != sorted(order)
    assert unordered


def test_all_at_once_names_the_greedy_plan(split: ExtractionSplit) -> None:
    made = dataset(split, stepwise=False, draws=2)
    batch = collate([made[index] for index in range(len(split))], pad=0)
    assert batch["plans"].shape == (len(split), 1, 0)
    for place in range(len(split)):
        histories = split[place].histories
        greedy = histories.plans[0, : histories.lengths[0]]
        assert batch["targets"][place, 0].nonzero().flatten().tolist() == sorted(greedy)


def test_known_vectors_take_the_place_of_tokens(split: ExtractionSplit) -> None:
    vectors = np.arange(2 * len(split.text_ends), dtype=np.float16).reshape(-1, 2)
    made = dataset(split, vectors=vectors)
    batch = collate([made[1], made[0]], pad=0)
    assert batch["tokens"].shape[1] == 0
    rows = [*range(*split.texts(1).indices(999)), *range(*split.texts(0).indices(999))]
    assert torch.equal(batch["vectors"], torch.from_numpy(vectors[rows]).float())
    assert len(batch["lengths"]) == len(rows)


def test_every_item_has_its_length_and_there_are_no_more(split: ExtractionSplit) -> None:
    made = dataset(split, draws=3)
    assert len(made.lengths()) == len(made) == 3 * len(split)
    for index, length in enumerate(made.lengths()):
        assert length == len(made[index].document.tokens)
    vectors = np.zeros((len(split.text_ends), 2), np.float16)
    for index, length in enumerate(dataset(split, vectors=vectors).lengths()):
        assert length == len(made[index].document.headings)
    with pytest.raises(IndexError):
        made[len(made)]


def test_perturbed_plans_are_drawn_at_the_given_rate(split: ExtractionSplit) -> None:
    def plans(strayed: float) -> set[tuple[int, ...]]:
        task = ExtractionTaskConfig(strayed=strayed)
        made = ExtractionDataset(split, task, draws=20)
        items = ((index % len(split), made[index]) for index in range(len(made)))
        return {(place, *step.plan) for place, item in items for step in item.steps}

    assert plans(1.0) - plans(0.0)
    assert plans(0.5) > plans(0.0)
    # Without strays all are greedy.
    for place, *plan in plans(0.0):
        assert plan == split[place].histories.plans[0, : len(plan)].tolist()


@pytest.mark.parametrize("draws", [0, 2])
def test_every_step_of_a_plan_is_learned_from_at_once(split: ExtractionSplit, draws: int) -> None:
    made = dataset(split, "selection", beginnings=None, draws=draws)
    for place in range(len(split)):
        histories = split[place].histories
        plan = histories.plans[0, : histories.lengths[0]].tolist()
        steps = made[place].steps
        assert [list(step.plan) for step in steps] == [
            plan[:count] for count in range(len(plan) + 1)
        ]
        assert [int(step.candidates[0]) for step in steps] == [*plan, -1]
