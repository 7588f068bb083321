"""What a stepwise extractor learns from: partial plans, and what each sentence would add to them.

The greedy oracle gives one plan per document. A model that sees only prefixes of that plan never
learns to continue after a suboptimal choice of its own. So perturbed oracle plans are added, which
deviate from it at random, and for each prefix of every plan the gains of the best next sentences,
which the oracle's search computes exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from longsum.arrays import Ints
from longsum.evaluation.oracle import OracleSearch, OracleStep
from longsum.evaluation.rouge_tokens import rouge_tokens


@dataclass(frozen=True, slots=True)
class HistoryConfig:
    """How oracle plans are made.

    Attributes:
        steps: Maximum number of choices of a plan.
        strays: Number of perturbed plans, besides the greedy one.
        stray_rate: Probability that a choice of theirs is drawn uniformly from the candidates
            instead of being the best.
        candidates: Number of best sentences whose gain is kept at each step.
    """

    steps: int = 24
    strays: int = 2
    stray_rate: float = 0.4
    candidates: int = 16


@dataclass(frozen=True, slots=True)
class Histories:
    """Plans of one document, and what may follow each of their prefixes; by default none.

    Attributes:
        plans: `[p, steps]`, positions of sentences in the order of choice, −1 where a plan is
            shorter; the first is the greedy oracle's.
        lengths: `[p]`, choices of each plan. A plan of m choices has m + 1 prefixes, from the empty
            one to the whole plan.
        candidates: `[Σ (m + 1), c]`, the best next sentences of each prefix, −1 where there are
            fewer.
        gains: `[Σ (m + 1), c]`, what each would add to ROUGE-1 F1 + ROUGE-2 F1, in [−2, 2].
    """

    plans: Ints = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    lengths: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    candidates: Ints = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    gains: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))


def make_histories(
    sentences: Sequence[str],
    references: Sequence[str],
    config: HistoryConfig,
    generator: np.random.Generator,
) -> Histories:
    """Make the greedy plan of a document and perturbed plans.

    A plan ends when no sentence improves the objective, or at the maximum number of choices.

    Args:
        sentences: The document's sentences.
        references: Its reference summaries.
        config: How plans are made.
        generator: Random generator of the perturbations.
    """
    tokens = [rouge_tokens(sentence) for sentence in sentences]
    targets = [rouge_tokens(reference) for reference in references]
    plans: list[list[int]] = []
    rows: list[list[OracleStep]] = []
    for rate in (0.0, *[config.stray_rate] * config.strays):
        plan, nexts = _plan(OracleSearch(tokens, targets), config, rate, generator)
        plans.append(plan)
        rows.extend(nexts)
    padded = np.full((len(plans), config.steps), -1, dtype=np.int32)
    for row, plan in zip(padded, plans, strict=True):
        row[: len(plan)] = plan
    candidates = np.full((len(rows), config.candidates), -1, dtype=np.int32)
    gains = np.zeros((len(rows), config.candidates), dtype=np.float32)
    for number, found in enumerate(rows):
        candidates[number, : len(found)] = [step.sentence for step in found]
        gains[number, : len(found)] = [step.objective for step in found]
    return Histories(padded, np.array([len(plan) for plan in plans], np.int32), candidates, gains)


def _plan(
    search: OracleSearch, config: HistoryConfig, rate: float, generator: np.random.Generator
) -> tuple[list[int], list[list[OracleStep]]]:
    """Return a plan and, for each prefix, the best next sentences with their gains."""
    plan: list[int] = []
    rows: list[list[OracleStep]] = []
    objective = 0.0
    while True:
        left = np.setdiff1d(np.arange(search.count), plan)
        found = search.ranked(left, config.candidates)
        rows.append([OracleStep(step.sentence, step.objective - objective) for step in found])
        if len(plan) == config.steps or not found or found[0].objective <= objective:
            return plan, rows
        perturbed = generator.random() < rate
        drawn = found[generator.integers(len(found))] if perturbed else found[0]
        search.choose(drawn.sentence)
        objective = drawn.objective
        plan.append(drawn.sentence)
