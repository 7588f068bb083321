"""Does the reader find the headings of real documents? Manuals, papers and specifications.

Run: python benchmarks/real_documents.py [--format pdf …] [--keep FOLDER] [--summaries] [--show]

Each file in `benchmarks/outlines/` names a document (package, version, path in it, SHA-256: see
`origins.py`) and lists its headings, written down by somebody who looked at its pages or source,
not at the reader's output: every title on a line of its own, except the document's title and the
headings of contents and indexes (and of references marked as such), which the reader leaves out.
Precision, recall and F1 are those of `trees.py`: titles without numbers, in order. Seconds are wall
time, since another process reads the files. `--summaries` prints a summary of each, to be checked
for misplaced text.
"""

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import yaml

import longsum
from longsum.documents.readers import read_bytes
from origins import fetch
from trees import compare_headings, headings_of, show_faults

OUTLINES = Path(__file__).parent / "outlines"


@dataclass(frozen=True, slots=True)
class RealDocument:
    """A document of a package, and its headings with their levels."""

    name: str
    origin: dict[str, str]
    headings: list[tuple[int, str]]

    @property
    def format(self) -> str:
        """The suffix of its file; `html` for `htm`."""
        suffix = Path(self.origin["path"].removesuffix(".gz")).suffix.lstrip(".")
        return "html" if suffix == "htm" else suffix


def real_documents() -> Iterator[RealDocument]:
    """Yield the documents with recorded outlines."""
    for file in sorted(OUTLINES.glob("*.yaml")):
        data: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))
        headings = [(level, title) for level, title in data["headings"]]
        yield RealDocument(data["name"], data["origin"], headings)


def parser_of(description: str) -> argparse.ArgumentParser:
    """Return a parser of the options that choose documents."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--format", nargs="*", help="such as pdf or epub; all by default")
    parser.add_argument("--names", nargs="*", help="only these documents")
    parser.add_argument("--keep", type=Path, help="folder in which packages are kept")
    return parser


def fetched(options: argparse.Namespace) -> Iterator[tuple[RealDocument, bytes]]:
    """Yield the documents that the options choose, with their files."""
    with tempfile.TemporaryDirectory() as temporary:
        for real in real_documents():
            if options.format and real.format not in options.format:
                continue
            if options.names and real.name not in options.names:
                continue
            yield real, fetch(real.origin, options.keep or Path(temporary))


def main() -> None:
    """Read the documents and compare their headings."""
    parser = parser_of(__doc__ or "")
    parser.add_argument("--summaries", action="store_true")
    parser.add_argument("--show", action="store_true", help="print wrong headings")
    options = parser.parse_args()
    totals, all_seconds = [0, 0, 0, 0], 0.0
    print(
        f"{'':24}{'true':>7}{'found':>7}{'precision':>11}{'recall':>8}{'F1':>7}{'level':>7}{'s':>7}"
    )
    for real, data in fetched(options):
        start = perf_counter()
        document = read_bytes(data, f"{real.name}.{real.format}")
        seconds = perf_counter() - start
        found = headings_of(document)
        right, level = compare_headings(real.headings, found)
        counts = [len(real.headings), len(found), right, level]
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        all_seconds += seconds
        _print_row(real.name, counts, seconds)
        if options.show:
            show_faults(real.headings, found)
        if options.summaries:
            print(longsum.summarize(document, length="120w").text, "\n")
    _print_row("all", totals, all_seconds)


def _print_row(name: str, counts: list[int], seconds: float) -> None:
    true, found, right, level = counts
    precision, recall = right / max(found, 1), right / max(true, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    cells = f"{precision:11.3f}{recall:8.3f}{f1:7.3f}{level / max(right, 1):7.3f}{seconds:7.1f}"
    print(f"{name:24}{true:7}{found:7}{cells}")


if __name__ == "__main__":
    main()
