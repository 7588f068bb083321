"""What extractive systems share: sentences of the document, chosen within a budget."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from longsum.arrays import Mask
from longsum.documents.model import Document
from longsum.language.repeats import first_alike
from longsum.summaries import (
    Budget,
    Coverage,
    Explanation,
    FinishReason,
    Notice,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.summaries.importance import Importance
from longsum.summaries.notices import notices_of
from longsum.systems.extractive.selection import Choice, Levels, PlannedRanking, Ranking, Selection
from longsum.systems.system import Request, System


@dataclass(frozen=True, slots=True)
class Ranked:
    """A ranking and what goes with it.

    Attributes:
        ranking: What scores the sentences.
        candidates: See `Selection`.
        preferred: See `Selection`.
        explanation: What the choices rest on.
        notices: What the reader should know.
        coverage: How much was read; by default all.
        exhausted: Why a summary of all candidates is no longer.
    """

    ranking: Ranking
    candidates: Mask | None = None
    preferred: Levels | None = None
    explanation: Explanation | None = None
    notices: tuple[Notice, ...] = ()
    coverage: Coverage | None = None
    exhausted: FinishReason = "document"


@dataclass(frozen=True, slots=True)
class PartRequest(Request):
    """What is asked of a part: see `Request`.

    Attributes:
        part: Positions of the sentences that may be chosen, a stretch; None for all.
    """

    part: range | None = None


class ExtractiveSummarizer(System):
    """Chooses sentences of the document and gives them in the document's order.

    A system is this class with `rank`; what depends on the budget stands here, once.
    """

    nests = True
    selection: ClassVar[type[Selection]] = Selection

    def __init__(self, name: str, config: Any) -> None:
        self.name = name
        self.config = config

    @property
    def settings(self) -> dict[str, Any]:
        """All that the output depends on, besides document, focus and seed."""
        return asdict(self.config)

    @property
    def by_rank(self) -> bool:
        """Whether the best sentence that fits comes next, wherever it stands."""
        return self.selection is Selection

    @abstractmethod
    def rank(self, request: Request) -> Ranked:
        """Rank the sentences of the document, which has at least one."""

    def rungs(self, request: Request, budgets: Sequence[Budget], place: int) -> Iterator[Summary]:
        """Choose for all lengths at once, each holding all of the one below.

        The rung at `place` is exactly the summary that its budget gives by itself. Shorter rungs
        take from its sentences in the order in which they were chosen; longer ones add to it. So
        only that rung is sure to fill its budget.
        """
        document, began = request.document, perf_counter()
        ranked = self.rank(request)
        importance = _importance(ranked.ranking, self.name)
        ranked_at = perf_counter()
        selection = self.selection(
            ranked.ranking,
            request.budget.costs(document.sentences),
            ranked.candidates,
            ranked.preferred,
            first_alike([sentence.text for sentence in document.sentences]),
        )
        steps = _climb(selection, [budget.capacity(document) for budget in budgets], place)
        coverage = ranked.coverage or Coverage.whole(document)
        timings = {"rank": ranked_at - began, "select": perf_counter() - ranked_at}
        for budget, chosen in zip(budgets, steps, strict=True):
            yield Summary(
                document=document,
                sentences=_sentences(document, selection.choices, chosen),
                budget=budget,
                coverage=coverage,
                system=self.name,
                settings=self.settings | request.named_focus,
                seed=request.seed,
                finish_reason=_finish_reason(selection, chosen, ranked.exhausted),
                notices=(
                    *notices_of(document),
                    *ranked.notices,
                    *_notices(document, budget, selection, chosen),
                ),
                explanation=ranked.explanation,
                importance=importance,
                timings=timings,
            )


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


def _notices(
    document: Document, budget: Budget, selection: Selection, chosen: Sequence[int]
) -> tuple[Notice, ...]:
    if len(chosen) == selection.distinct:
        repeats = len(document.sentences) - len(chosen)
        but = f", but for {repeats:,} repeated sentence{'s' * (repeats > 1)}" if repeats else ""
        whole = "The document is no longer than the length asked for; it is given whole"
        return (Notice("length", f"{whole}{but}."),)
    if not chosen:
        shortest = min(Budget(1).costs(document.sentences))
        nothing = f"No sentence fits in {budget}; the shortest that can be chosen has"
        return (Notice("length", f"{nothing} {shortest} words."),)
    return ()


def unlike_focus(focus: str) -> Notice:
    """Return the notice of a system that finds nothing of the focus in the document."""
    text = f"Nothing in the document resembles the focus '{focus}'; it is ignored."
    return Notice("focus", text)
