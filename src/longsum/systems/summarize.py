"""The library's front door."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from operator import index
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from longsum.documents.readers.given import Given, as_document
from longsum.errors import LongsumError
from longsum.names import MAX_SEED
from longsum.summaries import Budget, Summary
from longsum.systems.kept import KEPT
from longsum.systems.loading import DEFAULT
from longsum.wording import did_you_mean, quote

if TYPE_CHECKING:
    from longsum.systems.extractive.summarizer import Summarizer

P = ParamSpec("P")
R = TypeVar("R")


def _with_known_options(function: Callable[P, R]) -> Callable[P, R]:
    """Let a call with a misspelled option say which there are."""
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
    system: "str | PathLike[str] | Summarizer" = DEFAULT,
    *,
    focus: str | None = None,
    seed: int = 0,
) -> Summary:
    """Summarize a document.

    Args:
        document: What to summarize: what `longsum.read` returns; or a text, a `pathlib.Path`, or
            the bytes of a file. A `str` is always text and never read as a file: one that is the
            name of a file is refused, so that neither is taken for the other.
        length: The most the summary may hold: words (`250w`, `250 words`, or the number 250),
            tokens (`300t`), sentences (`12s`), a share of the document's words (`8%`), or `short`,
            `medium`, `long` (100, 250, 600 words).
        system: A system's name, the folder of a model, or a system. What a name or folder stands
            for is loaded once and kept (`longsum.systems.kept`), for as long as its files stay as
            they are; threads that use it take turns.
        focus: What the reader wants to know of, in free words.
        seed: Seed of whatever is random, from 0 to 2³² − 1; the same input and seed give the same
            summary.

    Returns:
        The summary with the sources of each sentence and the reasons for it. `str` of it is its
        text; `to_dict` and `to_html` give the result file and the page.

    Raises:
        LongsumError: The document cannot be read or holds no sentence, the length or the system's
            name cannot be understood, or the system takes no focus.
        TypeError: Something is of a type that cannot be meant.

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
    budget = Budget.parse(length)
    if focus is not None and not isinstance(focus, str):
        raise TypeError(f"a focus is a text, not {type(focus).__name__}")
    if not 0 <= index(seed) <= MAX_SEED:
        raise LongsumError(f"The seed is {quote(seed)}; give a whole number from 0 to {MAX_SEED}.")
    whole = as_document(document)
    with _system(system) as chosen:
        return chosen.summarize(whole, budget, focus=focus, seed=seed)


@contextmanager
def _system(system: "str | PathLike[str] | Summarizer") -> "Iterator[Summarizer]":
    """Give the system that is meant.

    Raises:
        LongsumError: There is none of the name.
        TypeError: It is none.
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
