"""Transition scores by kind, entity, repetition and length, added to those of a network."""

import torch
from torch import Tensor

from longsum.core.encoder.transition_scores import Following

# For each unit: kind, two unused numbers, entity and its group. The units are the break; a team's
# name; two players of it, two entries each; one of the other team.
KINDS, ENTITIES, GROUPS = [0, 1, 2, 3, 2, 3, 2], [0, 1, 2, 2, 3, 3, 5], [0, 1, 1, 1, 1, 1, 4]
PLACES = torch.tensor(
    [[kind, 7, 7, *whose] for kind, *whose in zip(KINDS, ENTITIES, GROUPS, strict=True)]
)[None]
END = 4
REACH = 8.0


def scored(following: Following, *plans: list[int]) -> Tensor:
    longest = max(map(len, plans))
    rows = [plan + [-1] * (longest - len(plan)) for plan in plans]
    padded = torch.tensor(rows, dtype=torch.long)
    return following(PLACES, padded.view(1, len(plans), longest)).detach()[0]


def test_the_last_choice_sets_the_scores_of_kinds_and_entities() -> None:
    following = Following(5)
    assert not scored(following, [], [2, 3]).any()  # untrained scores are 0
    with torch.no_grad():
        # After an entry of kind 2, one of kind 3: of the same entity, group, or another group.
        following.after[0, 1, 2, 3] = 3.0
        following.after[0, 2, 2, 3] = 2.0
        following.after[0, 3, 2, 3] = 1.0
        # The plan begins with kind 1; after a break it ends.
        following.after[0, 0, END, 1] = 4.0
        following.after[0, 0, 0, END] = 5.0
    assert scored(following, []).shape == (1, 8)
    begun, same, other, broken = scored(following, [], [2], [6], [2, 0]) / REACH
    assert begun.tolist() == [0, 4, 0, 0, 0, 0, 0, 0]
    assert same.tolist() == [0, 0, 0, 3, 0, 2, 0, 0]
    assert other.tolist() == [0, 0, 0, 1, 0, 1, 0, 0]
    assert broken.tolist() == [0, 0, 0, 0, 0, 0, 0, 5]


def test_the_choice_before_the_last_has_scores_of_its_own() -> None:
    following = Following(5)
    with torch.no_grad():
        following.after[1, 1, 2, 3] = 1.0
    assert (scored(following, [2, 0])[0] / REACH).tolist() == [0, 0, 0, 1, 0, 0, 0, 0]
    assert not scored(following, [2])[0].any()


def test_repetitions_and_lengths_have_scores() -> None:
    following = Following(5)
    with torch.no_grad():
        following.entity_times[1, 3] = 1.0
        following.own_times[2, 1] = 2.0
        following.length[2, 0] = 3.0
        following.sentences[1, END] = 4.0
    plan = [1, 0, 1, 2]
    # Player 2 was chosen once, the team's name twice; the sentence has two choices, the plan one
    # sentence that has ended.
    assert (scored(following, plan)[0] / REACH).tolist() == [3, 2, 0, 1, 0, 0, 0, 4]


def test_padding_and_the_number_of_plans_do_not_matter() -> None:
    torch.manual_seed(0)
    following = Following(5)
    with torch.no_grad():
        for part in following.parameters():
            part.normal_()
    # All of these are trained.
    assert {name for name, _ in following.named_parameters()} == {
        *("after", "entity_times", "own_times", "length", "sentences")
    }
    plans: list[list[int]] = [[], [1], [1, 2, 3, 0], [6, 0, 1, 2, 3, 4]]
    for plan, row in zip(plans, scored(following, *plans), strict=True):
        torch.testing.assert_close(scored(following, plan)[0], row)
