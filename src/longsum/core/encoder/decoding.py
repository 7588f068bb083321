"""Beam search for an extractor's best plans."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from longsum.common.arrays import Array, Mask
from longsum.common.errors import LongsumError
from longsum.core.encoder.network import Network, Reading, decision, log_softmax, with_decision


@dataclass(frozen=True, slots=True)
class Plan:
    """Sentences in the order in which they were chosen.

    Attributes:
        sentences: Their positions in the document.
        log_probabilities: Those of each choice given the earlier ones, and of the end, if any.
        ended: Whether the model ended it (∅); otherwise it was cut short.
    """

    sentences: tuple[int, ...] = ()
    log_probabilities: tuple[float, ...] = ()
    ended: bool = False

    @property
    def log_probability(self) -> float:
        """The sum over the choices, including the end."""
        return sum(self.log_probabilities)


Allowed = Callable[[tuple[int, ...]], Mask]
"""Returns which sentences may follow a plan, `[n]`."""


def search_plans(
    network: Network,
    reading: Reading,
    *,
    beams: int = 3,
    maximum: int = 4,
    minimum: int = 0,
    repeats: bool = False,
    end: bool = True,
    length_penalty: float = 0.0,
    penalties: Array | None = None,
    allowed: Allowed | None = None,
) -> list[Plan]:
    """Search for the most probable plans of a document (Stepwise, §6.1: 3 beams, at most 4 steps).

    The best plan comes first.

    A plan is finished when the model ends it, when it has its maximum length, or when nothing may
    follow. It then keeps its place in the beam, and the search continues with the others; a beam
    size of 1 is greedy search. The paper does not say the following: sentences that may not follow
    are skipped, and their probability is not redistributed, as in B.3 for repetitions; the end of a
    plan that is cut short does not lower its score. Ties go to the better beam, then to the earlier
    sentence.

    Args:
        network: A stepwise network.
        reading: Its reading of one document.
        beams: Number of plans kept at each step.
        maximum: Maximum number of sentences in a plan, at least 1.
        minimum: Number of sentences before which a plan may not end.
        repeats: Whether a sentence may be chosen again.
        end: Whether the model may end a plan; if not, it only chooses the next sentence.
        length_penalty: Plans are scored by log-probability divided by the number of choices to
            this power; 0 for the log-probability itself.
        penalties: `[n]`, subtracted from the logits of sentences.
        allowed: Which sentences may follow a plan; by default all.

    Raises:
        LongsumError: The model is not stepwise.
    """
    if not network.stepwise:
        raise LongsumError(
            "A model that is not stepwise makes no plans; leave out beams, steps and ends, or use "
            "a stepwise model."
        )

    score = partial(_score, length_penalty)
    finished: list[Plan] = []
    live = [Plan()]
    while live:
        plans = [plan.sentences for plan in live]
        rows = _log_probabilities(_penalized(network, reading.logits(plans), penalties), end)
        extended: list[Plan] = []
        for plan, row in zip(live, rows, strict=True):
            _mask(row, plan, allowed, repeats, minimum)
            if np.isneginf(row[:-1]).all():
                finished.append(plan)
            else:
                extended += _extensions(plan, row, beams)
        beam = sorted(extended, key=score, reverse=True)[: max(beams - len(finished), 0)]
        live = [plan for plan in beam if not plan.ended and len(plan.sentences) < maximum]
        finished += [plan for plan in beam if plan.ended or len(plan.sentences) == maximum]
    return sorted(finished, key=score, reverse=True)


def _score(length_penalty: float, plan: Plan) -> float:
    length = float(max(len(plan.log_probabilities), 1))
    return plan.log_probability / math.pow(length, length_penalty)


def _mask(row: Array, plan: Plan, allowed: Allowed | None, repeats: bool, minimum: int) -> None:
    """Mask the log-probabilities, `[n + 1]`, of units that may not follow a plan."""
    if allowed is not None:
        row[:-1][~allowed(plan.sentences)] = -np.inf
    if not repeats:
        row[list(plan.sentences)] = -np.inf
    if len(plan.sentences) < minimum:
        row[-1] = -np.inf


def _penalized(network: Network, logits: Array, penalties: Array | None) -> Array:
    """Subtract the penalties of sentences from logits `[k, n + 1]`."""
    if penalties is None:
        return logits
    sentences = logits[:, :-1] - penalties
    if network.decides_end:
        return with_decision(sentences, decision(logits))
    return np.concatenate([sentences, logits[:, -1:]], axis=1)


def _log_probabilities(logits: Array, end: bool) -> Array:
    if end:
        return log_softmax(logits)
    # The network's own array is not modified.
    return log_softmax(np.concatenate([logits[:, :-1], np.full((len(logits), 1), -np.inf)], axis=1))


def _extensions(plan: Plan, row: Array, limit: int) -> list[Plan]:
    """Return the plan extended by each of the `limit` best units of a masked row, `[n + 1]`."""
    best = [int(unit) for unit in np.argsort(-row, kind="stable")[:limit] if row[unit] > -np.inf]
    return [
        Plan(
            plan.sentences if unit == len(row) - 1 else (*plan.sentences, unit),
            (*plan.log_probabilities, float(row[unit])),
            ended=unit == len(row) - 1,
        )
        for unit in best
    ]
