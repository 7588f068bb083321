"""The definition of the greedy oracle: every candidate is rescored from its words at each step."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.evaluation.metrics.oracle import OracleStep, checked_prices, f_measure


def greedy_oracle_naive(
    sentences: Sequence[str],
    references: Sequence[str],
    *,
    costs: Sequence[int] | None = None,
    capacity: int | None = None,
    fill: bool = False,
) -> list[OracleStep]:
    """Compute `longsum.evaluation.metrics.oracle.oracle_steps` in the obvious, slow way.

    The reference implementation that the fast one is tested and timed against.
    """
    prices = checked_prices(sentences, references, costs)
    tokens = [rouge_tokens(sentence) for sentence in sentences]
    targets = [_counts(rouge_tokens(reference)) for reference in references]
    room = math.inf if capacity is None else capacity
    steps: list[OracleStep] = []
    while True:
        chosen = [step.sentence for step in steps]
        best: OracleStep | None = None
        for candidate in range(len(sentences)):
            if candidate in chosen or prices[candidate] > room:
                continue
            objective = _objective(tokens, sorted([*chosen, candidate]), targets)
            if not best or objective > best.objective:
                best = OracleStep(candidate, objective)
        reached = steps[-1].objective if steps else 0.0
        if not best or not (fill or best.objective > reached):
            return steps
        room -= float(prices[best.sentence])
        steps.append(best)


_Counts = tuple[Counter[str], Counter[tuple[str, str]]]


def _counts(tokens: list[str]) -> _Counts:
    return Counter(tokens), Counter(pairwise(tokens))


def _objective(
    tokens: Sequence[list[str]], selection: Sequence[int], targets: Sequence[_Counts]
) -> float:
    words, pairs = _counts([token for sentence in selection for token in tokens[sentence]])
    total = 0.0
    for target_words, target_pairs in targets:
        total += _f_measure(words, target_words) + _f_measure(pairs, target_pairs)
    return total / len(targets)


def _f_measure(own: Counter[Any], target: Counter[Any]) -> float:
    return f_measure((own & target).total(), own.total(), target.total())
