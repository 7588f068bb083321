"""Any system at an exact length: its own summary is the prototype that is magnified (MLS, §2.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from time import perf_counter
from typing import Any

from longsum.documents.model import Document
from longsum.kernels.fitted import KernelSettings
from longsum.language.embeddings import Embed
from longsum.summaries import (
    Budget,
    Coverage,
    FinishReason,
    Notice,
    Rival,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.summaries.notices import notices_of, unverified
from longsum.systems.magnifier.magnifier import Magnified, Magnifier, Piece
from longsum.systems.magnifier.magnifier_settings import ASKED, Asked
from longsum.systems.magnifier.steps import Step
from longsum.systems.system import Request, System

NATURAL = Budget(100)
"""The prototype's length, where a system knows none of its own."""


def reach_any_length(system: System) -> System:
    """Return a system that reaches any length with what a model writes.

    A model with a length of its own writes that; another writes for the length asked.

    Args:
        system: The system; one that only copies comes back as it is.
    """
    if not system.writes:
        return system
    return LengthControlled(system, natural=system.own_length or ASKED, name=system.name)


class LengthControlled(System):
    """Copies and expands the summary of another system until the length is exact.

    That system writes once, at its natural length or at the one asked for first; the rest of the
    document's sentences come from the kernels. What is copied keeps its sources and doubts.
    """

    def __init__(
        self,
        summarizer: System,
        kernels: KernelSettings | None = None,
        *,
        natural: Budget | Asked | None = None,
        embed: Embed | None = None,
        name: str | None = None,
    ) -> None:
        """Make the system.

        Args:
            summarizer: What makes the prototype.
            kernels: Weights and sizes of the kernels.
            natural: The prototype's length, or `ASKED`; by default the summarizer's own, where it
                has one, or else 100 words.
            embed: A sentence encoder; by default latent semantic analysis of the document.
            name: What the system is called; by default by its summarizer.
        """
        self.name = name or f"{summarizer.name}-magnified"
        self.takes_focus = summarizer.takes_focus
        self.natural = natural or summarizer.own_length or NATURAL
        self._summarizer = summarizer
        self._kernels = kernels or KernelSettings()
        self._embed = embed

    @property
    def settings(self) -> dict[str, Any]:
        """The weights and sizes of the kernels, and what makes the prototype."""
        summarizer = self._summarizer
        return {
            **asdict(self._kernels),
            "natural": str(self.natural),
            "prototype": {"system": summarizer.name, **summarizer.settings},
        }

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted as the summarizer counts them."""
        return self._summarizer.counting(budget)

    def magnifier(
        self,
        document: Document,
        asked: Budget = NATURAL,
        *,
        focus: str | None = None,
        seed: int = 0,
    ) -> tuple[Summary, Magnifier]:
        """Return the prototype, and what makes any length of it and tells each step.

        Args:
            document: The document.
            asked: The length asked for, where the prototype is to have that.
            focus: See `System.ladder`.
            seed: The same.

        Raises:
            LongsumError: The document has no sentence, or the summarizer takes no focus and one is
                given.
        """
        self.check(document, focus)
        natural = asked if self.natural == ASKED else self.natural
        prototype = self._summarizer.summarize(document, natural, focus=focus, seed=seed)
        return prototype, Magnifier(
            document, prototype, self._kernels, embed=self._embed, seed=seed
        )

    def rungs(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Magnify one prototype to every length.

        Each summary equals the one for its budget alone. A longer one covers the top topics of a
        shorter one, but need not contain its sentences.
        """
        began = perf_counter()
        prototype, magnifier = self.magnifier(
            request.document, request.budget, focus=request.focus, seed=request.seed
        )
        seconds = perf_counter() - began
        return (self._rung(prototype, magnifier, budget, seconds) for budget in budgets)

    def _rung(
        self, prototype: Summary, magnifier: Magnifier, budget: Budget, seconds: float
    ) -> Summary:
        document, began = prototype.document, perf_counter()
        magnified = magnifier.magnify(budget)
        sentences = tuple(
            _sentence(piece, magnified.steps[piece.step], prototype) for piece in magnified.pieces
        )
        notices = [*_notices(prototype, sentences, budget, magnified)]
        if self.natural == ASKED:
            notices += _added(magnified, budget)
        return Summary(
            document=document,
            sentences=sentences,
            budget=budget,
            coverage=_coverage(prototype, magnified),
            system=self.name,
            settings=self.settings
            | ({"focus": prototype.settings["focus"]} if "focus" in prototype.settings else {}),
            seed=prototype.seed,
            finish_reason=_finish_reason(magnified),
            notices=tuple(notices),
            explanation=magnifier.explanation,
            importance=prototype.importance or magnifier.importance,
            levels=prototype.levels,
            timings={"prototype": seconds, "magnify": perf_counter() - began},
        )


def _sentence(piece: Piece, step: Step, prototype: Summary) -> SummarySentence:
    document = prototype.document
    copied = None if piece.prototype is None else prototype.sentences[piece.prototype]
    sources = copied.sources if copied is not None else ()
    if piece.sentence is not None:
        sources = (SourceSpan.of(document, piece.sentence),)
    return SummarySentence(
        text=piece.text,
        sources=sources,
        score=step.score,
        reasons=step.shares,
        step=piece.step,
        runner_up=_runner_up(step, prototype),
        doubts=copied.doubts if copied is not None else (),
        expands=prototype.sentences[step.place].text if step.operation == "expand" else None,
        rivals=tuple(Rival(run.sentences, run.score, run.repeats) for run in step.runs[1:]),
    )


def _runner_up(step: Step, prototype: Summary) -> int | None:
    """Return the position in the document of what would have been chosen instead.

    Of a sentence of the prototype it is that of its first source, if it has one.
    """
    if step.operation == "fill" or step.runner_up is None:
        return step.runner_up
    sources = prototype.sentences[step.runner_up].sources
    return sources[0].sentence if sources else None


def _coverage(prototype: Summary, magnified: Magnified) -> Coverage:
    """Return what was read: by the kernels all, where any sentence is theirs."""
    if all(step.operation == "copy" for step in magnified.steps):
        return prototype.coverage
    return Coverage.whole(prototype.document)


def _finish_reason(magnified: Magnified) -> FinishReason:
    if not magnified.pieces:
        return "nothing_fits"
    return "document" if magnified.whole else "budget"


_OF_ITS_OWN_LENGTH = ("document", "length", "verification")
"""What the prototype's notices concern that is told anew, or no longer holds, at another length."""


def _notices(
    prototype: Summary, sentences: Sequence[SummarySentence], budget: Budget, magnified: Magnified
) -> Iterator[Notice]:
    """Yield what holds of this length; what the prototype says of its own length does not."""
    yield from notices_of(prototype.document)
    for notice in prototype.notices:
        if notice.kind not in _OF_ITS_OWN_LENGTH:
            yield Notice(notice.kind, f"Of the prototype: {notice.text}")
    if not sentences:
        yield Notice("length", f"No sentence fits in {budget}.")
    if magnified.whole:
        whole = "The document is no longer than the length asked for; it is given whole."
        yield Notice("length", whole)
    yield from unverified(sentences)


def _added(magnified: Magnified, budget: Budget) -> Iterator[Notice]:
    """Say how much the model did not write that was asked to write all of it."""
    added = sum(magnified.steps[piece.step].operation != "copy" for piece in magnified.pieces)
    if added:
        yield Notice(
            "length",
            f"{added} of {len(magnified.pieces)} sentences are the document's own, to reach "
            f"{budget}; --as-written leaves them out.",
        )
