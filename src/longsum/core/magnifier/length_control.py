"""Brings any system to an exact length by magnifying its summary as a prototype (MLS, §2.2)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from time import perf_counter
from typing import Any, Literal

from longsum.common.errors import LongsumError
from longsum.core.kernels.fitted import KernelSettings
from longsum.core.loading import load_system
from longsum.core.magnifier.magnifier import Magnified, Magnifier, Piece
from longsum.core.magnifier.steps import Step
from longsum.core.nesting import forbid_self_nesting
from longsum.core.summaries import (
    Budget,
    Coverage,
    FinishReason,
    Notice,
    Rival,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.core.summaries.notices import given_whole, notices_of, unverified
from longsum.core.systems.system import Request, System, SystemKind
from longsum.documents.model import Document

Asked = Literal["asked"]
ASKED: Asked = "asked"
"""Stands for the requested length as that of the prototype."""


@dataclass(frozen=True, slots=True)
class LengthControlConfig(KernelSettings):
    """Settings of a recipe of the kind `magnifier`.

    Attributes:
        prototype: Makes the prototype: the name of any system or the folder of a model; or a table
            with that name as `system` and its settings.
        natural: Length of the prototype, such as `100w`, or `asked` for the requested one; by
            default the system's own.
    """

    prototype: str | Mapping[str, Any] | None = None
    natural: str | None = None

    @property
    def kernels(self) -> KernelSettings:
        """The weights and sizes of the kernels."""
        values = {field.name: getattr(self, field.name) for field in fields(KernelSettings)}
        return KernelSettings(**values)


NATURAL = Budget(100)
"""Length of the prototype for a system without a length of its own."""


class LengthControlled(System):
    """Copies and expands the summary of another system until it fills the budget.

    That system summarizes once, at its natural length or the requested one; the kernels select
    further sentences of the document. Copied sentences keep their sources and doubts.
    """

    def __init__(
        self,
        summarizer: System,
        kernels: KernelSettings | None = None,
        *,
        natural: Budget | Asked | None = None,
        name: str | None = None,
    ) -> None:
        """Make the system.

        Args:
            summarizer: Makes the prototype.
            kernels: Weights and sizes of the kernels.
            natural: Length of the prototype, or `ASKED`; by default the summarizer's own, or else
                100 words.
            name: Name of the system; by default derived from the summarizer's.
        """
        self.name = name or f"{summarizer.name}-magnified"
        self.takes_focus = summarizer.takes_focus
        self.natural = natural or summarizer.own_length or NATURAL
        self._summarizer = summarizer
        self._kernels = kernels or KernelSettings()

    @property
    def settings(self) -> dict[str, Any]:
        """The weights and sizes of the kernels, and the settings of the summarizer."""
        summarizer = self._summarizer
        return {
            **asdict(self._kernels),
            "natural": str(self.natural),
            "prototype": {"system": summarizer.name, **summarizer.settings},
        }

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted by the summarizer's tokenizer."""
        return self._summarizer.counting(budget)

    def magnifier(
        self,
        document: Document,
        requested: Budget = NATURAL,
        *,
        focus: str | None = None,
        seed: int = 0,
    ) -> tuple[Summary, Magnifier]:
        """Return the prototype and its magnifier.

        The requested length is used if `natural` is `ASKED`; for the other arguments see
        `System.at_lengths`.

        Raises:
            LongsumError: The document has no sentence, or the summarizer takes no focus and one is
                given.
        """
        self.check(document, focus)
        natural = requested if self.natural == ASKED else self.natural
        prototype = self._summarizer.summarize(document, natural, focus=focus, seed=seed)
        return prototype, Magnifier(document, prototype, self._kernels, seed=seed)

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Magnify one prototype to every length.

        Each summary equals the one for its budget alone. A longer one covers the top topics of a
        shorter one, but need not contain its sentences.
        """
        began = perf_counter()
        prototype, magnifier = self.magnifier(
            request.document, request.budget, focus=request.focus, seed=request.seed
        )
        seconds = perf_counter() - began
        settings = self.settings | request.named_focus
        for budget in budgets:
            summary = magnified_to(budget, prototype, magnifier)
            timings = {"prototype": seconds, **summary.timings}
            yield replace(summary, system=self.name, settings=settings, timings=timings)


def magnified_to(budget: Budget, prototype: Summary, magnifier: Magnifier) -> Summary:
    """Return a prototype at another length; system and settings stay the prototype's."""
    began = perf_counter()
    magnified = magnifier.magnify(budget)
    sentences = tuple(
        _sentence(piece, magnified.steps[piece.step], prototype) for piece in magnified.pieces
    )
    return replace(
        prototype,
        sentences=sentences,
        budget=budget,
        coverage=_coverage(prototype, magnified),
        finish_reason=_finish_reason(magnified),
        notices=tuple(_notices(prototype, sentences, budget, magnified)),
        explanation=magnifier.explanation,
        importance=prototype.importance or magnifier.importance,
        timings={"magnify": perf_counter() - began},
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
    """Return the position of the runner-up in the document.

    For a sentence of the prototype it is the position of its first source, if it has one.
    """
    if step.operation == "fill" or step.runner_up is None:
        return step.runner_up
    sources = prototype.sentences[step.runner_up].sources
    return sources[0].sentence if sources else None


def _coverage(prototype: Summary, magnified: Magnified) -> Coverage:
    """Return the prototype's coverage, or all if the kernels contributed a sentence."""
    if all(step.operation == "copy" for step in magnified.steps):
        return prototype.coverage
    return Coverage.whole(prototype.document)


def _finish_reason(magnified: Magnified) -> FinishReason:
    if not magnified.pieces:
        return "nothing_fits"
    return "document" if magnified.whole else "budget"


_REPLACED = ("document", "own_summary", "length", "verification")
"""Kinds of the prototype's notices that are recomputed or no longer apply at another length."""


def _notices(
    prototype: Summary, sentences: Sequence[SummarySentence], budget: Budget, magnified: Magnified
) -> Iterator[Notice]:
    """Yield the notices of this length and those of the prototype that still apply."""
    yield from notices_of(prototype.document)
    for notice in prototype.notices:
        if notice.kind not in _REPLACED:
            yield Notice(notice.kind, f"About the prototype: {notice.text}")
    if not sentences:
        yield Notice("length", f"No sentence fits in {budget}.")
    if magnified.whole:
        yield given_whole(prototype.document)
    yield from unverified(sentences)


def length_controlled(name: str, config: LengthControlConfig) -> System:
    """Make a system of the kind `magnifier` with the system that makes its prototype.

    Raises:
        LongsumError: Neither the recipe nor the user names a prototype, or it cannot be loaded.
    """
    if config.prototype is None:
        raise LongsumError(
            f"The system '{name}' brings a prototype to the requested length; name with "
            "--prototype what writes it: the folder of a pointer-generator network, or any system."
        )
    given = config.prototype
    maker = {"system": given} if isinstance(given, str) else dict(given)
    natural = config.natural
    with forbid_self_nesting(name, config):
        prototype = load_system(maker.pop("system"), **maker)
    return LengthControlled(
        prototype.whole_sentences(),
        config.kernels,
        natural=natural if natural is None or natural == ASKED else Budget.parse(natural),
        name=name,
    )


MAGNIFIER = SystemKind(LengthControlConfig, length_controlled)
