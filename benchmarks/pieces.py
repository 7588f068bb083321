"""How far documents are from the limit on pieces of hardly a word (docs/limits.md).

Run: LONGSUM_DATA=… python benchmarks/pieces.py [FOLDER …]

Reads up to 25 validation documents of each shared set, and the text files below the folders
(`unseen_files.py` fetches some), where they have more than 5,000 characters. Prints how many there
are, the fewest characters that one has for each piece, the most pieces, and how many would be
refused if only their mean counted.
"""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.documents.readers.detect import LEAST_PIECE, pieces_of
from longsum.evaluation.datasets import datasets, load


def main() -> None:
    """Print the line."""
    texts = [text for text in (*shared(), *files(sys.argv[1:])) if len(text) > 5_000]
    counts = [max(pieces_of(text), 1) for text in texts]
    means = [len(text) / count for text, count in zip(texts, counts, strict=True)]
    short = sum(mean < LEAST_PIECE for mean in means)
    print(f"{len(texts)} documents, at least {min(means):.1f} characters a piece, at most")
    print(f"{max(counts):,} pieces; {short} with less than {LEAST_PIECE} characters a piece")


def shared() -> Iterator[str]:
    """Yield documents of the shared sets that have a validation split."""
    for info in datasets():
        known = info.kind == "text" and info.variable == "LONGSUM_DATA"
        if known and "validation" in info.splits:
            # Not every copy of the data has every set.
            with suppress(LongsumError):
                yield from [each.document.text for each in load(info.name, "validation", limit=25)]


def files(folders: list[str]) -> Iterator[str]:
    """Yield the files below folders that are text, packages left out."""
    for path in (path for folder in folders for path in Path(folder).rglob("*")):
        if path.is_file() and "_packages" not in path.parts:
            try:
                yield path.read_bytes().decode()
            except UnicodeDecodeError:
                continue


if __name__ == "__main__":
    main()
