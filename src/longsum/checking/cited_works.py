"""Which documents the numbers in a text cite: by its reference list, or by their order."""

import re
from collections.abc import Iterator, Mapping, Sequence

from longsum.checking.citations import citations_in
from longsum.documents.model import Document
from longsum.language.words import terms

_ENTRY = re.compile(r"\[(\d{1,3})\]")
_LEAST_WORDS = 2
"""A title with fewer words may occur in the entry of any work."""


def cited_works(
    text: Document, documents: Sequence[Document]
) -> tuple[Mapping[int, int], tuple[str, ...]]:
    """Return the documents that numbers in brackets cite, and what could not be resolved.

    If the text has a reference list, a number refers to its entry, and the document is the one
    whose title or file the entry names. Otherwise documents are numbered in their order, unless the
    text cites more than there are: then its numbers refer to some other list.

    Returns:
        The position of each number's document, and notices for readers.
    """
    entries = dict(_entries(text))
    cited = {
        number
        for sentence in text.sentences
        if sentence.kind != "reference"
        for citation in citations_in(sentence.text)
        for number in citation.numbers
    }
    if entries:
        known = {
            number: place
            for number, entry in entries.items()
            for place, document in enumerate(documents)
            if _names(entry, document)
        }
    else:
        within = all(1 <= number <= len(documents) for number in cited)
        known = {place + 1: place for place in range(len(documents))} if within else {}
    unknown = [f"[{number}]" for number in sorted(cited - known.keys())]
    if not unknown:
        return known, ()
    why = (
        "whose entry names no document that was given by its title or file"
        if entries
        else "but has no reference list, and there are fewer documents"
    )
    return known, (f"The text cites {', '.join(unknown)}, {why}; these were not checked.",)


def _entries(text: Document) -> Iterator[tuple[int, str]]:
    """Yield the entries of the reference list with their number in brackets, or else their rank."""
    paragraphs = [
        text.text[each[0].start : each[-1].end]
        for each in text.paragraphs
        if each and all(sentence.kind == "reference" for sentence in each)
    ]
    _, *marked = _ENTRY.split("\n".join(paragraphs))
    if marked:
        yield from zip(map(int, marked[::2]), marked[1::2], strict=True)
    else:
        yield from enumerate(paragraphs, start=1)


def _names(entry: str, document: Document) -> bool:
    """Return whether an entry contains a document's title or file name."""
    title = terms(document.title)
    if len(title) >= _LEAST_WORDS and f" {' '.join(title)} " in f" {' '.join(terms(entry))} ":
        return True
    name = document.source.name
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", entry) is not None
