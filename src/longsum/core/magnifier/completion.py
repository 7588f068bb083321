"""Extends a model's summary to the requested length with sentences of the document."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from longsum.core.loading import load_system
from longsum.core.magnifier.length_control import LengthControlled, magnified_to
from longsum.core.magnifier.magnifier import Magnifier
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import Budget, Coverage, Notice, Summary
from longsum.core.summaries.notices import unverified
from longsum.core.systems.system import Request, System

_REPLACED = ("length", "verification")
"""Kinds of notices that are recomputed for the completed summary."""


def reach_any_length(system: System) -> System:
    """Return a system that brings a model's summary to any length.

    Systems with a length of their own are magnified (MLS, §2.2). Summaries of those that follow the
    requested length are completed if they fall short.

    Args:
        system: The system; an extractive one is returned unchanged.
    """
    if not system.writes:
        return system
    if system.own_length is not None:
        return LengthControlled(system, natural=system.own_length, name=system.name)
    return Completed(system)


class Completed(System):
    """Adds sentences of the document to a model's summary that is shorter than requested.

    The default system chooses them, conditioned on the sources of the model's sentences as if they
    were its own choices (Stepwise, §3). They follow the written text, in document order. Lengths
    below that of the written text are reached by the magnifier.
    """

    def __init__(self, writer: System) -> None:
        self.name = writer.name
        self.takes_focus = writer.takes_focus
        self._writer = writer
        self._extractor: System | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the writer, and the system that completes its summaries."""
        return {**self._writer.settings, "completed_by": DEFAULT}

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted by the writer's tokenizer."""
        return self._writer.counting(budget)

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Write once, for the requested length, and adapt the result to all lengths."""
        document = request.document
        written = self._writer.summarize(
            document, request.budget, focus=request.focus, seed=request.seed
        )
        rooms = [budget.capacity(document) - _length(written, budget) for budget in budgets]
        additions = self._additions(request, written, [max(room, 0) for room in rooms])
        magnifier: Magnifier | None = None
        settings = self.settings | request.named_focus
        for budget, room, addition in zip(budgets, rooms, additions, strict=True):
            if room < 0:
                magnifier = magnifier or Magnifier(document, written, seed=request.seed)
                summary = magnified_to(budget, written, magnifier)
            else:
                summary = _completed(written, budget, addition)
            yield replace(summary, settings=settings)

    def _additions(
        self, request: Request, written: Summary, rooms: Sequence[int]
    ) -> Iterator[Summary | None]:
        """Yield the additions that fill each room; None if there is no room."""
        document = request.document
        cited = dict.fromkeys(
            source.sentence for sentence in written.sentences for source in sentence.sources
        )
        budgets = [
            replace(request.budget.absolute(document), amount=room) for room in rooms if room
        ]
        if not budgets:
            yield from [None] * len(rooms)
            return
        self._extractor = self._extractor or load_system(DEFAULT)
        focus = request.focus if self._extractor.takes_focus else None
        missing = max(request.budget.capacity(document) - _length(written, request.budget), 1)
        start = min(range(len(budgets)), key=lambda at: abs(budgets[at].amount - missing))
        extraction = Request(document, budgets[start], focus, request.seed, tuple(cited))
        additions = iter(self._extractor.lengths(extraction, budgets))
        for room in rooms:
            yield next(additions) if room else None


def _length(summary: Summary, budget: Budget) -> int:
    """Return the length of a summary in the unit of a budget."""
    return sum(budget.cost(sentence.text) for sentence in summary.sentences)


def _completed(written: Summary, budget: Budget, addition: Summary | None) -> Summary:
    """Return a written summary followed by the additions that fill its length."""
    before = len(written.sentences)
    added = () if addition is None else addition.sentences
    sentences = (
        *written.sentences,
        *(replace(sentence, step=before + sentence.step) for sentence in added),
    )
    notices = [notice for notice in written.notices if notice.kind not in _REPLACED]
    notices += unverified(sentences)
    if not sentences:
        notices.append(Notice("length", f"No sentence fits in {budget}."))
    elif added:
        text = (
            f"Sentences from the document, to reach {budget}: {len(added):,} of "
            f"{len(sentences):,}; --as-written leaves them out."
        )
        notices.append(Notice("length", text))
    filled = addition is not None and bool(added)
    return replace(
        written,
        sentences=sentences,
        budget=budget,
        coverage=Coverage.whole(written.document) if filled else written.coverage,
        finish_reason=addition.finish_reason if addition and filled else written.finish_reason,
        notices=tuple(notices),
        importance=written.importance or (addition.importance if addition else None),
        timings={**written.timings, **(addition.timings if addition else {})},
    )
