"""How many of a book's words are read as text, and how many are kept as omissions? Against pandoc.

Run: python benchmarks/book_words.py FILE… (EPUB or HTML; pandoc has to be installed)

Words are compared as multisets with those of pandoc's plain text: recall of the document's text,
recall including kept omissions (`Document.omitted`), and precision of the text.
"""

import argparse
import re
import subprocess
from collections import Counter
from pathlib import Path

from longsum.documents.readers import read

_WORD = re.compile(r"\w+")


def words_of(text: str) -> Counter[str]:
    """Return the words of a text, in lower case."""
    return Counter(_WORD.findall(text.casefold()))


def main() -> None:
    """Print a row for each file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    print(f"{'':40}{'words':>9}{'recall':>9}{'with rest':>11}{'precision':>11}")
    for file in options.files:
        form = "epub" if file.suffix == ".epub" else "html"
        command = ["pandoc", "-f", form, "-t", "plain", "--wrap=none", str(file)]
        theirs = words_of(subprocess.run(command, capture_output=True, text=True).stdout)
        document = read(file)
        ours = words_of(document.text)
        kept = ours + words_of("\n".join(part.text for part in document.omitted))
        right = (theirs & ours).total()
        every = max(theirs.total(), 1)
        print(
            f"{file.name[:39]:40}{theirs.total():9,}{right / every:9.3f}"
            f"{(theirs & kept).total() / every:11.3f}{right / max(ours.total(), 1):11.3f}"
        )


if __name__ == "__main__":
    main()
