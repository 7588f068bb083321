"""Summarizes dossiers with any system, for the library, the commands and the service."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.wording import counted
from longsum.core.extractive.summarizer import ExtractiveSummarizer
from longsum.core.pipeline import DEFAULTS, Options, prepare
from longsum.core.summaries import Budget, Notice, Summary, SummarySentence
from longsum.core.summaries.by_document import CoverageByDocument
from longsum.core.systems.system import Request, System
from longsum.documents.dossier import Dossier
from longsum.documents.model import Document
from longsum.dossiers.contradictions import Contradictions
from longsum.dossiers.members import dossier_of
from longsum.dossiers.separately import Separately
from longsum.dossiers.together import Together

_NAMED = 8
"""Maximum number of documents that a notice names."""


def prepared(
    system: System, document: Document, options: Options = DEFAULTS
) -> tuple[System, Options]:
    """Return a system ready to summarize a dossier, and the remaining options to apply.

    Any other document, such as the only one of several that could be read, needs no preparation.

    Systems that rank sentences choose from all documents at once (`Together`); a language model
    that reads documents along their section trees gets the whole tree, with the documents as first
    level; all others summarize each document separately (`Separately`). Each is read within the
    limits of the system.

    Raises:
        LongsumError: An option applies only to a single document, or not to this system.
    """
    if not isinstance(document, Dossier):
        return system, options
    if options.levels:
        raise LongsumError(
            "Several documents are summarized from their sentences, with no summaries in between "
            "that levels could show; leave out --levels, or give one document."
        )
    if options.fill is not None:
        system = system.with_fill(options.fill)
    if options.shorten is not None:
        system = system.shortening(options.shorten)
    each = replace(options, fill=None, shorten=None)
    inner: System
    if system.writes and system.reads_at_once(document) is None:
        inner = prepare(system, document, each)
    else:
        systems = [prepare(system, member.document, each) for member in document.members]
        if isinstance(system, ExtractiveSummarizer) and system.by_rank:
            inner = Together(system, systems)
        else:
            inner = Separately(system, systems)
    rest = replace(each, at_once=True, as_written=True, work=None, progress=None)
    return _DossierSystem(inner, document), rest


class _DossierSystem(System):
    """Adds to each summary the contradictions between documents, and how much of each was read."""

    def __init__(self, inner: System, dossier: Dossier) -> None:
        self.name, self.takes_focus = inner.name, inner.takes_focus
        self.writes, self.nests, self.ends = inner.writes, inner.nests, inner.ends
        self._inner = inner
        self._contradictions = Contradictions(dossier)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the system."""
        return self._inner.settings

    @property
    def identity(self) -> str:
        """The identity of the system."""
        return self._inner.identity

    def counting(self, budget: Budget) -> Budget:
        """Return the budget in the system's counting."""
        return self._inner.counting(budget)

    def own_budget(self, request: Request) -> Budget:
        """Return the length that the system would give a summary."""
        return self._inner.own_budget(request)

    def estimate(self, request: Request) -> object:
        """Estimate the cost of a summary."""
        return self._inner.estimate(request)

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Summarize, and compare each sentence with the other documents."""
        dossier = dossier_of(request)
        for made in self._inner.lengths(request, budgets):
            sentences = tuple(
                replace(each, doubts=(*each.doubts, *self._contradictions.of(each)))
                for each in made.sentences
            )
            coverage = made.coverage
            whole = coverage.sentences_read == coverage.sentences_total
            if whole and not isinstance(coverage, CoverageByDocument):
                coverage = CoverageByDocument.of_members(dossier, [None] * len(dossier.members))
            kept = [note for note in made.notices if note.kind != "own_summary"]
            notices = (*kept, *_notices(dossier, made.sentences, sentences))
            yield replace(made, sentences=sentences, coverage=coverage, notices=notices)


def _notices(
    dossier: Dossier, before: Sequence[SummarySentence], after: Sequence[SummarySentence]
) -> Iterator[Notice]:
    """Yield which documents a summary leaves out, and how many sentences are contradicted."""
    covered = {dossier.member_of(each.sentence).name for one in after for each in one.sources[:1]}
    silent = [member.name for member in dossier.members if member.name not in covered]
    if silent and after:
        more = f" and {len(silent) - _NAMED:,} more" if len(silent) > _NAMED else ""
        names = f"{', '.join(silent[:_NAMED])}{more}"
        text = (
            f"No sentence comes from {names}: too small a share of the length, or others say the "
            "same."
        )
        yield Notice("length", text)
    count = sum(len(new.doubts) > len(old.doubts) for old, new in zip(before, after, strict=True))
    if count:
        some = counted(count, "sentence")
        yield Notice(
            "verification",
            f"The documents contradict each other: {some} of the summary with a number, date or "
            "name for which another document has something else.",
        )
