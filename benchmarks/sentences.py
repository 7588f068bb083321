"""Measures sentence splitting on annotated boundaries.

    python benchmarks/sentences.py [--errors]

Each line of `tests/data/boundaries.tsv` marks one position where a sentence may end (`‖`) and says
whether it does. Prints, for longsum and for every other splitter that is installed (`pip install
pysbd spacy`; spaCy's rule-based sentencizer needs no model), the share of right answers in each
genre, and both kinds of errors: missed ends, and cuts inside sentences. The held-out half was not
looked at while the rules were written.
"""

import argparse
import csv
from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from longsum.language.sentences import split_sentences

MARKED = Path(__file__).parents[1] / "tests" / "data" / "boundaries.tsv"
MARK = "‖"

Splitter = Callable[[str], list[int]]
"""Returns the positions where sentences start."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--errors", action="store_true", help="print errors outside the held half")
    arguments = parser.parse_args()
    rows = list(read_marked())
    for name, splitter in splitters():
        right = [answers(splitter, row["text"]) == (row["ends"] == "1") for row in rows]
        print(f"{name:12}", *(_share(rows, right, held) for held in ("0", "1")), sep="  ")
        print(" " * 14 + _by_genre(rows, right))
        if arguments.errors and name == "longsum":
            for row, is_right in zip(rows, right, strict=True):
                if not is_right and row["held_out"] == "0":
                    print(f"    {'missed' if row['ends'] == '1' else 'cut'}: {row['text']}")


def read_marked() -> Iterator[dict[str, str]]:
    """Yield the marked positions."""
    with MARKED.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def answers(splitter: Splitter, text: str) -> bool:
    """Return whether a splitter starts a sentence at the mark."""
    return text.index(MARK) in splitter(text.replace(MARK, "", 1))


def splitters() -> Iterator[tuple[str, Splitter]]:
    """Yield the installed splitters by name."""
    from nupunkt import sent_spans

    yield "longsum", lambda text: [start for start, _ in split_sentences(text)]
    yield "nupunkt", lambda text: [start for start, _ in _stripped(text, sent_spans(text))]
    if find_spec("pysbd"):
        import pysbd

        segmenter = pysbd.Segmenter(language="en", clean=False, char_span=True)
        yield (
            "pySBD",
            lambda text: [
                start
                for start, _ in _stripped(
                    text, [(span.start, span.end) for span in segmenter.segment(text)]
                )
            ],
        )
    if find_spec("spacy"):
        import spacy

        pipeline = spacy.blank("en")
        pipeline.add_pipe("sentencizer")
        yield "spaCy", lambda text: [span.start_char for span in pipeline(text).sents]


def _stripped(text: str, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield spans without white space at their start."""
    for start, end in spans:
        yield start + len(text[start:end]) - len(text[start:end].lstrip()), end


def _share(rows: list[dict[str, str]], right: list[bool], held: str) -> str:
    own = [(row, r) for row, r in zip(rows, right, strict=True) if row["held_out"] == held]
    missed = sum(row["ends"] == "1" and not r for row, r in own)
    cut = sum(row["ends"] == "0" and not r for row, r in own)
    half = "held out" if held == "1" else "seen"
    return f"{half}: {1 - (missed + cut) / len(own):6.1%} of {len(own)}, missed {missed}, cut {cut}"


def _by_genre(rows: list[dict[str, str]], right: list[bool]) -> str:
    genres = defaultdict(list)
    for row, is_right in zip(rows, right, strict=True):
        genres[row["genre"]].append(is_right)
    return "  ".join(f"{genre} {sum(own) / len(own):.1%}" for genre, own in sorted(genres.items()))


if __name__ == "__main__":
    main()
