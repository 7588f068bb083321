"""Compares what longsum reads of files with what pandoc reads: headings, their levels, words.

    python benchmarks/against_pandoc.py FILES… [--against FILE]

Pandoc has to be installed. Headings are compared in order, without the numbers before them; levels
are depths in the tree. Words are those of headings and text: of pandoc's reading, tables, figures,
notes, code and formulas are not counted, since longsum omits all or most of them.
"""

import argparse
import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.readers import read

_FORMATS = {
    ".docx": "docx",
    ".odt": "odt",
    ".rtf": "rtf",
    ".tex": "latex",
    ".latex": "latex",
    ".md": "markdown",
}
_LEFT_OUT = frozenset({"Table", "CodeBlock", "Figure", "Note", "RawBlock", "Image", "Math"})
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"(?:[\dIVX]+(?:\.[\dIVX]+)*|[A-Z](?=[.)]))(?:[.)]+\s*|\s+)(?=[^\W\d])")


@dataclass(slots=True)
class Reading:
    """Headings with their depths from 1, and words with their counts."""

    headings: list[tuple[int, str]] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)

    def add(self, text: str) -> None:
        """Count the words of a text."""
        self.words.update(_WORD.findall(text.casefold()))


def ours(document: Document) -> Reading:
    """Return what longsum has read; a title stands above all headings."""
    reading = Reading([(1, document.title)] if document.title else [])
    top = len(reading.headings)
    reading.headings += [(top + s.level, s.title) for s in document.walk() if s.title]
    reading.add(document.text)
    return reading


def pandocs(file: Path) -> Reading:
    """Return what pandoc reads of a file, its title above all headings."""
    form = _FORMATS.get(file.suffix, "jats")
    run = subprocess.run(
        ["pandoc", "-f", form, "-t", "json", str(file)], capture_output=True, check=True
    )
    value = json.loads(run.stdout)
    reading = Reading()
    title = _text(value["meta"].get("title", {}).get("c", []))
    if title:
        reading.headings.append((1, title))
        reading.add(title)
    abstract = _text(value["meta"].get("abstract", {}).get("c", []))
    if abstract:
        reading.headings.append((2, "Abstract"))
        reading.add(f"Abstract {abstract}")
    open_levels: list[int] = []
    for level, text in _headers(value["blocks"]):
        while open_levels and open_levels[-1] >= level:
            open_levels.pop()
        open_levels.append(level)
        if text:
            reading.headings.append((len(open_levels) + bool(title), text))
    reading.add(_text(value["blocks"]))
    return reading


def _headers(blocks: Iterable[Any]) -> Iterator[tuple[int, str]]:
    for block in blocks:
        if block["t"] == "Header":
            yield block["c"][0], _text(block["c"][2])
        elif block["t"] == "Div":
            yield from _headers(block["c"][1])


def _text(value: Any) -> str:
    return " ".join("".join(_pieces(value)).split())


def _pieces(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for part in value:
            yield from _pieces(part)
        return
    if not isinstance(value, dict):
        return
    kind, content = value.get("t"), value.get("c")
    if kind in _LEFT_OUT:
        return
    if kind in ("Str", "Space", "SoftBreak", "LineBreak"):
        yield content if kind == "Str" else " "
    elif kind == "Code":
        yield str(content[1])
    elif kind != "RawInline":
        yield from _pieces(content)
        if kind in ("Para", "Plain", "Header"):
            yield "\n"


@dataclass(slots=True)
class Score:
    """Counts over files."""

    found: int = 0
    ours: int = 0
    pandocs: int = 0
    levels: int = 0
    shared: int = 0
    our_words: int = 0
    their_words: int = 0

    def add(self, mine: Reading, theirs: Reading) -> None:
        """Add one file."""
        own, other = _aligned(mine, theirs)
        blocks = SequenceMatcher(None, [t for _, t in own], [t for _, t in other], autojunk=False)
        for block in blocks.get_matching_blocks():
            self.found += block.size
            self.levels += sum(
                own[block.a + n][0] == other[block.b + n][0] for n in range(block.size)
            )
        self.ours += len(own)
        self.pandocs += len(other)
        self.shared += (mine.words & theirs.words).total()
        self.our_words += mine.words.total()
        self.their_words += theirs.words.total()

    def __str__(self) -> str:
        def share(part: int, whole: int) -> str:
            return f"{part / whole:6.3f}" if whole else "     –"

        return (
            f"{self.pandocs:5} {share(self.found, self.ours)} {share(self.found, self.pandocs)} "
            f"{share(self.levels, self.found)}  {self.their_words:8,} "
            f"{share(self.shared, self.their_words)} {share(self.shared, self.our_words)}"
        )


def _aligned(mine: Reading, theirs: Reading) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Return both lists of headings, bare; a title that only one has found shifts no level."""
    own = [(level, _bare(text)) for level, text in mine.headings]
    other = [(level, _bare(text)) for level, text in theirs.headings]
    theirs_first = {text: level for level, text in reversed(other)}
    shifts = Counter(theirs_first[text] - level for level, text in own if text in theirs_first)
    shift = shifts.most_common(1)[0][0] if shifts else 0
    return [(level + shift, text) for level, text in own], other


def _bare(heading: str) -> str:
    return " ".join(_WORD.findall(_NUMBER.sub("", heading, count=1).casefold()))


def main() -> None:
    """Print the scores of each file and of all."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--against", type=Path, help="what pandoc reads instead of each file")
    total = Score()
    print(f"{'file':40} heads  prec.    rec.  level     words   recall precision")
    arguments = parser.parse_args()
    for file in arguments.files:
        try:
            mine, theirs = ours(read(file)), pandocs(arguments.against or file)
        except (LongsumError, subprocess.CalledProcessError, ValueError) as error:
            print(f"{file.name[:40]:40} {' '.join(str(error).split())[:60]}")
            continue
        score = Score()
        score.add(mine, theirs)
        total.add(mine, theirs)
        print(f"{file.name[:40]:40} {score}")
    print(f"{'all':40} {total}")


if __name__ == "__main__":
    main()
