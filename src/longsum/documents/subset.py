"""Parts of a document: the sentences of each section, arbitrary sentences, and omissions."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import inf

from longsum.documents.builder import DocumentBuilder
from longsum.documents.conservation import PLURALS, describe_omissions
from longsum.documents.model import Document, Section
from longsum.documents.tree import DocumentTree


def top_sections(document: Document) -> Iterator[tuple[Section, range]]:
    """Yield each first-level section with the positions of all its sentences."""
    place = 0
    for section in document.sections:
        count = sum(len(below.sentences) for below in section.walk())
        yield section, range(place, place + count)
        place += count


def subset(document: Document, sentences: Iterable[int]) -> Document:
    """Return a document of the chosen sentences, in original order and under their headings.

    Sentence k of the result is the one with the k-th smallest position. A section is kept if it or
    one of its descendants has a chosen sentence; paragraphs stay separate. Title, source,
    language and pages are kept; warnings are not.

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
            builder.inferred_heading(section.level, section.title, section.evidence)
        if section.number in holding:
            for paragraph in _chosen_of(section, place, chosen):
                builder.copies(document.sentences[at] for at in paragraph)
        place += sum(map(len, section.paragraphs))
    return builder.build(document.title, document.source)


def _chosen_of(section: Section, start: int, chosen: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the chosen positions in each paragraph of a section.

    `start` is the position of the section's first sentence; the chosen ones are in order.
    """
    end = start
    for paragraph in section.paragraphs:
        end += len(paragraph)
        first, last = bisect_left(chosen, end - len(paragraph)), bisect_left(chosen, end)
        yield chosen[first:last]


def keep(document: Document, names: Collection[str]) -> Document:
    """Return a document with omitted parts restored to its text, each in its place.

    Args:
        document: The document.
        names: The kinds to restore: `tables`, `code`, `footnotes` and so on, as the warning calls
            them; `all` restores everything. A warning names kinds of which nothing was omitted.
    """
    kinds = {part.kind for part in document.omitted if part.text}
    meant = {name.strip(): kinds_called(name, kinds) for name in names if name.strip()}
    kinds_kept = set().union(*meant.values())
    builder = DocumentBuilder()
    builder.language = document.language
    outdated = describe_omissions(document)
    builder.warnings = [warning for warning in document.warnings if warning not in outdated]
    builder.warnings += [
        f"No {name} to keep: the document has left out no such parts."
        for name, found in meant.items()
        if not found
    ]
    waiting = list(document.omitted[::-1])

    def leave_out(before: float) -> None:
        while waiting and waiting[-1].place < before:
            part = waiting.pop()
            if part.kind not in kinds_kept:
                builder.omit(part.kind, part.text, part.page)
                continue
            for row in part.text.split("\n"):
                builder.paragraph(" ".join(row.split("\t")), part.page)

    for section in document.walk():
        leave_out(max(section.start, 1))
        if section.title or section.number or section.children:
            builder.inferred_heading(section.level, section.title, section.evidence)
        for paragraph in section.paragraphs:
            leave_out(paragraph[0].start)
            builder.copies(paragraph)
    leave_out(inf)
    return builder.build("", document.source, otherwise=document.title)


def kinds_called(name: str, kinds: Iterable[str]) -> set[str]:
    """Return the kinds that a name such as `tables` or `code` means; `all` means every kind."""
    stem = name.strip().casefold().removesuffix("s")
    return {
        kind
        for kind in kinds
        if stem == "all" or kind.startswith(stem) or PLURALS.get(kind, "").startswith(stem)
    }
