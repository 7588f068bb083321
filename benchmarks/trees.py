"""Does the reader recover the section tree? Known trees, printed to PDF in many styles.

Run: python benchmarks/trees.py [--split held-out] [--documents N] [--keep FOLDER] [--styles S …]
     [--markitdown COMMAND] [--json FILE]

Documents of the shared data (articles, proposals, textbooks) are printed with Chromium and with
LaTeX (`pdflatex`), in the styles of `tree_styles.py`: one and two columns, numbered or not, with
and without bookmarks and tags, contents pages, running heads and footnotes. Styles and documents
are divided: `development` is for tuning, `held-out` for reporting. The reader gets only the file.

A heading is found if its title, without number, spaces and signs, is one of the document's, in
order (the longest common subsequence). Level accuracy is the share of the headings found that
have their true depth. Words are compared as multisets: recall over all sentences, precision over
those that are material for summaries; order is the longest increasing run among the word 5-grams
that occur once on both sides. It is compared with pypdf's plain text, read as a text file
(`--peers`), and with markitdown if its command is given.
"""

import argparse
import json
import re
import statistics
import subprocess
import tempfile
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path

import longsum
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.readers import read_bytes
from tree_documents import Known, known_documents, words_of
from tree_styles import STYLES, Style, render

Headings = Sequence[tuple[int, str]]
_NUMBER = re.compile(
    r"\d+(?:\.\d+)*[.):]?|\(?[ivxlcIVXLC]+[.):]|[IVXLC]+|[A-Z][.):]?|[A-Z](?:\.\d+)+[.):]?"
)
_NAMED = re.compile(r"(?:chapter|appendix|annex)\s+(?=[A-Z\d]+[.:]?\s)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """How much of one document was recovered; see the top of the file."""

    true: int
    found: int
    right: int
    level: int
    text_recall: float
    text_precision: float
    order: float
    seconds: float


def compare_headings(true: Headings, found: Headings) -> tuple[int, int]:
    """Return how many headings are found in order, and how many of them at their level."""
    keys = [[_key(title) for _, title in headings] for headings in (true, found)]
    blocks = SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks()
    pairs = [(block.a + n, block.b + n) for block in blocks for n in range(block.size)]
    return len(pairs), sum(true[a][0] == found[b][0] for a, b in pairs)


def _key(title: str) -> str:
    bare = _NAMED.sub("", title.strip())
    while True:
        head, _, rest = bare.partition(" ")
        if not rest or not _is_number(head):
            return "".join(filter(str.isalnum, bare.casefold()))
        bare = rest


def _is_number(word: str) -> bool:
    """Return whether a word is the number of a heading: `2.1`, `2)`, `IV.`, `B.`."""
    return bool(_NUMBER.fullmatch(word))


def headings_of(document: Document) -> Headings:
    """Return the headings of a document with their levels."""
    return [(section.level, section.title) for section in document.walk() if section.title]


def measure(document: Document, known: Known, seconds: float) -> Found:
    """Compare a reading with the known tree."""
    true = [(part.level, part.title) for part in known.parts]
    found = headings_of(document)
    right, level = compare_headings(true, found)
    every = [word for sentence in document.sentences for word in words_of(sentence.text)]
    read = [word for s in document.sentences if s.is_material for word in words_of(s.text)]
    recalled = (Counter(known.words) & Counter(every)).total()
    same = (Counter(known.words) & Counter(read)).total()
    return Found(
        len(true),
        len(found),
        right,
        level,
        recalled / max(len(known.words), 1),
        same / max(len(read), 1),
        order(known.words, every),
        seconds,
    )


def order(true: Sequence[str], read: Sequence[str]) -> float:
    """Return the share of word 5-grams, once on both sides, in the longest increasing run."""
    places = [_once(words) for words in (true, read)]
    common = sorted(places[0].keys() & places[1].keys(), key=places[0].__getitem__)
    tails: list[int] = []
    for gram in common:
        place = places[1][gram]
        at = bisect_left(tails, place)
        tails[at : at + 1] = [place]
    return len(tails) / len(common) if common else 0.0


def _once(words: Sequence[str]) -> dict[tuple[str, ...], int]:
    grams = [tuple(words[n : n + 5]) for n in range(len(words) - 4)]
    counts = Counter(grams)
    return {gram: place for place, gram in enumerate(grams) if counts[gram] == 1}


def by_pypdf(file: Path) -> Document:
    """Read with pypdf as plain text."""
    from pypdf import PdfReader

    text = "\n".join(page.extract_text() for page in PdfReader(file).pages)
    return read_bytes(text.encode("utf-8", "replace"), f"{file.stem}.txt")


def by_markitdown(command: str) -> Callable[[Path], Document]:
    """Return a reader that runs markitdown and reads its Markdown."""

    def read(file: Path) -> Document:
        done = subprocess.run([command, str(file)], capture_output=True, check=True)
        return read_bytes(done.stdout, f"{file.stem}.md")

    return read


def total(results: Sequence[Found]) -> dict[str, float]:
    """Return the scores of several documents, headings counted together."""
    true, found, right, level = (
        sum(getattr(each, name) for each in results) for name in ("true", "found", "right", "level")
    )
    precision, recall = right / max(found, 1), right / max(true, 1)
    return {
        "headings": true,
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / max(precision + recall, 1e-9),
        "level": level / max(right, 1),
        "text_recall": statistics.mean(each.text_recall for each in results),
        "text_precision": statistics.mean(each.text_precision for each in results),
        "order": statistics.mean(each.order for each in results),
        "seconds": sum(each.seconds for each in results),
    }


def show(rows: Sequence[tuple[str, dict[str, float]]]) -> None:
    """Print scores as a table."""
    names = ("headings", "precision", "recall", "f1", "level")
    names += ("text_recall", "text_precision", "order", "seconds")
    print(f"{'':34}" + "".join(f"{name[:14]:>15}" for name in names))
    for label, scores in rows:
        cells = "".join(
            f"{scores[name]:15.0f}" if name == "headings" else f"{scores[name]:15.3f}"
            for name in names
        )
        print(f"{label:34}{cells}")


def main() -> None:
    """Print documents, read them back, and compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--split", choices=("development", "held-out"), default="held-out")
    parser.add_argument("--documents", type=int, default=2, help="of each data set")
    parser.add_argument("--styles", nargs="*")
    parser.add_argument("--keep", type=Path, help="folder in which printed files are kept")
    parser.add_argument("--markitdown", help="its command")
    parser.add_argument("--peers", action="store_true", help="compare with pypdf's text")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", action="store_true", help="print wrong headings")
    options = parser.parse_args()
    held_out = options.split == "held-out"
    styles = [s for s in STYLES if s.held_out is held_out]
    styles = [s for s in styles if not options.styles or s.name in options.styles]
    systems: dict[str, Callable[[Path], Document]] = {"longsum": longsum.read}
    if options.peers:
        systems["pypdf text"] = by_pypdf
    if options.markitdown:
        systems["markitdown"] = by_markitdown(options.markitdown)
    documents = list(known_documents("test" if held_out else "train", options.documents))
    found: dict[str, dict[str, list[Found]]] = {name: {} for name in systems}
    with tempfile.TemporaryDirectory() as temporary:
        for style in styles:
            for known in documents:
                file = render(known, style, options.keep or Path(temporary))
                for name, read in systems.items():
                    start = time.perf_counter()
                    try:
                        document = read(file)
                    except LongsumError as error:
                        print(f"{name} refused {file.name}: {error}")
                        document = Document("", "", ())
                    seconds = time.perf_counter() - start
                    each = measure(document, known, seconds)
                    found[name].setdefault(style.name, []).append(each)
                    if options.show and name == "longsum":
                        print(f"\n{file.name}: {document.title}")
                        true = [(part.level, part.title) for part in known.parts]
                        show_faults(true, headings_of(document))
    report(found, styles)
    if options.json:
        rows = {
            name: {style: [asdict(each) for each in results] for style, results in by.items()}
            for name, by in found.items()
        }
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def report(found: dict[str, dict[str, list[Found]]], styles: Sequence[Style]) -> None:
    """Print the scores of each system by style, with and without an outline, and of all."""
    for name, by in found.items():
        print(f"\n{name}")
        rows = [(style.name, total(by[style.name])) for style in styles]
        for label, outline in (("with an outline", True), ("without", False)):
            chosen = [each for s in styles if s.outline is outline for each in by[s.name]]
            if chosen:
                rows.append((label, total(chosen)))
        show(rows)


def show_faults(true: Headings, found: Headings) -> None:
    """Print the missed headings, the false ones, and those with a wrong level."""
    keys = [[f"{level} {_key(title)}" for level, title in each] for each in (true, found)]
    for tag, a, b, c, d in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if tag != "equal":
            print("   missed", true[a:b], "\n   found ", found[c:d])


if __name__ == "__main__":
    main()
