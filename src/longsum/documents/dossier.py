"""Several documents combined into one, each a first-level section."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from longsum.documents.model import Document, Paragraph, Section, Sentence, Source

_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class Member:
    """One of the documents of a dossier.

    Attributes:
        name: Its unique name: its title or its file's name.
        document: The original document, with its own offsets and numbers.
        section: Number of its section of the dossier.
        start: Offset at which its text starts in the dossier's text.
        sentences: The positions of its sentences in the dossier.
    """

    name: str
    document: Document
    section: int
    start: int
    sentences: range

    def own(self, sentence: int) -> Sentence:
        """Return the original of a dossier sentence, with offsets in its document."""
        return self.document.sentences[sentence - self.sentences.start]

    def numbered(self, section: int) -> int:
        """Return the dossier's number for a section of the document."""
        # Text before the first heading is in the document's own section.
        return self.section + section + bool(self.document.sections[0].title)

    def own_number(self, section: int) -> int:
        """Return the document's number for one of its sections in the dossier."""
        return max(section - self.numbered(0), 0)


@dataclass(frozen=True, slots=True, repr=False)
class Dossier(Document):
    """A combination of documents, which are its first-level sections, in order.

    Offsets refer to the joined text; subtract a member's `start` for those in its document.
    """

    members: tuple[Member, ...] = ()

    def member_of(self, sentence: int) -> Member:
        """Return the document that contains a sentence."""
        starts = [member.sentences.start for member in self.members]
        return self.members[bisect_right(starts, sentence) - 1]


def joined(documents: Sequence[Document]) -> Document:
    """Combine documents into a dossier; a single one is returned as it is.

    Warnings name their document.
    """
    if len(documents) == 1:
        return documents[0]
    numbers, place = count(), 0
    text, tops, members, omitted = "", [], [], []
    for name, document in zip(unique_names(documents), documents, strict=True):
        start = len(text)
        text += name + _BETWEEN
        number, moved = next(numbers), len(text)
        # Text before the first heading needs no section of its own.
        untitled = document.sections[:1] if not document.sections[0].title else ()
        paragraphs = tuple(
            _moved_paragraph(each, moved) for top in untitled for each in top.paragraphs
        )
        sections = (
            *(child for top in untitled for child in top.children),
            *document.sections[len(untitled) :],
        )
        children = tuple(_moved(section, moved, numbers) for section in sections)
        omitted += [replace(part, place=part.place + moved) for part in document.omitted]
        text += document.text
        tops.append(Section(number, name, 1, paragraphs, children, start, len(text)))
        sentences = range(place, place := place + len(document.sentences))
        members.append(Member(name, document, number, moved, sentences))
        text += _BETWEEN
    languages = {document.language for document in documents}
    return Dossier(
        title=" · ".join(member.name for member in members),
        text=text.rstrip(),
        sections=tuple(tops),
        source=Source(", ".join(filter(None, (each.source.name for each in documents)))),
        warnings=tuple(
            f"{member.name}: {warning}"
            for member in members
            for warning in member.document.warnings
        ),
        omitted=tuple(omitted),
        language=languages.pop() if len(languages) == 1 else None,
        members=tuple(members),
    )


def unique_names(documents: Sequence[Document]) -> list[str]:
    """Return a unique name for each document: its title, with the file's name if needed."""
    names = [document.title or document.source.name for document in documents]
    names = [name or f"Document {place}" for place, name in enumerate(names, start=1)]
    held = Counter(map(str.casefold, names))
    files = [document.source.name for document in documents]
    names = [
        f"{name} ({file})" if held[name.casefold()] > 1 and file not in ("", name) else name
        for name, file in zip(names, files, strict=True)
    ]
    found: list[str] = []
    taken = set[str]()
    for name in names:
        tries = (name, *(f"{name} ({number})" for number in range(2, len(names) + 2)))
        found.append(next(each for each in tries if each.casefold() not in taken))
        taken.add(found[-1].casefold())
    return found


def _moved(section: Section, by: int, numbers: "count[int]") -> Section:
    """Return a section moved one level down and along the text, with new numbers."""
    number = next(numbers)
    return replace(
        section,
        number=number,
        level=section.level + 1,
        paragraphs=tuple(_moved_paragraph(paragraph, by) for paragraph in section.paragraphs),
        children=tuple(_moved(child, by, numbers) for child in section.children),
        start=section.start + by,
        end=section.end + by,
    )


def _moved_paragraph(paragraph: Paragraph, by: int) -> Paragraph:
    return tuple(replace(each, start=each.start + by, end=each.end + by) for each in paragraph)
