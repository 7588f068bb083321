"""How much of a summary of several documents comes from each."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from longsum.core.summaries.summary import Coverage, Summary
from longsum.documents.dossier import Dossier, Member
from longsum.language.words import count_words


@dataclass(frozen=True, slots=True, repr=False)
class CoverageByDocument(Coverage):
    """How much was read of each of several documents.

    Attributes:
        members: The coverage of each document, in its own section numbers.
    """

    members: tuple[Coverage, ...] = ()

    @classmethod
    def of_members(
        cls, dossier: Dossier, coverages: Sequence[Coverage | None]
    ) -> "CoverageByDocument":
        """Return the coverage of a dossier from its documents'; None stands for one read in full.

        Unread sections have their numbers in the dossier.
        """
        members = tuple(
            Coverage.whole(member.document) if coverage is None else coverage
            for member, coverage in zip(dossier.members, coverages, strict=True)
        )
        unread = [
            member.numbered(number)
            for member, coverage in zip(dossier.members, members, strict=True)
            for number in coverage.unread_sections
        ]
        read = sum(coverage.sentences_read for coverage in members)
        return cls(read, len(dossier.sentences), tuple(unread), members)


@dataclass(frozen=True, slots=True)
class DocumentShare:
    """How much of a summary comes from one of several documents.

    Attributes:
        member: The document.
        coverage: How much of it was read, in its own section numbers; None if unknown.
        sentences: Number of summary sentences whose first source is in it.
        words: Number of words in them.
    """

    member: Member
    coverage: Coverage | None
    sentences: int
    words: int


def shares_by_document(summary: Summary) -> tuple[DocumentShare, ...]:
    """Return how much of a summary comes from each of its documents; empty for a single one."""
    dossier = summary.document
    if not isinstance(dossier, Dossier):
        return ()
    texts: dict[str, list[str]] = {member.name: [] for member in dossier.members}
    for sentence in summary.sentences:
        for source in sentence.sources[:1]:
            texts[dossier.member_of(source.sentence).name].append(sentence.text)
    whole = summary.coverage
    coverages = whole.members if isinstance(whole, CoverageByDocument) else ()
    return tuple(
        DocumentShare(
            member, coverage, len(texts[member.name]), sum(map(count_words, texts[member.name]))
        )
        for member, coverage in zip_longest(dossier.members, coverages)
    )
