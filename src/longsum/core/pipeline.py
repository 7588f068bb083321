"""The pipeline from a document and options to a summary.

`longsum.summarize`, the commands and the evaluation all use it: a text that is too long for its
system is divided, the system summarizes it, and a generated summary is extended to the requested
length.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longsum.common.errors import LongsumError
from longsum.core.loading import (
    is_hugging_face,
    load_model,
    load_system,
    load_token_tagger,
)
from longsum.core.model_files.folders import check_model
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import Budget, Fill, NestedSummaries, Summary
from longsum.core.summaries.budget import lengths_around
from longsum.core.systems.reading_load import is_long, is_vast
from longsum.core.systems.system import Request, Summarizer, System
from longsum.documents.model import Document

if TYPE_CHECKING:
    from longsum.core.systems.system import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemOptions:
    """The user's choice of a system.

    Attributes:
        system: A system that `longsum systems` lists, or a recipe file; None for the default.
        model: Folder or id of a generation model or extractor.
        prototype: A system or the folder of a model that makes the prototype of MLS.
        beams: Beam size; None for the model's own.
        importance: Folder of a tagger of important words.
        endpoint: Settings of a language model, those that are given; `dtype` is one of an
            encoder–decoder too.
    """

    system: str | None = None
    model: str | None = None
    prototype: str | None = None
    beams: int | None = None
    importance: str | None = None
    endpoint: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> System:
        """Load the system.

        Raises:
            LongsumError: The options contradict each other, or refer to something missing.
        """
        if self.importance is not None and Path(self.importance).is_dir():
            # Before the slow imports.
            check_model(self.importance)
        if self.system is not None and self.model is not None:
            raise LongsumError("Give either --system or --model; a model is a system of its own.")
        if self.model is not None and self.prototype is not None:
            raise LongsumError(
                "Give the model as --prototype alone; --model writes the summary itself."
            )
        if self.endpoint:
            from longsum.core.model_settings import check_takes

            check_takes(self.model, self.endpoint, besides=("dtype",))
        if self.model is not None:
            return load_model(
                self.model, beams=self.beams, importance=self.importance, **self.endpoint
            )
        if self.beams is not None:
            raise LongsumError("--beams needs --model; give it, or leave out --beams.")
        if self.prototype is not None:
            return load_system(self.system or "mls", prototype=self.prototype)
        return load_system(DEFAULT if self.system is None else self.system)

    def check(self, options: "Options") -> None:
        """Reject options for generated summaries if there is no model."""
        if options.as_written and self.model is None:
            raise LongsumError(
                "--as-written is for what a model writes; give --model, or leave it out."
            )

    @property
    def uses_transformers(self) -> bool:
        """Whether a Hugging Face model may be loaded, which shows its own progress bars."""
        named = (self.model, self.importance, self.prototype)
        return any(name is not None and is_hugging_face(name) for name in named)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a document is summarized.

    Attributes:
        focus: What the reader wants to know about, in free text.
        seed: Random seed.
        as_written: Whether a generated summary is left as it is, however short; otherwise MLS
            extends it to the requested length with sentences from the document.
        at_once: Whether a text that is too long for the system is read without dividing it.
        levels: Whether chapters are summarized first even if the text could be read at once.
        shorten: Whether copied sentences are shortened; None for the system's default.
        work: Folder that stores the summaries of the parts of a divided text.
        importance: Folder of a tagger whose word importance the summary carries.
        progress: Called for each finished part of a divided text.
        fill: How a length is filled; None for the system's own way.

    Raises:
        LongsumError: Two options contradict each other.
    """

    focus: str | None = None
    seed: int = 0
    as_written: bool = False
    at_once: bool = False
    levels: bool = False
    shorten: bool | None = None
    work: Path | None = None
    importance: str | None = None
    progress: "Progress | None" = None
    fill: Fill | None = None

    def __post_init__(self) -> None:
        if self.at_once and self.levels:
            raise LongsumError(
                "--levels needs the parts of a divided text, and --at-once divides nothing; leave "
                "out one of them."
            )
        if self.work is None:
            return
        if self.at_once:
            raise LongsumError(
                "--at-once makes no parts for --work to keep; leave out one of them."
            )
        from longsum.common.files import as_unwritable

        with as_unwritable(self.work):
            if self.work.exists() and not self.work.is_dir():
                raise LongsumError(f"'{self.work}' is a file; give --work a folder.")


DEFAULTS = Options()


def prepare(system: System, document: Document, options: Options = DEFAULTS) -> System:
    """Wrap a system so that it divides long documents and fills the requested length.

    The options determine whether to divide it, and to extend generated summaries.

    Raises:
        LongsumError: The folder for the parts cannot be created, or the system does not support the
            requested fill, or shortening.
    """
    if options.fill is not None:
        system = system.with_fill(options.fill)
    system = system.resuming_in(options.work, options.progress)
    if options.shorten is not None:
        system = system.shortening(options.shorten)
    if not options.at_once:
        kept: Sequence[int] | None = None
        if system.neural and not system.writes and is_vast(document):
            from longsum.core.recursive.condensed import Condensed, worth_reading

            kept = worth_reading(document)
        if kept is None:
            system = _dividing(system, document, options)
        else:
            from longsum.documents.subset import subset

            read = subset(document, kept)
            system = Condensed(_dividing(system, read, options), document, kept, read)
    if system.writes and not options.as_written:
        from longsum.core.magnifier.completion import reach_any_length

        system = reach_any_length(system)
    return system


def _dividing(system: System, document: Document, options: Options) -> System:
    """Return a system that divides a document if that is too long, or if requested."""
    long = is_long(document, system.reads_at_once(document))
    if not (long or options.levels or system.divides_by_itself):
        return system
    from longsum.core.recursive.summarizer import in_parts

    return in_parts(system, document, options.work, options.progress, levels=options.levels)


def _summarized(
    document: Document, budgets: Sequence[Budget], start: int, system: System, options: Options
) -> NestedSummaries:
    """Summarize a document at several lengths with a prepared system; see `System.at_lengths`.

    Raises:
        LongsumError: The document has no sentence, the system takes no focus and one is given, or
            the tagger cannot be read.
    """
    nested = system.at_lengths(
        document, budgets, start=start, focus=options.focus, seed=options.seed
    )
    if options.importance is None:
        return nested
    importance = load_token_tagger(options.importance).importance(document)
    return replace(
        nested, summaries=tuple(replace(made, importance=importance) for made in nested.summaries)
    )


def summarize_length(
    document: Document, budget: Budget, system: System, options: Options = DEFAULTS
) -> NestedSummaries:
    """Summarize a document at a single length; see `summarize_with`."""
    return _summarized(document, [budget], 0, prepare(system, document, options), options)


def summarize_lengths(
    document: Document, budget: Budget, system: System, options: Options = DEFAULTS
) -> NestedSummaries:
    """Summarize a document at the requested length and at the other stops of the length slider."""
    ready = prepare(system, document, options)
    requested = ready.resolved(document, budget, focus=options.focus, seed=options.seed)
    budgets = lengths_around(requested, document)
    return _summarized(document, budgets, budgets.index(requested), ready, options)


def summarize_with(
    document: Document,
    budget: Budget,
    system: Summarizer,
    options: Options = DEFAULTS,
    *,
    references: Sequence[str] = (),
) -> Summary:
    """Summarize a document with a system.

    A summarizer that is not a `System` is called without wrapping. `references` are for systems
    that read them (`System.reads_references`).

    Raises:
        LongsumError: The document has no sentence, the tagger cannot be read, or the system does
            not take the focus, the fill or the length that is given, or returns no `Summary`.
    """
    if not isinstance(system, System):
        from longsum.core.own_systems import own_summary

        request = Request(document, budget, options.focus, options.seed)
        return own_summary(system, request, fill=options.fill, shorten=options.shorten)
    if references:
        system = system.with_references(references)
    return summarize_length(document, budget, system, options).summaries[0]
