"""Parts of a document: the sentences of each section, and any sentences as a new document."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from longsum.documents.builder import DocumentBuilder
from longsum.documents.model import Document, Section
from longsum.documents.tree import DocumentTree


def top_sections(document: Document) -> Iterator[tuple[Section, range]]:
    """Yield each section of the first level with the positions of all its sentences."""
    place = 0
    for section in document.sections:
        count = sum(len(below.sentences) for below in section.walk())
        yield section, range(place, place + count)
        place += count


def subset(document: Document, sentences: Iterable[int]) -> Document:
    """Return a document of the chosen sentences, in the original order and under their headings.

    Sentence k of the result is the one with the k-th smallest position. A section is kept if it or
    one of its descendants has a chosen sentence; paragraphs stay separate. Title, source and
    language are kept; pages and warnings are not.

    Args:
        document: The whole.
        sentences: Positions in `document.sentences`, in any order; duplicates count once.

    Raises:
        IndexError: The document has no sentence at a position.
    """
    chosen = sorted(set(sentences))
    if chosen and not 0 <= chosen[0] <= chosen[-1] < len(document.sentences):
        raise IndexError(
            f"A document of {len(document.sentences)} sentences has no sentence "
            f"{chosen[0] if chosen[0] < 0 else chosen[-1]}."
        )
    tree = DocumentTree(document)
    holding = {document.section_of(sentence).number for sentence in chosen}
    kept = holding.union(*(tree.ancestors(section) for section in holding))
    builder = DocumentBuilder()
    builder.language = document.language
    place = 0
    for section in document.walk():
        if section.number in kept:
            builder.heading(section.level, section.title)
        if section.number in holding:
            for paragraph in _chosen_of(section, place, chosen):
                builder.copies(document.sentences[at] for at in paragraph)
        place += sum(map(len, section.paragraphs))
    return builder.build(document.title, document.source)


def _chosen_of(section: Section, start: int, chosen: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield which of the chosen positions each paragraph of a section holds.

    Args:
        section: The section.
        start: The position of its first sentence.
        chosen: The positions, in order.
    """
    end = start
    for paragraph in section.paragraphs:
        end += len(paragraph)
        first, last = bisect_left(chosen, end - len(paragraph)), bisect_left(chosen, end)
        yield chosen[first:last]
