"""What `layouts.py` writes in many layouts: documents of eleven genres, as headings and paragraphs.

Five are written for it (`layout_texts`), one is the report in `examples`, and the rest are from the
shared data (`LONGSUM_DATA`). They consist only of whole paragraphs of sentences, in characters that
every layout can show, since the question is whether prose survives.
"""

import json
import lzma
import os
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

EVERY, TITLE, NONE = range(7), range(1), range(0)
TEXTS = Path(__file__).parent / "layout_texts"
_REPORT = Path(__file__).parents[1] / "examples" / "crypto-mining.md"
_MOST_WORDS = 2000
_PROSE = re.compile(r"[A-Z“\"‘'(*][ -~\xa0-\xff‘’“”–—…]*[.?!][)’”\"']*")
_MARKS = re.compile(r"``?|\*|(?<!\w)_|_(?!\w)|\s*\[\d+\]_")
_BEFORE_POINT = re.compile(r" (?=[.,;])")
_SPEECH = re.compile(r"\*\*([A-Z][A-Z .]+):\*\* (.*)")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, or a paragraph.

    Attributes:
        text: Its words, on one line.
        level: The depth of a heading from 1; 0 for a paragraph.
        speaker: Who says it.
    """

    text: str
    level: int = 0
    speaker: str = ""

    @property
    def spoken(self) -> str:
        """Its words after the name of the speaker."""
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


@dataclass(frozen=True, slots=True)
class Work:
    """A document: its name, which is its genre; its title; its headings and paragraphs."""

    name: str
    title: str
    blocks: tuple[Block, ...]

    @property
    def headings(self) -> list[tuple[int, str]]:
        """The title, at level 0, and the headings with their levels."""
        return [(0, self.title), *((each.level, each.text) for each in self.blocks if each.level)]

    def sections(self) -> Iterator["Work"]:
        """Yield its first-level sections as works, preceded by the text before them."""
        title, blocks = self.title, list[Block]()
        for block in self.blocks:
            if block.level == 1:
                yield Work(self.name, title, tuple(blocks))
                title, blocks = block.text, []
            else:
                blocks.append(block)
        yield Work(self.name, title, tuple(blocks))


@dataclass(frozen=True, slots=True)
class Layout:
    """A way to write a work down.

    Attributes:
        name: What it is.
        suffix: Suffix of its files, with the dot.
        write: Returns the file; raises `MissingError` if the program that makes it is missing.
        marks: The levels of headings that it marks; the title has level 0.
        lossy: Whether it does not show where paragraphs end, or which lines are headings.
        label: A pattern of the label that it puts before each paragraph and a reader may keep.
        converts: The format into which LibreOffice converts the file.
    """

    name: str
    suffix: str
    write: Callable[[Work], bytes]
    marks: range = EVERY
    lossy: bool = False
    label: str = ""
    converts: str = ""


class MissingError(Exception):
    """A program or library that makes a layout is not installed."""


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Return lines of a width; words with hyphens are not divided."""
    return textwrap.wrap(text, width, initial_indent=indent, break_on_hyphens=False)


def own_work(name: str) -> Work:
    """Return a work that is written in Markdown in the folder of texts."""
    return _of_markdown(name, (TEXTS / f"{name}.md").read_text("utf-8"))


def works() -> Iterator[Work]:
    """Yield all works.

    Raises:
        SystemExit: The shared data is not there.
    """
    if not os.environ.get("LONGSUM_DATA"):
        raise SystemExit("Set LONGSUM_DATA to the folder of the shared data.")
    yield from map(own_work, ("patent", "pleading", "law", "minutes", "play"))
    yield _of_markdown("report", _REPORT.read_text("utf-8"))
    yield _of_record("paper", _record("pmc_jats/val", "PMC6060904"))
    yield _of_record("textbook", _record("openstax_sections/val", "astronomy/m59988"))
    yield _of_record("specification", _record("python_peps/val", "pep-0541"))
    story = _record("squality/dev", "63041")
    yield _work("story", story["title"], map(Block, story["text"].split("\n\n")))
    yield _work("news", "News of the Week", _news())


def _of_markdown(name: str, text: str) -> Work:
    title, *parts = re.split(r"\n{2,}", text.strip())
    blocks = []
    for part in parts:
        marks, _, heading = part.partition(" ")
        if set(marks) == {"#"}:
            blocks.append(Block(heading, len(marks) - 1))
        elif speech := _SPEECH.fullmatch(part):
            blocks.append(Block(speech[2], 0, speech[1]))
        else:
            blocks.append(Block(part))
    return _work(name, title.removeprefix("# "), blocks)


def _record(data: str, identity: str) -> dict[str, Any]:
    for record in _records(data):
        if record["id"] == identity:
            return record
    raise SystemExit(f"{data} has no {identity}.")


def _records(data: str) -> Iterator[dict[str, Any]]:
    path = Path(os.environ["LONGSUM_DATA"]) / f"{data}.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _of_record(name: str, record: dict[str, Any]) -> Work:
    blocks = []
    for section in record["sections"]:
        blocks.append(Block(section["title"], section["level"]))
        blocks += map(Block, section["paragraphs"])
    return _work(name, record["title"], blocks)


def _news() -> Iterator[Block]:
    for record in islice(_records("bbc_news_summary/val"), 0, 48, 8):
        yield Block(record["title"], 1)
        # It does not mark paragraphs: two sentences make one.
        lines = " ".join(record["text"].split())
        sentences = re.split(r"(?<=[a-z)][.?!]) (?=[A-Z])", lines)
        yield from (Block(" ".join(sentences[n : n + 2])) for n in range(0, len(sentences), 2))


def _work(name: str, title: str, blocks: Iterator[Block] | list[Block]) -> Work:
    """Return a work from the paragraphs of prose among blocks, and the headings above them."""
    kept, headings, words = list[Block](), list[Block](), 0
    for block in blocks:
        text = _BEFORE_POINT.sub("", " ".join(_MARKS.sub("", block.text).split()))
        if block.level and text == title:
            continue
        if block.level:
            headings = [each for each in headings if each.level < block.level]
            headings.append(Block(text, block.level))
        elif len(text.split()) >= 4 and _PROSE.fullmatch(text) and words < _MOST_WORDS:
            kept += headings
            kept.append(Block(text, 0, block.speaker))
            words += len(text.split())
            headings = []
    # Below a heading that repeats the title, all stand one level too deep.
    above = min((block.level for block in kept if block.level), default=1) - 1
    raised = (Block(b.text, max(b.level - above, 0), b.speaker) for b in kept)
    return Work(name, " ".join(title.split()), tuple(raised))
