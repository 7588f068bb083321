"""Reads several documents into one, reporting and skipping those that cannot be read."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from longsum.common.errors import LongsumError
from longsum.documents.dossier import joined, unique_names
from longsum.documents.model import Document

SourceT = TypeVar("SourceT")


@dataclass(frozen=True, slots=True)
class Gathered:
    """The result of reading several documents.

    Attributes:
        document: The readable ones combined: a `Dossier`, or a single one as it is. Its warnings
            also mention the others.
        unread: Why the others could not be read, a sentence each.
    """

    document: Document
    unread: tuple[str, ...] = ()


def gather(sources: Iterable[SourceT], read: Callable[[SourceT], Document]) -> Gathered:
    """Read documents one after the other, and combine them.

    A document with the same text as an earlier one is left out with a warning, as is one that
    raises a `LongsumError` when read.

    Raises:
        LongsumError: None can be read.
    """
    documents: list[Document] = []
    unread: list[str] = []
    repeated: list[tuple[int, Document]] = []
    seen: dict[str, int] = {}
    for source in sources:
        try:
            document = read(source)
        except LongsumError as error:
            unread.append(str(error))
            continue
        place = seen.setdefault(document.sha256, len(documents))
        if place == len(documents):
            documents.append(document)
        else:
            repeated.append((place, document))
    if not documents:
        why = " ".join(unread) or "There are none; give at least one."
        raise LongsumError(why if len(unread) == 1 else f"No document can be read. {why}")
    names = unique_names(documents)
    notes = [
        f"{again.source.name or 'A document'} says the same as {names[place]}, word for word; it "
        "is read once."
        for place, again in repeated
    ]
    whole = joined(documents)
    skipped = [f"Left out: {why}" for why in unread]
    return Gathered(replace(whole, warnings=(*skipped, *notes, *whole.warnings)), tuple(unread))
