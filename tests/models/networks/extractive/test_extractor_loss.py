"""Scores keep their precision, and losses equal those by hand."""

import math

import pytest
import torch
from torch import nn
from torch.nn.utils import parametrizations

from longsum.models.networks.extractive.extractor_layers import score
from longsum.models.networks.extractive.modeling_extractive import (
    decision_loss,
    plan_loss,
    salience_loss,
)
from longsum.models.networks.extractive.units import decision, with_decision

INFINITY = float("inf")
# Probabilities 1/2, 1/4, 1/4.
LOGITS = torch.tensor([math.log(2), 0.0, 0.0])


@pytest.mark.parametrize(
    ("logits", "targets", "expected"),
    [
        # 1/2 · ln 2 + 1/2 · ln 4
        (LOGITS, [0.5, 0.5, 0.0], 1.5 * math.log(2)),
        # A mean over rows that have a target: (ln 2 + ln 4) / 2
        (LOGITS.expand(1, 3, 3), [[[1.0, 0, 0], [0, 0, 0], [0, 0, 1.0]]], 1.5 * math.log(2)),
        # What was not read gives its share to the rest: probabilities 2/3 and 1/3, shares 1/4, 3/4.
        (
            torch.tensor([math.log(2), -INFINITY, 0.0]),
            [0.1, 0.6, 0.3],
            -math.log(2 / 3) / 4 - 3 * math.log(1 / 3) / 4,
        ),
    ],
)
def test_plan_loss_by_hand(logits, targets, expected) -> None:
    assert plan_loss(logits, torch.tensor(targets)).item() == pytest.approx(expected)


@pytest.mark.parametrize("first", [[0.0, -INFINITY], [-INFINITY, -INFINITY]])
def test_rows_without_a_readable_choice_leave_loss_and_gradient_finite(first) -> None:
    logits = torch.tensor([first, [1.0, 0.0]], requires_grad=True)
    targets = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    loss = plan_loss(logits, targets)
    loss.backward()
    assert loss.item() == pytest.approx(math.log(1 + math.exp(-1)))
    assert logits.grad is not None
    assert torch.equal(logits.grad[0], torch.zeros(2))
    assert logits.grad[1].isfinite().all()
    assert plan_loss(torch.zeros(2, 3), torch.zeros(2, 3)) == 0
    assert salience_loss(torch.full((2, 3), -INFINITY), torch.ones(2, 3)) == 0


@pytest.mark.parametrize("weight", [1.0, 3.0])
def test_salience_loss_by_hand(weight: float) -> None:
    logits = torch.tensor([[math.log(3), -math.log(3), -INFINITY]], requires_grad=True)
    # Probabilities 3/4 and 1/4 of sentences that belong to the summary and do not.
    loss = salience_loss(logits, torch.tensor([[1.0, 0.0, 1.0]]), weight)
    assert loss.item() == pytest.approx((weight + 1) * -math.log(3 / 4) / 2)
    loss.backward()
    assert logits.grad is not None
    assert logits.grad[0, 2] == 0
    assert logits.grad.isfinite().all()


def test_the_end_is_as_probable_as_its_odds_whatever_the_sentences() -> None:
    sentences = torch.tensor([[1.0, 5.0, -torch.inf], [3.0, 3.0, 3.0], [-torch.inf] * 3])
    odds = torch.tensor([0.3, -2.0, 1.0])
    logits = with_decision(sentences, odds)
    assert torch.equal(logits[:, :-1], sentences)
    assert logits[:2].softmax(-1)[:, -1].tolist() == pytest.approx(odds[:2].sigmoid().tolist())
    assert decision(logits).tolist() == pytest.approx(odds.tolist(), abs=1e-6)


def test_a_decision_is_learned_beside_the_next_sentence() -> None:
    sentences, odds = torch.randn(3, 4), torch.randn(3)
    # Of the last row there is nothing to learn.
    targets = torch.tensor([[0.75, 0.25, 0.0, 0.0, 0.9], [0.0, 0.0, 0.0, 0.0, 1.0], [0.0] * 5])
    found = decision_loss(with_decision(sentences, odds), targets)
    choice = -(targets[0, :4] * sentences[0].log_softmax(-1)).sum()
    ends = -(targets[:, 4] * odds.sigmoid().log() + (1 - targets[:, 4]) * (-odds).sigmoid().log())[
        :2
    ].sum()
    assert found.item() == pytest.approx((choice + ends).item() / 2, rel=1e-5)


@pytest.mark.parametrize("changed", [False, True])
def test_a_score_has_the_digits_of_fp32_under_autocast(changed: bool) -> None:
    torch.manual_seed(0)
    layer, states = nn.Linear(64, 1), torch.randn(3, 5, 64)
    if changed:
        parametrizations.weight_norm(layer)
    expected = layer(states)[..., 0]
    with torch.autocast("cpu", torch.bfloat16):
        found = score(layer, states)
        half = layer(states)[..., 0]
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, expected)
    assert (half - expected).abs().max() > 1e-4
