"""The base of all extractive systems: selects sentences of the document within a budget."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from longsum.common.arrays import Array, Mask
from longsum.core.extractive.copies import Additions, Copies, Lengths, SelectionRules, insertions
from longsum.core.extractive.selection import Choice, Levels, PlannedRanking, Ranking, Selection
from longsum.core.summaries import (
    Budget,
    Coverage,
    Explanation,
    Fill,
    FinishReason,
    Notice,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.core.summaries.notices import given_whole, notices_of
from longsum.core.summaries.sentence import with_insertions
from longsum.core.summaries.summary import Importance, Level
from longsum.core.systems.system import Request, System
from longsum.documents.fitness.fitness import fitness_of
from longsum.documents.model import Document
from longsum.language.repeats import first_alike

ConfigT = TypeVar("ConfigT")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A ranking of a document's sentences with its context.

    Attributes:
        ranking: Scores the sentences.
        candidates: See `Selection`.
        preferred: See `Selection`.
        explanation: Topics, keywords and weights behind the choices.
        notices: Notices for the reader.
        coverage: How much of the document was read; by default all.
        exhausted: The finish reason of a summary that contains all candidates.
        levels: The intermediate summaries of a divided document.
        ended: Returns, once scores are computed, whether the ranking would rather end than choose
            another sentence; None if it has no end of its own.
    """

    ranking: Ranking
    candidates: Mask | None = None
    preferred: Levels | None = None
    explanation: Explanation | None = None
    notices: tuple[Notice, ...] = ()
    coverage: Coverage | None = None
    exhausted: FinishReason = "document"
    levels: tuple[Level, ...] = ()
    ended: Callable[[], bool] | None = None


@dataclass(frozen=True, slots=True)
class ShareOf:
    """A term of the scores that is computed for the sentences it is looked up for."""

    compute: Callable[[int], float]

    def __getitem__(self, sentence: int) -> float:
        return self.compute(sentence)


@dataclass(frozen=True, slots=True)
class PartRequest(Request):
    """A request for a summary of a part of the document; see `Request`.

    Attributes:
        part: Positions of the sentences that may be chosen, contiguous; None for all.
    """

    part: range | None = None


class ExtractiveSummarizer(System, Generic[ConfigT]):
    """Selects sentences of the document and returns them in document order.

    Subclasses implement `rank`; everything that depends on the budget is handled here.
    """

    nests = True
    shortens = True
    selection: ClassVar[type[Selection]] = Selection

    def __init__(self, name: str, config: ConfigT) -> None:
        self.name = name
        self.config = config
        self._shortening: bool | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that the output depends on, besides document, focus and seed.

        It includes `shorten` if that was set explicitly.
        """
        config: Any = self.config
        shortening = {} if self._shortening is None else {"shorten": self._shortening}
        return asdict(config) | shortening

    @property
    def is_shortening(self) -> bool:
        """Whether the sentences are shortened."""
        return bool(self._shortening)

    def shortening(self, on: bool) -> Self:
        """Return the system with its sentences shortened, or left as they are."""
        if on == self._shortening:
            return self
        other = copy(self)
        other._shortening = on
        return other

    def copies(self, document: Document) -> Copies:
        """Return the sentences of a document as its summary copies them."""
        return Copies.shortened(document) if self.is_shortening else Copies.whole(document)

    @property
    def by_rank(self) -> bool:
        """Whether the best sentence that fits is chosen next, regardless of its position."""
        return self.selection is Selection

    @abstractmethod
    def rank(self, request: Request) -> Ranked:
        """Rank the sentences of the document, which has at least one."""

    @property
    def rules(self) -> SelectionRules:
        """The rules of the selection."""
        return SelectionRules()

    def with_fill(self, fill: Fill) -> Self:
        """Return the system with another way to fill a length.

        Raises:
            LongsumError: The system has only one way, which is not this one.
        """
        if self.by_rank and fill == self.rules.fill:
            return self
        return super().with_fill(fill)

    def own_budget(self, request: Request) -> Budget:
        """Return the length of the sentences that are chosen before the ranking would rather end.

        Raises:
            LongsumError: The ranking has no end of its own.
        """
        if not self.ends:
            return super().own_budget(request)
        ranked = self.rank(request)
        assert ranked.ended is not None
        selection, _ = self._begin(request, ranked, self.copies(request.document))
        words = selection.extend_until(ranked.ended)
        return replace(request.budget, amount=max(words, 1))

    def _begin(
        self, request: Request, ranked: Ranked, copies: Copies
    ) -> tuple[Selection, Additions]:
        """Return an empty selection, and the additions to the sentences that it will choose."""
        rules, budget = self.rules, request.budget
        fitness = fitness_of(request.document, copies.texts)
        additions = Additions(
            fitness.acronyms if rules.spell_out else None,
            fitness.quotations if rules.mark_quotations else None,
        )
        costs = copies.costs(budget, additions)
        selection = self.selection(
            ranked.ranking,
            costs,
            ranked.candidates,
            ranked.preferred,
            first_alike(copies.texts),
            rules.aids(fitness, ranked.preferred, Lengths(costs, additions.acronyms, budget.added)),
        )
        return selection, additions

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Select for all lengths at once; each summary contains the next shorter one.

        The summary of the requested length equals the one for that budget alone. Shorter ones have
        those of its choices that fit, and longer ones add to it, so only the requested one is sure
        to fill its budget.
        """
        document, began = request.document, perf_counter()
        copies = self.copies(document)
        ranked = self.rank(request)
        importance = _importance(ranked.ranking, self.name)
        ranked_at = perf_counter()
        selection, additions = self._begin(request, ranked, copies)
        selection.mark_known(request.known)
        capacities = [budget.capacity(document) for budget in budgets]
        steps = _nested(selection, capacities, budgets.index(request.budget))
        coverage = ranked.coverage or Coverage.whole(document)
        timings = {"rank": ranked_at - began, "select": perf_counter() - ranked_at}
        for budget, (chosen, complete, short) in zip(budgets, steps, strict=True):
            reason = _finish_reason(selection, chosen, ranked.exhausted, budget)
            yield Summary(
                document=document,
                sentences=chosen_sentences(document, selection.choices, chosen, copies, additions),
                budget=budget,
                coverage=coverage,
                system=self.name,
                settings=self.settings | request.named_focus,
                seed=request.seed,
                finish_reason="complete" if complete else reason,
                notices=(
                    *notices_of(document),
                    *ranked.notices,
                    *_notices(document, copies, budget, selection, chosen, short),
                ),
                explanation=ranked.explanation,
                importance=importance,
                levels=ranked.levels,
                timings=timings,
            )


def _importance(ranking: Ranking, name: str) -> Importance | None:
    """Return the scores before the first choice as the importance of sentences.

    None for a plan, which has no scores of sentences outside it.
    """
    if isinstance(ranking, PlannedRanking):
        return None
    scores = ranking.scores()[0].tolist()
    weights = tuple(score if np.isfinite(score) else None for score in scores)
    return Importance(f"the scores of '{name}'", weights)


def _nested(
    selection: Selection, capacities: Sequence[int], start: int
) -> list[tuple[list[int], bool, bool]]:
    """Return the selection steps that each of several summaries contains.

    Args:
        selection: An empty selection.
        capacities: The budgets in increasing order.
        start: Index of the requested one.

    Returns:
        For each summary, its steps, whether mere filler was left out, and whether that left much of
        the length unfilled.
    """
    requested = selection.extend(capacities[start])
    longer = [(list(range(requested)), selection.complete, selection.short)]
    steps: list[int] = []
    shorter: list[tuple[list[int], bool, bool]] = []
    for capacity in capacities[:start]:
        steps = selection.within(capacity, range(requested), steps)
        shorter.append((steps, False, False))
    for capacity in capacities[start + 1 :]:
        steps = list(range(selection.extend(capacity)))
        longer.append((steps, selection.complete, selection.short))
    return [*shorter, *longer]


def chosen_sentences(
    document: Document,
    choices: Sequence[Choice],
    steps: Iterable[int] | None = None,
    copies: Copies | None = None,
    additions: Additions | None = None,
) -> tuple[SummarySentence, ...]:
    """Return the choices of some steps, or all, as sentences of a summary, in document order.

    `copies` are the sentences as the summary has them; by default, as the document has them.
    """
    copies = Copies.whole(document) if copies is None else copies
    ordered = sorted(
        range(len(choices)) if steps is None else steps, key=lambda step: choices[step].sentence
    )
    places = [choices[step].sentence for step in ordered]
    inserted = insertions(document, additions, places, copies.texts) if additions else {}
    return tuple(
        SummarySentence(
            text=with_insertions(copies.texts[place], inserted.get(place, ())),
            sources=(SourceSpan.of(document, place),),
            score=choices[step].score,
            reasons=choices[step].reasons,
            step=step,
            runner_up=choices[step].runner_up,
            insertions=inserted.get(place, ()),
            deletions=copies.deletions[place],
        )
        for step, place in zip(ordered, places, strict=True)
    )


def _finish_reason(
    selection: Selection, chosen: Sequence[int], exhausted: FinishReason, budget: Budget
) -> FinishReason:
    if len(chosen) == selection.candidates:
        return exhausted
    if not chosen:
        return "nothing_fits"
    return "model_end" if budget.automatic else "budget"


def _notices(
    document: Document,
    copies: Copies,
    budget: Budget,
    selection: Selection,
    chosen: Sequence[int],
    short: bool,
) -> tuple[Notice, ...]:
    if len(chosen) == selection.distinct:
        repeats = len(copies.texts) - len(chosen)
        but = f", except for {repeats:,} repeated sentence{'s' * (repeats > 1)}" if repeats else ""
        shorter = "; sentences are shortened" if any(copies.deletions) else ""
        return (given_whole(document, but + shorter),)
    if not chosen:
        shortest = min(copies.costs(Budget(1)))
        nothing = f"No sentence fits in {budget}; the shortest that can be chosen has"
        return (Notice("length", f"{nothing} {shortest} words."),)
    if short:
        text = "The summary is shorter than asked for: what is left and fits would only fill it."
        return (Notice("length", text),)
    return ()


def focus_similarity(
    request: Request, similarity: Callable[[str], Array]
) -> tuple[Array | None, tuple[Notice, ...]]:
    """Return each sentence's similarity to the focus, and a notice if the focus is ignored.

    Returns:
        The similarity, `[n]`, or None if there is no focus or no sentence is similar to it.
    """
    if request.focus is None:
        return None, ()
    similarities = similarity(request.focus)
    if similarities.max() > 0:
        return similarities, ()
    text = f"Nothing in the document resembles the focus '{request.focus}'; it is ignored."
    return None, (Notice("focus", text),)
