"""Notices to the reader of a summary, by kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from longsum.common.wording import counted
from longsum.core.summaries.sentence import PLURALS, SummarySentence
from longsum.documents.conservation import omitted_share
from longsum.documents.model import Document
from longsum.documents.own_summary import own_summary
from longsum.documents.tree import DocumentTree

NoticeKind = Literal[
    "document",
    "own_summary",
    "focus",
    "language",
    "reading",
    "length",
    "repetition",
    "verification",
    "writing",
]
"""What a notice concerns: how the file was read; the summary that the document opens with; the
focus; the document's language; how much of the document the system read; how the summary's length
compares with the requested one; sentences that repeat each other; claims that the sources do not
support; what went wrong while a model was writing."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence addressed to the reader."""

    kind: NoticeKind
    text: str

    def __str__(self) -> str:
        return self.text


def notices_of(document: Document) -> tuple[Notice, ...]:
    """Return the notices about a document: how its file was read, and its own summary."""
    read = tuple(Notice("document", warning) for warning in document.warnings)
    if (own := own_summary(document)) is None:
        return read
    place = DocumentTree(document).label(own.section)
    text = (
        f"The document opens with its own summary: '{own.title}', section {place}, "
        f"{counted(own.words, 'word')}. You may want to read that first."
    )
    return (*read, Notice("own_summary", text))


def given_whole(document: Document, but: str = "") -> Notice:
    """Return the notice that a summary is the whole text of a document; `but` is an exception."""
    if share := omitted_share(document):
        text = f"{share:.0%} of the document's words are left out of its text"
        return Notice("length", f"{text}; the rest is given whole{but}.")
    text = "The document is no longer than the length asked for; it is given whole"
    return Notice("length", f"{text}{but}.")


def unverified(sentences: Sequence[SummarySentence]) -> tuple[Notice, ...]:
    """Return the notice, if any, that sentences could not be verified, with the kinds of doubts."""
    count, total = sum(not sentence.verified for sentence in sentences), len(sentences)
    if not count:
        return ()
    subject = "The only sentence" if total == 1 else f"{count} of {total} sentences"
    doubted = {doubt.kind for sentence in sentences for doubt in sentence.doubts}
    kinds = ", ".join(noun for kind, noun in PLURALS.items() if kind in doubted)
    text = f"{subject} could not be verified: not all of it was found in the sources"
    text += f" ({kinds})." if kinds else "."
    return (Notice("verification", text),)
