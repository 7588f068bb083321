"""The library interface: one summary of several documents."""

from collections.abc import Iterable
from os import PathLike

from longsum.core.library import checked_options, resolved_system, with_known_options
from longsum.core.pipeline import Options, summarize_with
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import Budget, Fill, Summary
from longsum.core.systems.system import Summarizer, System
from longsum.documents.model import Document
from longsum.documents.readers.reading import DocumentInput, as_document
from longsum.dossiers.dossier_system import prepared
from longsum.dossiers.gathering import gather


@with_known_options
def summarize_together(  # noqa: D417 -- as those of `summarize`
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
) -> Summary:
    """Summarize several documents as one.

    Each gets a share of the summary's length (`longsum.dossiers.members.shares`); what several say
    alike appears once; and sentences have doubts where documents contradict each other. The
    summary's document is a `longsum.documents.dossier.Dossier`, which names the document of every
    sentence and its offsets there. A document that cannot be read, or has the same text as another,
    is reported in the notices and skipped.

    Args:
        documents: The documents, each as for `summarize`.
        length, system, focus, seed, as_written, at_once, fill, shorten: As for `summarize`; the
            length is that of the whole, and a system that is an object a `System`.

    Raises:
        LongsumError: No document can be read, or as for `summarize`.
        TypeError: An argument or a document has the wrong type.

    Example:
        >>> import longsum
        >>> dam = "The dam was finished in 1931. It holds back the river in spring."
        >>> town = "The dam was finished in 1932. Fishermen of the town were against it."
        >>> summary = longsum.summarize_together([dam, town], "14w")
        >>> for sentence in summary.sentences:
        ...     member = summary.document.member_of(sentence.sources[0].sentence)
        ...     print(member.name, "|", sentence.text)
        Document 1 | The dam was finished in 1931.
        Document 2 | Fishermen of the town were against it.
        >>> print(summary.sentences[0].doubts[0])
        where it has the date 1931, Document 2, sentence 1, has 1932
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
    if isinstance(documents, str | bytes | PathLike | Document):
        raise TypeError("summarize_together takes several documents; summarize takes one")
    document = gather(documents, as_document).document
    return summarize_gathered(document, budget, system, options)


def summarize_gathered(
    document: Document,
    length: str | int | Budget,
    system: str | PathLike[str] | Summarizer,
    options: Options,
) -> Summary:
    """Summarize the result of `gather`: a dossier, or the only readable document."""
    with resolved_system(system) as chosen:
        if not isinstance(chosen, System):
            raise TypeError("summarize_together takes a System, and no other object with summarize")
        ready, rest = prepared(chosen, document, options)
        return summarize_with(document, Budget.parse(length), ready, rest)
