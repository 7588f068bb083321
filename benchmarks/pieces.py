"""How far documents are from the limits on tiny pieces and on sentences of lists.

Run: LONGSUM_DATA=… python benchmarks/pieces.py [FOLDER …]

Reads up to 25 validation documents of each shared set, and the text files below the folders
(`unseen_files.py` fetches some), where they have more than 5,000 characters. Prints how many there
are, the fewest bytes that one has for each piece, the most pieces, and how many would be
refused if only their mean counted; of the shared documents with many sentences also how many words
these have, how many are repeated, and of how many documents not all sentences would be read. Last,
how much of a document is in sentences of more than a thousand characters.
"""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.core.recursive.condensed import ENDLESS, first_but_for_numbers, worth_reading
from longsum.core.systems.reading_load import MANY_SENTENCES
from longsum.documents import Document
from longsum.documents.readers.detect import LEAST_PIECE, pieces_of
from longsum.evaluation.datasets import datasets, load
from longsum.language.words import count_words


def main() -> None:
    """Print the line."""
    documents = list(shared())
    found = (*(document.text for document in documents), *files(sys.argv[1:]))
    texts = [text for text in found if len(text) > 5_000]
    counts = [max(pieces_of(text), 1) for text in texts]
    means = [len(text.encode()) / count for text, count in zip(texts, counts, strict=True)]
    short = sum(mean < LEAST_PIECE for mean in means)
    print(f"{len(texts)} documents, at least {min(means):.1f} bytes a piece, at most")
    print(f"{max(counts):,} pieces; {short} with less than {LEAST_PIECE} bytes a piece")
    many = [each for each in documents if len(each.sentences) > MANY_SENTENCES]
    words = [count_words(each.text) / len(each.sentences) for each in many]
    once = [len(set(first_but_for_numbers(each))) / len(each.sentences) for each in many]
    condensed = sum(worth_reading(each) is not None for each in many)
    print(
        f"{len(many)} of more than {MANY_SENTENCES:,} sentences, at least {min(words):.1f} words in"
    )
    print(f"each, at most {1 - min(once):.0%} of them repeated; {condensed} not read whole")
    endless = [sum(map(len, endless_of(each))) / len(each.text) for each in documents]
    print(f"at most {max(endless):.0%} of a text in sentences without an end")


def endless_of(document: Document) -> list[str]:
    """Return a document's sentences that are too long to be real."""
    return [each.text for each in document.sentences if len(each.text) > ENDLESS]


def shared() -> Iterator[Document]:
    """Yield documents of the shared sets that have a validation split."""
    for info in datasets():
        known = info.kind == "text" and info.variable == "LONGSUM_DATA"
        if known and "validation" in info.splits:
            # Not every copy of the data has every set.
            with suppress(LongsumError):
                yield from [each.document for each in load(info.name, "validation", limit=25)]


def files(folders: list[str]) -> Iterator[str]:
    """Yield the text files below folders, except in packages."""
    for path in (path for folder in folders for path in Path(folder).rglob("*")):
        if path.is_file() and "_packages" not in path.parts:
            try:
                yield path.read_bytes().decode()
            except UnicodeDecodeError:
                continue


if __name__ == "__main__":
    main()
