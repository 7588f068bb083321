"""The end of a plan as a decision of its own, in logits of what may follow the plan."""

import numpy as np

from longsum.common.arrays import Array


def with_decision(sentences: Array, odds: Array) -> Array:
    """Return logits in which the end has given log-odds, whatever those of the sentences are.

    Args:
        sentences: `[…, n]`, logits of the sentences; −∞ for those that cannot be chosen.
        odds: `[…]`, log-odds of the end.

    Returns:
        `[…, n + 1]`; the softmax of the last is the sigmoid of the odds.
    """
    ends = np.asarray(odds) + _rest(sentences)
    return np.concatenate([sentences, ends[..., None]], axis=-1)


def decision(logits: Array) -> Array:
    """Return the log-odds of the end, `[…]`, in logits `[…, n + 1]`; see `with_decision`."""
    odds: Array = logits[..., -1] - _rest(logits[..., :-1])
    return odds


def log_softmax(logits: Array) -> Array:
    """Return normalised log-probabilities over the last axis; −∞ where all are."""
    total = np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    found: Array = logits - np.where(np.isneginf(total), 0.0, total)
    return found


def _rest(sentences: Array) -> Array:
    """Return the log of the sentences' total weight; 0 where none can be chosen."""
    total: Array = np.logaddexp.reduce(sentences, axis=-1)
    return np.where(np.isneginf(total), 0.0, total)
