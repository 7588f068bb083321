"""What extractive models learn from: the next sentence of a plan, or all sentences at once."""

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from longsum.models.networks.extractive.units import decision


def plan_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the cross-entropy of the next choice against how probable each should be (§4, §5).

    What a model did not read cannot be chosen: its share of a target goes to the rest. Rows whose
    target is 0, or lies wholly in what was not read, are left out.

    Args:
        logits: `[…, n + 1]`, unnormalised log-probabilities; −∞ where nothing can be chosen.
        targets: `[…, n + 1]`, shares of at least 0, in any unit.

    Returns:
        The mean over the rows that count; 0 where there are none.
    """
    counted = counted_choices(~logits.isneginf(), targets)
    return plan_loss_rows(logits, targets).sum() / counted.clamp_min(1)


def plan_loss_rows(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the terms of `plan_loss`, `[…]`; 0 for the rows that are left out."""
    closed = logits.isneginf()
    shares = targets.to(logits.dtype).masked_fill(closed, 0.0)
    total = shares.sum(-1, keepdim=True)
    counted = total > 0
    # A row of −∞ alone has no softmax, and its NaN would reach all gradients.
    found = logits.masked_fill(~counted, 0.0).log_softmax(-1).masked_fill(closed, 0.0)
    return -(shares * found).sum(-1) / torch.where(counted, total, 1.0).squeeze(-1)


def decision_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the loss of the next sentence and of the end, each a decision of its own.

    The cross-entropy of the next sentence, given that there is one, against how probable each
    should be; and the binary cross-entropy of the end. So a model goes on learning what comes next
    where a summary of the references' length would have ended.

    Args:
        logits: `[…, n + 1]`, unnormalised log-probabilities, the end last; −∞ where nothing can be
            chosen.
        targets: `[…, n + 1]`, shares of the sentences in any unit, and the probability of the end.

    Returns:
        The mean of the sums over the rows of which anything is to be learned; 0 where there are
        none.
    """
    counted = (targets.masked_fill(logits.isneginf(), 0.0).sum(-1) > 0).float()
    choice = plan_loss_rows(logits[..., :-1], targets[..., :-1])
    ends = binary_cross_entropy_with_logits(
        decision(logits), targets[..., -1].to(logits.dtype), reduction="none"
    )
    return ((choice + ends) * counted).sum() / counted.sum().clamp_min(1)


def counted_choices(scored: Tensor, targets: Tensor) -> Tensor:
    """Return over how many rows `plan_loss` is a mean, given what has a logit, `[…, n + 1]`."""
    return (targets.masked_fill(~scored, 0.0).sum(-1) > 0).sum()


def salience_loss(logits: Tensor, labels: Tensor, positive_weight: float = 1.0) -> Tensor:
    """Return the cross-entropy of whether each sentence belongs to the summary (Stepwise, §6.1).

    Args:
        logits: `[…, n]`, log-odds; −∞ for what was not read, which is left out.
        labels: `[…, n]`, 1 for sentences of the summary, 0 for others.
        positive_weight: Weight of a sentence of the summary; 1 for that of another (A.2).

    Returns:
        The mean over the sentences that were read; 0 where there are none.
    """
    read = ~logits.isneginf()
    losses = binary_cross_entropy_with_logits(
        logits.masked_fill(~read, 0.0),
        labels.to(logits.dtype),
        pos_weight=logits.new_tensor(positive_weight),
        reduction="none",
    )
    return (losses * read).sum() / read.sum().clamp_min(1)
