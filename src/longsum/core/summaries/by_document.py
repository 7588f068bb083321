"""What a summary of several documents says of each."""

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
        members: The coverage of each, in its own numbers.
    """

    members: tuple[Coverage, ...] = ()

    @classmethod
    def of_members(cls, dossier: Dossier, found: Sequence[Coverage | None]) -> "CoverageByDocument":
        """Return the coverage of a dossier, each of whose documents was read so far; None for all.

        Sections are named by their numbers in the dossier.
        """
        members = tuple(
            Coverage.whole(member.document) if each is None else each
            for member, each in zip(dossier.members, found, strict=True)
        )
        unread = [
            member.numbered(number)
            for member, each in zip(dossier.members, members, strict=True)
            for number in each.unread_sections
        ]
        read = sum(each.sentences_read for each in members)
        return cls(read, len(dossier.sentences), tuple(unread), members)


@dataclass(frozen=True, slots=True)
class Told:
    """What a summary says of one of several documents.

    Attributes:
        member: The document.
        coverage: How much of it was read, in its own numbers; None if that is not known.
        sentences: Sentences of the summary that come from it first of all.
        words: Their words.
    """

    member: Member
    coverage: Coverage | None
    sentences: int
    words: int


def told_by_document(summary: Summary) -> tuple[Told, ...]:
    """Return what a summary says of each of its documents; empty if it is of one."""
    dossier = summary.document
    if not isinstance(dossier, Dossier):
        return ()
    texts: dict[str, list[str]] = {member.name: [] for member in dossier.members}
    for sentence in summary.sentences:
        for source in sentence.sources[:1]:
            texts[dossier.member_of(source.sentence).name].append(sentence.text)
    known = summary.coverage
    coverages = known.members if isinstance(known, CoverageByDocument) else ()
    return tuple(
        Told(member, coverage, len(texts[member.name]), sum(map(count_words, texts[member.name])))
        for member, coverage in zip_longest(dossier.members, coverages)
    )
