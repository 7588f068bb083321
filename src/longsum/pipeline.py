"""The pipeline from a document and options to a summary.

`longsum.summarize`, the commands and the evaluation all use it: a text that is too long for its
system is divided, the system summarizes it, and a generated summary is extended to the requested
length.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from inspect import signature
from operator import index
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar, get_args

from longsum.documents.model import Document
from longsum.documents.readers.given import Given, as_document
from longsum.errors import LongsumError
from longsum.models.folders import check_model
from longsum.names import MAX_SEED
from longsum.recipes import DEFAULT
from longsum.summaries import Budget, Fill, Ladder, Summary
from longsum.summaries.budget import ladder_around
from longsum.systems.kept import KeptSystems
from longsum.systems.loading import load_model, load_system
from longsum.systems.naming import is_hugging_face
from longsum.systems.system import Summarizer, System
from longsum.wording import did_you_mean, quote

if TYPE_CHECKING:
    from longsum.systems.recursive.level_builder import Progress

P = ParamSpec("P")
R = TypeVar("R")

KEPT = KeptSystems(load_system)
"""The systems that `longsum.summarize` has loaded by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemOptions:
    """The user's choice of a system.

    Attributes:
        system: A system that `longsum systems` lists, or a recipe file; None for the default.
        model: Folder or id of a generation model or extractor.
        prototype: A system or the folder of a model that makes the prototype of MLS.
        beams: Beam size; None for the model's own.
        importance: Folder of a tagger of important words.
    """

    system: str | None = None
    model: str | None = None
    prototype: str | None = None
    beams: int | None = None
    importance: str | None = None

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
        if self.model is not None:
            return load_model(self.model, beams=self.beams, importance=self.importance)
        if self.beams is not None:
            raise LongsumError("--beams needs --model.")
        if self.prototype is not None:
            return load_system(self.system or "mls", prototype=self.prototype)
        return load_system(DEFAULT if self.system is None else self.system)

    def check(self, options: "Options") -> None:
        """Check that there is a model if the options concern generated summaries.

        Raises:
            LongsumError: There is none.
        """
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
        shorten: Whether the sentences that it copies are shortened; None for what the system does
            by default.
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
    shorten: bool | None = None
    work: Path | None = None
    importance: str | None = None
    progress: "Progress | None" = None
    fill: Fill | None = None

    def __post_init__(self) -> None:
        if self.work is None:
            return
        if self.at_once:
            raise LongsumError(
                "--at-once makes no parts for --work to keep; leave out one of them."
            )
        if self.work.exists() and not self.work.is_dir():
            raise LongsumError(f"'{self.work}' is a file; give --work a folder.")


DEFAULTS = Options()

# Characters of the documents that are read together: some thirty thousand words.
_TOGETHER = 200_000


def prepare(system: System, document: Document, options: Options = DEFAULTS) -> System:
    """Wrap a system so that it divides long documents and fills the requested length.

    Args:
        system: The system.
        document: The document.
        options: Whether to divide it, and to extend generated summaries.

    Raises:
        LongsumError: The folder for the parts cannot be created, or the system cannot fill a length
            in the way asked for, or cannot shorten sentences.
    """
    if options.fill is not None:
        system = system.with_fill(options.fill)
    if options.shorten is not None:
        system = system.shortening(options.shorten)
    if not options.at_once:
        from longsum.systems.recursive.summarizer import in_parts

        system = in_parts(system, document, options.work, options.progress)
    if system.writes and not options.as_written:
        from longsum.systems.magnifier.length_control import reach_any_length

        system = reach_any_length(system)
    return system


def _ladder(
    document: Document, budgets: Sequence[Budget], start: int, system: System, options: Options
) -> Ladder:
    """Summarize a document at several lengths with a prepared system; see `System.ladder`.

    Raises:
        LongsumError: The document has no sentence, the system takes no focus and one is given, or
            the tagger cannot be read.
    """
    ladder = system.ladder(document, budgets, start=start, focus=options.focus, seed=options.seed)
    if options.importance is None:
        return ladder
    from longsum.systems.abstractive.hub import load_token_tagger

    found = load_token_tagger(options.importance).importance(document)
    return replace(ladder, rungs=tuple(replace(rung, importance=found) for rung in ladder.rungs))


def summarize_length(
    document: Document, budget: Budget, system: System, options: Options = DEFAULTS
) -> Ladder:
    """Summarize a document at one length, a ladder of one rung; see `summarize_with`."""
    return _ladder(document, [budget], 0, prepare(system, document, options), options)


def summarize_ladder(
    document: Document, budget: Budget, system: System, options: Options = DEFAULTS
) -> Ladder:
    """Summarize a document at the requested length and at the other stops of the length slider."""
    ready = prepare(system, document, options)
    asked = ready.resolved(document, budget, focus=options.focus, seed=options.seed)
    budgets = ladder_around(asked, document)
    return _ladder(document, budgets, budgets.index(asked), ready, options)


def summarize_with(
    document: Document,
    budget: Budget,
    system: Summarizer,
    options: Options = DEFAULTS,
    *,
    references: Sequence[str] = (),
) -> Summary:
    """Summarize a document with a system.

    Args:
        document: The document.
        budget: The length.
        system: The system; a summarizer that is not a `System` is called without wrapping it.
        options: How to summarize.
        references: References for a system that reads them (`System.reads_references`).

    Raises:
        LongsumError: The document has no sentence, the tagger cannot be read, or the system does
            not take the focus, the fill or the length that is given.
    """
    if not isinstance(system, System):
        if options.fill is not None:
            raise LongsumError(
                f"'{system.name}' cannot be told how to fill a length; leave out fill."
            )
        if options.shorten:
            raise LongsumError(f"The system '{system.name}' cannot shorten sentences.")
        return system.summarize(document, budget, focus=options.focus, seed=options.seed)
    if references:
        system = system.with_references(references)
    return summarize_length(document, budget, system, options).rungs[0]


def _with_known_options(function: Callable[P, R]) -> Callable[P, R]:
    """Make calls with a misspelled option raise an error that lists the options."""
    known = list(signature(function).parameters)

    @wraps(function)
    def checked(*args: P.args, **options: P.kwargs) -> R:
        for name in options:
            if name not in known:
                raise TypeError(
                    f"{function.__name__}() has no option '{name}'; it takes "
                    f"{', '.join(known)}.{did_you_mean(name, known)}"
                )
        return function(*args, **options)

    return checked


@_with_known_options
def summarize(
    document: Given,
    length: str | int | Budget = "medium",
    system: str | PathLike[str] | Summarizer = DEFAULT,
    *,
    focus: str | None = None,
    seed: int = 0,
    as_written: bool = False,
    at_once: bool = False,
    fill: Fill | None = None,
    shorten: bool | None = None,
) -> Summary:
    """Summarize a document.

    Args:
        document: The result of `longsum.read`; or a text, a `pathlib.Path`, or the bytes of a file.
            A `str` is always text, never the name of a file: a string that names an existing file
            is rejected, so that neither is taken for the other.
        length: Maximum length of the summary: words (`250w`, `250 words`, or the number 250),
            tokens (`300t`), sentences (`12s`), a share of the document's words (`8%`), or `short`,
            `medium`, `long` (100, 250, 600 words). `auto` leaves it to a system that knows where a
            summary ends, such as the default.
        system: A system's name, the folder of a model, or a system. Names and folders are loaded
            once and cached (`KEPT`) until their files change; threads that use the same one take
            turns.
        focus: What the reader wants to know about, in free text.
        seed: Random seed, from 0 to 2³² − 1; the same input and seed give the same summary.
        as_written: Leave a generated summary as it is, however short; otherwise MLS extends it to
            the requested length with sentences from the document.
        at_once: Do not divide a text that is too long for the system.
        fill: `sensible` lets a summary end up to 5 % short where what is left would only fill it;
            `strict` leaves out nothing that fits. By default as the system's recipe has it.
        shorten: Shorten the sentences that the system copies, by deletions alone, or leave them as
            they are; by default as the system's settings say.

    Returns:
        The summary with the sources of each sentence and the reasons for it. `str` of it is its
        text; `to_dict` and `to_html` give the result file and the page.

    Raises:
        LongsumError: The document cannot be read or has no sentence, the length, the fill or the
            system's name is invalid, or the system takes no focus or has no length of its own.
        TypeError: An argument has the wrong type.

    Example:
        >>> import longsum
        >>> document = longsum.read("examples/crypto-mining.md")
        >>> summary = longsum.summarize(document, length="60w")
        >>> summary.words <= 60
        True
        >>> source = summary.sentences[0].sources[0]
        >>> document.text[source.start : source.end] == summary.sentences[0].text
        True
    """
    (summary,) = summarize_all(
        [document],
        length,
        system,
        focus=focus,
        seed=seed,
        as_written=as_written,
        at_once=at_once,
        fill=fill,
        shorten=shorten,
    )
    return summary


@_with_known_options
def summarize_all(
    documents: Iterable[Given],
    length: str | int | Budget = "medium",
    system: str | PathLike[str] | Summarizer = DEFAULT,
    *,
    focus: str | None = None,
    seed: int = 0,
    as_written: bool = False,
    at_once: bool = False,
    fill: Fill | None = None,
    shorten: bool | None = None,
) -> Iterator[Summary]:
    """Summarize documents one after the other, in less time than `summarize` takes for each.

    Documents are taken from the iterable a few at a time, so that memory is bounded, and the
    sentences of those few are encoded together. The summaries are the same as those of `summarize`
    but for the last digits of their scores.

    Args:
        documents: The documents, each as for `summarize`.
        length: As for `summarize`, of each summary.
        system: As for `summarize`.
        focus: As for `summarize`.
        seed: As for `summarize`.
        as_written: As for `summarize`.
        at_once: As for `summarize`.
        fill: As for `summarize`.
        shorten: As for `summarize`.

    Returns:
        The summaries in the order of the documents, as they are made.

    Raises:
        LongsumError: As `summarize`, at the first document that it concerns.
        TypeError: An argument has the wrong type.

    Example:
        >>> import longsum
        >>> report = longsum.read("examples/crypto-mining.md")
        >>> note = "Dams hold back the river in spring. It floods otherwise."
        >>> for summary in longsum.summarize_all([report, note], "9w"):
        ...     print(summary.text)
        Bitcoin and other cryptocurrencies each implement their own blockchain.
        Dams hold back the river in spring.
    """
    options = _checked(
        Options(
            focus=focus,
            seed=seed,
            as_written=as_written,
            at_once=at_once,
            fill=fill,
            shorten=shorten,
        )
    )
    budget = Budget.parse(length)
    if isinstance(documents, str | bytes | PathLike):
        raise TypeError("summarize_all takes several documents; summarize takes one")
    return _all(map(as_document, documents), budget, system, options)


def _all(
    documents: Iterator[Document],
    budget: Budget,
    system: str | PathLike[str] | Summarizer,
    options: Options,
) -> Iterator[Summary]:
    for group in _groups(documents):
        # Between groups, others may use the system.
        with _system(system) as chosen:
            ready = chosen
            if len(group) > 1 and isinstance(chosen, System):
                ready = chosen.having_read(group)
            made = [summarize_with(document, budget, ready, options) for document in group]
        yield from made


def _groups(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Yield documents in groups of at least `_TOGETHER` characters."""
    group: list[Document] = []
    size = 0
    for document in documents:
        group.append(document)
        size += len(document.text)
        if size >= _TOGETHER:
            yield group
            group, size = [], 0
    if group:
        yield group


def _checked(options: Options) -> Options:
    """Return options that a caller of the library gave.

    Raises:
        LongsumError: The seed or the fill is invalid.
        TypeError: The focus is no text.
    """
    focus, seed, fill = options.focus, options.seed, options.fill
    if focus is not None and not isinstance(focus, str):
        raise TypeError(f"a focus is a text, not {type(focus).__name__}")
    if not 0 <= index(seed) <= MAX_SEED:
        raise LongsumError(f"The seed is {quote(seed)}; give a whole number from 0 to {MAX_SEED}.")
    if fill is not None and fill not in get_args(Fill):
        raise LongsumError(f"There is no fill {quote(fill)}; choose sensible or strict.")
    return options


@contextmanager
def _system(system: str | PathLike[str] | Summarizer) -> Iterator[Summarizer]:
    """Resolve a system given by name, folder or object.

    Raises:
        LongsumError: There is no system of this name.
        TypeError: The argument is not a system.
    """
    if isinstance(system, str | PathLike):
        with KEPT.using(system if isinstance(system, str) else Path(system)) as kept:
            yield kept
    elif isinstance(system, type) or not hasattr(system, "summarize"):
        given = (
            f"the class {system.__name__}" if isinstance(system, type) else type(system).__name__
        )
        raise TypeError(
            "a system is a name that 'longsum systems' lists, the folder of a model, or what "
            f"longsum.load_system returns, not {given}"
        )
    else:
        yield system
