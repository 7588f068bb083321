"""The library interface: summaries of documents given in any form, by any system.

Options are checked, documents read and systems loaded here; `pipeline.py` does the rest.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from inspect import signature
from operator import index
from os import PathLike
from pathlib import Path
from typing import ParamSpec, TypeVar, get_args

from longsum.common.errors import LongsumError
from longsum.common.names import MAX_SEED
from longsum.common.wording import did_you_mean, quote
from longsum.core.loading import load_system
from longsum.core.pipeline import Options, summarize_with
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import Budget, Fill, Summary
from longsum.core.system_cache import SystemCache
from longsum.core.systems.system import Summarizer, System
from longsum.documents.model import Document
from longsum.documents.readers.reading import DocumentInput, as_document

P = ParamSpec("P")
R = TypeVar("R")

SYSTEMS = SystemCache(load_system)
"""The systems that `longsum.summarize` has loaded by name."""

# Characters of the documents that are read together: about thirty thousand words.
_TOGETHER = 200_000


def with_known_options(function: Callable[P, R]) -> Callable[P, R]:
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


@with_known_options
def summarize(
    document: DocumentInput,
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
            once and cached (`SYSTEMS`) until their files change; threads that use the same one take
            turns.
        focus: What the reader wants to know about, in free text.
        seed: Random seed, from 0 to 2³² − 1; the same input and seed give the same summary.
        as_written: Leave a generated summary as it is, however short; otherwise MLS extends it to
            the requested length with sentences from the document.
        at_once: Do not divide a text that is too long for the system.
        fill: `sensible` lets a summary end up to 5 % short rather than pad it; `strict` leaves out
            nothing that fits. By default as in the system's recipe.
        shorten: Shorten the sentences that the system copies, by deletions alone, or leave them as
            they are; by default as in the system's settings.

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
    (made,) = summarize_all(
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
    if isinstance(made, LongsumError):
        raise made
    return made


@with_known_options
def summarize_all(  # noqa: D417 -- as those of `summarize`
    documents: Iterable[DocumentInput],
    length: str | int | Budget = "medium",
    system: str | PathLike[str] | Summarizer = DEFAULT,
    *,
    focus: str | None = None,
    seed: int = 0,
    as_written: bool = False,
    at_once: bool = False,
    fill: Fill | None = None,
    shorten: bool | None = None,
) -> Iterator[Summary | LongsumError]:
    """Summarize documents one after the other, faster than by separate calls of `summarize`.

    A document that cannot be read or summarized does not stop the others: its error takes its
    place.

    Documents are taken from the iterable a few at a time, so that memory is bounded, and the
    sentences of those few are encoded together. The summaries are the same as those of `summarize`
    but for the last digits of their scores.

    Args:
        documents: The documents, each as for `summarize`.
        length, system, focus, seed, as_written, at_once, fill, shorten: As for `summarize`, for
            each summary.

    Returns:
        For each document in order its summary, as it is made, or the `LongsumError` that
        `summarize` would raise. It works in the thread that asks for them; several threads may have
        an iterator each, and take turns with a system.

    Raises:
        LongsumError: The length, the fill or the system's name is invalid.
        TypeError: An argument or a document has the wrong type.

    Example:
        >>> import longsum
        >>> report = longsum.read("examples/crypto-mining.md")
        >>> note = "Dams hold back the river in spring. It floods otherwise."
        >>> for made in longsum.summarize_all([report, "", note], "9w"):
        ...     print(made if isinstance(made, longsum.LongsumError) else made.text)
        Bitcoin and other cryptocurrencies each implement their own blockchain.
        The input is empty; there is nothing to summarize.
        Dams hold back the river in spring.
    """
    options = checked_options(
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
    return _all(documents, budget, system, options)


def _all(
    documents: Iterable[DocumentInput],
    budget: Budget,
    system: str | PathLike[str] | Summarizer,
    options: Options,
) -> Iterator[Summary | LongsumError]:
    for group in _groups(_or_error(as_document, document) for document in documents):
        # Between groups, others may use the system.
        with resolved_system(system) as chosen:
            read = [document for document in group if isinstance(document, Document)]
            ready = chosen
            if len(read) > 1 and isinstance(chosen, System):
                with suppress(LongsumError):
                    ready = chosen.with_encodings(read)
            made = [
                _or_error(summarize_with, document, budget, ready, options)
                if isinstance(document, Document)
                else document
                for document in group
            ]
        yield from made


def _or_error(function: Callable[P, R], *args: P.args, **options: P.kwargs) -> R | LongsumError:
    """Return what a function returns, or the error that it raises."""
    try:
        return function(*args, **options)
    except LongsumError as error:
        return error


def _groups(
    documents: Iterable[Document | LongsumError],
) -> Iterator[list[Document | LongsumError]]:
    """Yield documents, and errors in place of others, in groups of at least `_TOGETHER` characters.

    An error counts as a character, so that no group takes forever to fill.
    """
    group: list[Document | LongsumError] = []
    size = 0
    for document in documents:
        group.append(document)
        size += len(document.text) if isinstance(document, Document) else 1
        if size >= _TOGETHER:
            yield group
            group, size = [], 0
    if group:
        yield group


def checked_options(options: Options) -> Options:
    """Check the options of a library call.

    Raises:
        LongsumError: The seed or the fill is invalid.
        TypeError: The focus is not a text.
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
def resolved_system(system: str | PathLike[str] | Summarizer) -> Iterator[Summarizer]:
    """Resolve a system given by name, folder or object; errors are those of `summarize`."""
    if isinstance(system, str | PathLike):
        with SYSTEMS.using(system if isinstance(system, str) else Path(system)) as kept:
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
