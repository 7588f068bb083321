"""The one interface of every system, and what extractive systems share."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np

from longsum.documents.model import Document
from longsum.errors import LongsumError
from longsum.language.repeats import first_alike
from longsum.summaries import (
    Budget,
    Coverage,
    Explanation,
    FinishReason,
    Ladder,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.summaries.importance import Importance
from longsum.systems.extractive.selection import (
    Choice,
    Levels,
    Mask,
    PlannedRanking,
    Ranking,
    Selection,
)


class Summarizer(Protocol):
    """Whatever makes a summary of a document within a budget."""

    name: str

    def summarize(
        self, document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Summary:
        """Summarize a document.

        Args:
            document: The document.
            budget: The most that the summary may hold; never exceeded.
            focus: What the reader wants to know of, in free words.
            seed: Seed of whatever is random; the same input and seed give the same summary.

        Raises:
            LongsumError: The document has no sentence, or the system takes no focus and one is
                given.
        """
        ...


@runtime_checkable
class ReadsReferences(Protocol):
    """A system that reads the reference summary: an upper bound to compare others with."""

    def with_references(self, references: Sequence[str]) -> Self:
        """Return the system for one document, given its reference summaries."""
        ...


class System(ABC):
    """A summarizer that tells its settings and can make several lengths at once."""

    name: str
    takes_focus: bool = False

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """All that the output depends on, besides document, focus and seed."""

    @abstractmethod
    def ladder(
        self,
        document: Document,
        budgets: Sequence[Budget],
        *,
        start: int = 0,
        focus: str | None = None,
        seed: int = 0,
    ) -> Ladder:
        """Summarize a document at several lengths.

        Args:
            document: The document.
            budgets: The lengths, all in one unit, in any order.
            start: Position in `budgets` of the length asked for.
            focus: What the reader wants to know of.
            seed: Seed of whatever is random.

        Raises:
            LongsumError: The document has no sentence, or the system takes no focus and one is
                given.
        """

    def summarize(
        self, document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Summary:
        """Summarize a document; see `Summarizer.summarize`."""
        if not isinstance(budget, Budget):
            raise TypeError(
                f"a system takes a Budget, not {type(budget).__name__}; Budget.parse('250w') makes "
                "one, and longsum.summarize takes '250w' as it is"
            )
        return self.ladder(document, [budget], focus=focus, seed=seed).rungs[0]

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted as the system counts them.

        By default they are words and marks of punctuation.
        """
        return budget

    def check(self, document: Document, focus: str | None) -> None:
        """Check that the document has something to summarize, and that a focus is taken if given.

        Raises:
            LongsumError: One of these is not so.
            TypeError: The document is none.
        """
        if not isinstance(document, Document):
            raise TypeError(
                "a system summarizes what longsum.read returns, not "
                f"{type(document).__name__}; longsum.summarize takes texts and paths too"
            )
        if not document.sentences:
            raise LongsumError("The document has no sentence; there is nothing to summarize.")
        if focus is not None and not self.takes_focus:
            raise LongsumError(
                f"The system '{self.name}' takes no focus; leave it out or use --system kernels."
            )
        if focus is not None and not focus.strip():
            raise LongsumError("The focus is empty; say what you want to know of, or leave it out.")


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a system: see `Summarizer.summarize`."""

    document: Document
    budget: Budget
    focus: str | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Ranked:
    """A ranking and what goes with it.

    Attributes:
        ranking: What scores the sentences.
        candidates: See `Selection`.
        preferred: See `Selection`.
        explanation: What the choices rest on.
        warnings: What the reader should know.
        coverage: How much was read; by default all.
        exhausted: Why a summary of all candidates is no longer.
    """

    ranking: Ranking
    candidates: Mask | None = None
    preferred: Levels | None = None
    explanation: Explanation | None = None
    warnings: tuple[str, ...] = ()
    coverage: Coverage | None = None
    exhausted: FinishReason = "document"


class ExtractiveSummarizer(System):
    """Chooses sentences of the document and gives them in the document's order.

    A system is this class with `rank`; what depends on the budget stands here, once.
    """

    selection: ClassVar[type[Selection]] = Selection

    def __init__(self, name: str, config: Any) -> None:
        self.name = name
        self.config = config

    @property
    def settings(self) -> dict[str, Any]:
        """All that the output depends on, besides document, focus and seed."""
        return asdict(self.config)

    @abstractmethod
    def rank(self, request: Request) -> Ranked:
        """Rank the sentences of the document, which has at least one."""

    def ladder(
        self,
        document: Document,
        budgets: Sequence[Budget],
        *,
        start: int = 0,
        focus: str | None = None,
        seed: int = 0,
    ) -> Ladder:
        """Summarize a document at several lengths, each holding all of the one below.

        The rung at `start` is exactly the summary that its budget gives by itself. Shorter rungs
        take from its sentences in the order in which they were chosen; longer ones add to it. So
        only that rung is sure to fill its budget.
        """
        self.check(document, focus)
        asked = budgets[start]
        began = perf_counter()
        ranked = self.rank(Request(document, asked, focus, seed))
        importance = _importance(ranked.ranking, self.name)
        ranked_at = perf_counter()
        selection = self.selection(
            ranked.ranking,
            asked.costs(document.sentences),
            ranked.candidates,
            ranked.preferred,
            first_alike([sentence.text for sentence in document.sentences]),
        )
        ordered = sorted(budgets, key=lambda budget: budget.capacity(document))
        capacities = [budget.capacity(document) for budget in ordered]
        place = ordered.index(asked)
        steps = _climb(selection, capacities, place)
        coverage = ranked.coverage or Coverage(len(document.sentences), len(document.sentences))
        timings = {"rank": ranked_at - began, "select": perf_counter() - ranked_at}
        rungs = [
            Summary(
                document=document,
                sentences=_sentences(document, selection.choices, chosen),
                budget=budget,
                coverage=coverage,
                system=self.name,
                settings=self.settings | ({"focus": focus} if focus is not None else {}),
                seed=seed,
                finish_reason=_finish_reason(selection, chosen, ranked.exhausted),
                warnings=(
                    *document.warnings,
                    *ranked.warnings,
                    *_warnings(document, budget, selection, chosen),
                ),
                explanation=ranked.explanation,
                importance=importance,
                timings=timings,
            )
            for budget, chosen in zip(ordered, steps, strict=True)
        ]
        return Ladder(tuple(rungs), place)


def _importance(ranking: Ranking, name: str) -> Importance | None:
    """Return the importance of sentences by what the first choice among them goes by.

    A plan has no scores for the sentences that are not in it.
    """
    if isinstance(ranking, PlannedRanking):
        return None
    scores = ranking.scores()[0].tolist()
    known = tuple(score if np.isfinite(score) else None for score in scores)
    return Importance(f"the scores of '{name}'", known)


def _climb(selection: Selection, capacities: Sequence[int], place: int) -> list[list[int]]:
    """Return the steps of the selection that each rung holds; the rungs nest."""
    asked = selection.extend(capacities[place])
    below: list[list[int]] = []
    held: list[int] = []
    for capacity in capacities[:place]:
        held = selection.within(capacity, range(asked), held)
        below.append(held)
    above = [list(range(selection.extend(capacity))) for capacity in capacities[place + 1 :]]
    return [*below, list(range(asked)), *above]


def _sentences(
    document: Document, choices: Sequence[Choice], steps: Iterable[int]
) -> tuple[SummarySentence, ...]:
    return tuple(
        SummarySentence(
            text=document.sentences[choices[step].sentence].text,
            sources=(SourceSpan.of(document, choices[step].sentence),),
            score=choices[step].score,
            reasons=choices[step].reasons,
            step=step,
            runner_up=choices[step].runner_up,
        )
        for step in sorted(steps, key=lambda step: choices[step].sentence)
    )


def _finish_reason(
    selection: Selection, chosen: Sequence[int], exhausted: FinishReason
) -> FinishReason:
    if len(chosen) == selection.candidates:
        return exhausted
    return "budget" if chosen else "nothing_fits"


def _warnings(
    document: Document, budget: Budget, selection: Selection, chosen: Sequence[int]
) -> tuple[str, ...]:
    if len(chosen) == selection.distinct:
        repeats = len(document.sentences) - len(chosen)
        but = f", but for {repeats:,} repeated sentence{'s' * (repeats > 1)}" if repeats else ""
        return (f"The document is no longer than the length asked for; it is given whole{but}.",)
    if not chosen:
        shortest = min(Budget(1).costs(document.sentences))
        return (
            f"No sentence fits in {budget}; the shortest that can be chosen has {shortest} words.",
        )
    return ()


def unlike_focus(focus: str) -> str:
    """Return the warning of a system that finds nothing of the focus in the document."""
    return f"Nothing in the document resembles the focus '{focus}'; it is ignored."
