"""What a stepwise extractor learns from: partial plans, and what each sentence would add to them.

The greedy oracle gives one plan per document. A model that sees only prefixes of that plan never
learns to continue after a suboptimal choice of its own. So perturbed plans are added, which deviate
from it at random, and for each prefix of every plan the gains of the best next sentences, which the
oracle's search computes exactly.

Gains in ROUGE F1 vanish at the length of the reference: past it, there is nothing to learn but to
end. Gains in recall per word do not, so that a plan may continue to a multiple of that length, and
the end is learned in addition to the next sentence instead of in its place.
"""

import math
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Ints, Mask, Places
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.documents.fitness.fitness import ContextDependence
from longsum.evaluation.metrics.oracle import OracleSearch
from longsum.evaluation.metrics.recall_search import RecallSearch
from longsum.language.words import count_words

# Share of the reference's length over which the end of a plan turns from improbable to probable.
_END_WIDTH = 0.1


@dataclass(frozen=True, slots=True)
class HistoryConfig:
    """How oracle plans are made.

    Attributes:
        steps: Maximum number of choices of a plan.
        strays: Number of perturbed plans, besides the greedy one.
        stray_rate: Probability that a choice of theirs is drawn uniformly from the candidates
            instead of being the best.
        candidates: Number of best sentences whose gain is kept at each step.
        per_word: None for gains in ROUGE-1 + ROUGE-2 F1; otherwise gains in recall, divided by the
            words of the sentence to this power.
        stretch: With `per_word`, a plan continues to this multiple of the references' mean length.
        self_contained: Whether a sentence that needs the one before it can be chosen only after it,
            as in summaries that are self-contained.
    """

    steps: int = 24
    strays: int = 2
    stray_rate: float = 0.4
    candidates: int = 16
    per_word: float | None = None
    stretch: float = 2.0
    self_contained: bool = False


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
        gains: `[Σ (m + 1), c]`, what each would add to the objective.
        ends: `[Σ (m + 1)]`, the probability that a summary ends there.
    """

    plans: Ints = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    lengths: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    candidates: Ints = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    gains: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    ends: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))


@dataclass(frozen=True, slots=True)
class _Next:
    """The best next sentences of a partial plan, best first, and how probable its end is."""

    sentences: list[int]
    gains: list[float]
    end: float


def make_histories(
    sentences: Sequence[str],
    references: Sequence[str],
    config: HistoryConfig,
    generator: np.random.Generator,
    material: Mask | None = None,
    standing: ContextDependence | None = None,
) -> Histories:
    """Make the greedy plan of a document and perturbed plans.

    A plan ends when no sentence improves the objective, at the maximum number of choices, or, with
    gains in recall, past `stretch` times the length of the references.

    Args:
        sentences: The document's sentences.
        references: Its reference summaries.
        config: How plans are made.
        generator: Random generator of the perturbations.
        material: Which sentences may be chosen, `[n]`; by default, or if none may, all.
        standing: Which sentences can be chosen alone before any choice; by default all.
    """
    allowed = np.ones(len(sentences), bool) if material is None else material
    allowed = allowed if allowed.any() else ~allowed
    standing = ContextDependence.independent(len(sentences)) if standing is None else standing
    search: _ByF1 | _ByRecall = _ByF1(sentences, references)
    if config.per_word is not None:
        search = _ByRecall(sentences, references, config.per_word, config.stretch)
    plans: list[list[int]] = []
    rows: list[_Next] = []
    for rate in (0.0, *[config.stray_rate] * config.strays):
        plan, nexts = _plan(search, allowed, deepcopy(standing), config, rate, generator)
        plans.append(plan)
        rows.extend(nexts)
    padded = np.full((len(plans), config.steps), -1, dtype=np.int32)
    for row, plan in zip(padded, plans, strict=True):
        row[: len(plan)] = plan
    candidates = np.full((len(rows), config.candidates), -1, dtype=np.int32)
    gains = np.zeros((len(rows), config.candidates), dtype=np.float32)
    for number, following in enumerate(rows):
        candidates[number, : len(following.sentences)] = following.sentences
        gains[number, : len(following.gains)] = following.gains
    lengths = np.array([len(plan) for plan in plans], np.int32)
    ends = np.array([following.end for following in rows], np.float32)
    return Histories(padded, lengths, candidates, gains, ends)


def _plan(
    search: "_ByF1 | _ByRecall",
    allowed: Mask,
    standing: ContextDependence,
    config: HistoryConfig,
    rate: float,
    generator: np.random.Generator,
) -> tuple[list[int], list[_Next]]:
    """Return a plan and the sentences that may follow each of its prefixes."""
    plan: list[int] = []
    rows: list[_Next] = []
    search.begin()
    left = allowed.copy()
    while True:
        alone = np.flatnonzero(left & standing.startable)
        best = search.following(alone, config.candidates)
        rows.append(best)
        if len(plan) == config.steps or not best.gains or best.gains[0] <= 0:
            return plan, rows
        perturbed = generator.random() < rate
        rank = int(generator.integers(len(best.sentences))) if perturbed else 0
        chosen = best.sentences[rank]
        search.choose(chosen)
        standing.choose(chosen)
        left[chosen] = False
        plan.append(chosen)


class _ByF1:
    """Gains in ROUGE-1 F1 + ROUGE-2 F1; a plan ends where nothing improves it."""

    def __init__(self, sentences: Sequence[str], references: Sequence[str]) -> None:
        self._tokens = [rouge_tokens(sentence) for sentence in sentences]
        self._targets = [rouge_tokens(reference) for reference in references]

    def begin(self) -> None:
        self._search = OracleSearch(self._tokens, self._targets)
        self._objectives: dict[int, float] = {}
        self._objective = 0.0

    def following(self, left: Places, count: int) -> _Next:
        steps = self._search.ranked(left, count)
        self._objectives = {step.sentence: step.objective for step in steps}
        gains = [step.objective - self._objective for step in steps]
        ends = not gains or gains[0] <= 0
        return _Next([step.sentence for step in steps], gains, float(ends))

    def choose(self, sentence: int) -> None:
        self._search.choose(sentence)
        self._objective = self._objectives[sentence]


class _ByRecall:
    """Gains in recall per word; a plan continues past the references, where it should end."""

    def __init__(
        self, sentences: Sequence[str], references: Sequence[str], exponent: float, stretch: float
    ) -> None:
        self._words = np.array([count_words(sentence) for sentence in sentences])
        self._room = float(np.mean([count_words(reference) for reference in references]))
        self._stretch = stretch
        self._search = RecallSearch(
            [rouge_tokens(sentence) for sentence in sentences],
            [rouge_tokens(reference) for reference in references],
            self._words,
            exponent,
        )

    def begin(self) -> None:
        self._search.reset()
        self._spent = 0

    def following(self, left: Places, count: int) -> _Next:
        filled = self._spent / max(self._room, 1.0)
        end = 1 / (1 + math.exp(min((1 - filled) / _END_WIDTH, 50.0)))
        gains = self._search.gains()[left]
        best = np.argsort(-gains, kind="stable")[:count]
        best = best[gains[best] > 0]
        if filled >= self._stretch or not len(best):
            return _Next([], [], max(end, float(not len(best))))
        return _Next(left[best].tolist(), gains[best].tolist(), end)

    def choose(self, sentence: int) -> None:
        self._search.choose(sentence)
        self._spent += int(self._words[sentence])
