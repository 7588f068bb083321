"""Plans that are searched for as a whole, and trigram blocking (Stepwise, §6.1)."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array, Mask
from longsum.core.encoder.decoding import Allowed, Plan, search_plans
from longsum.core.extractive.copies import Copies
from longsum.core.extractive.extractor_options import ExtractorConfig
from longsum.core.extractive.network_ranking import REASON, EncodedDocument
from longsum.core.extractive.selection import PlannedRanking, Ranking, Share, pool
from longsum.core.extractive.summarizer import Ranked
from longsum.core.summaries import FinishReason
from longsum.core.systems.system import Request
from longsum.language.repeats import first_alike
from longsum.language.words import terms

Trigram = tuple[str, str, str]


class StepwiseRanking:
    """The model's probabilities of the next sentence, conditioned on earlier choices."""

    def __init__(self, read: EncodedDocument) -> None:
        self._read = read
        self._plan: tuple[int, ...] = ()
        self._scores: Array | None = read.first

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the probabilities, with a single term."""
        if self._scores is None:
            self._scores = self._read.scores(self._plan)
        return self._scores, {REASON: self._scores}

    def choose(self, sentence: int) -> None:
        """Add a sentence to the partial plan."""
        self._plan = (*self._plan, sentence)
        self._scores = None


class Trigrams:
    """An index of the sentences of a document by their lower-cased word trigrams.

    Words are `longsum.language.words.terms`, so punctuation is ignored.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self._count = len(sentences)
        self._trigrams = [_trigrams(sentence) for sentence in sentences]
        self._index: dict[Trigram, list[int]] = {}
        for position, trigrams in enumerate(self._trigrams):
            for trigram in trigrams:
                self._index.setdefault(trigram, []).append(position)

    def sharing(self, sentence: int) -> NDArray[np.int64]:
        """Return the sentences that share a trigram with the given one, including itself."""
        others = {other for trigram in self._trigrams[sentence] for other in self._index[trigram]}
        return np.array(sorted(others), dtype=np.int64)

    def blocked(self, chosen: Sequence[int]) -> Mask:
        """Return which sentences share a trigram with any chosen one, `[n]`."""
        mask = np.zeros(self._count, dtype=bool)
        for sentence in chosen:
            mask[self.sharing(sentence)] = True
        return mask


class BlockingRanking:
    """A ranking that excludes sentences sharing a trigram with a chosen one."""

    def __init__(self, ranking: Ranking, trigrams: Trigrams) -> None:
        self._ranking = ranking
        self._trigrams = trigrams
        self._blocked = trigrams.blocked([])

    def scores(self) -> tuple[Array, Mapping[str, Share]]:
        """Return the ranking's scores and shares; blocked sentences score −∞."""
        scores, shares = self._ranking.scores()
        return np.where(self._blocked, -np.inf, scores), shares

    def choose(self, sentence: int) -> None:
        """Block the sentences that share a trigram with the chosen one."""
        self._ranking.choose(sentence)
        self._blocked[self._trigrams.sharing(sentence)] = True


def _trigrams(text: str) -> set[Trigram]:
    pairs = pairwise(pairwise(terms(text)))
    return {(first, second, third) for (first, second), (_, third) in pairs}


def planned(
    request: Request, read: EncodedDocument, config: ExtractorConfig, copies: Copies
) -> Ranked:
    """Search for a plan within the budget, as `ExtractorConfig.searches` requires.

    `copies` are the sentences as they would appear in the summary.

    Raises:
        LongsumError: The model is not stepwise.
    """
    count, alike = len(read.texts), first_alike(copies.texts)
    plan = search_plans(
        read.network,
        read.reading,
        beams=config.beams,
        maximum=config.steps or count,
        minimum=1,
        end=config.ends,
        # Plans that must fill the budget differ in their number of sentences.
        length_penalty=0.0 if config.ends else 1.0,
        penalties=read.penalties,
        allowed=_allowed(request, read, copies, Trigrams(read.texts) if config.blocking else None),
    )[0]
    candidates = np.zeros(count, dtype=bool)
    candidates[list(plan.sentences)] = True
    gains = np.exp(plan.log_probabilities).tolist()
    return Ranked(
        PlannedRanking(plan.sentences, gains, count, REASON),
        candidates,
        exhausted=_reason(plan, read, config.steps, len(np.unique(alike[read.known]))),
    )


def _allowed(
    request: Request, read: EncodedDocument, copies: Copies, trigrams: Trigrams | None
) -> Allowed:
    """Return a function that masks the sentences that may follow a plan, as in `Selection`."""
    costs, alike = np.array(copies.costs(request.budget)), first_alike(copies.texts)
    capacity = request.budget.capacity(request.document)

    def allowed(plan: tuple[int, ...]) -> Mask:
        chosen = list(plan)
        left = read.known & ~np.isin(alike, alike[chosen])
        if trigrams is not None:
            left &= ~trigrams.blocked(chosen)
        fits: Mask = costs <= capacity - costs[chosen].sum()
        return pool(left, read.preferred) & fits

    return allowed


def _reason(plan: Plan, read: EncodedDocument, steps: int | None, distinct: int) -> FinishReason:
    """Return the finish reason of a plan's summary."""
    if not plan.sentences:
        return "nothing_fits"
    if plan.ended:
        return "model_end"
    if len(plan.sentences) == distinct:
        return read.exhausted
    return "model_limit" if len(plan.sentences) == steps else "budget"
