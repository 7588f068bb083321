"""Documents whose section tree is known: real text of the shared data, for `trees.py` to render."""

import json
import lzma
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

# Characters in the fonts of every renderer; paragraphs with others are left out everywhere.
_DRAWABLE = re.compile(r"[ -~ -ÿ‘’“”–—…•]*")
_MARKS = re.compile(r"``|`|\*\*|__|[*_](?=\w)|(?<=\w)[*_]|\[(?=[^\]]*\]\()|\]\([^)]*\)")
_ITEM = re.compile(r"[-*•]\s+|\(?\d{1,2}[.)]\s+|>\s*")
_FEWEST_HEADINGS, _MOST_WORDS, _FEWEST_WORDS = 6, 7000, 1200
_DATA = {
    "pmc_jats": "articles of PubMed Central, CC BY",
    "python_peps": "Python Enhancement Proposals, public domain",
    "openstax_chapters": "OpenStax textbooks, CC BY and CC BY-NC-SA",
    "rust_rfcs": "Rust RFCs, Apache-2.0 or MIT",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A section: its depth from 1, its title, and its own paragraphs."""

    level: int
    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A document with a known tree: its name, its title, and its sections in reading order."""

    name: str
    title: str
    parts: tuple[Part, ...]

    @property
    def words(self) -> list[str]:
        """The words of its paragraphs in reading order, in lower case."""
        return [
            word
            for part in self.parts
            for paragraph in part.paragraphs
            for word in words_of(paragraph)
        ]


def words_of(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return re.findall(r"[^\W_]+", text.casefold())


def known_documents(split: str, each: int) -> Iterator[Known]:
    """Yield the first suitable documents of each data set.

    They have 1,200 to 7,000 words, at least six headings on at least two levels, and no empty
    section.

    Args:
        split: `train` for development, `test` for what is reported.
        each: Documents of each data set.
    """
    folder = Path(os.environ["LONGSUM_DATA"])
    for name in _DATA:
        found = 0
        with lzma.open(folder / name / f"{split}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for line in lines:
                known = _known(json.loads(line), name)
                if known is not None:
                    yield known
                    found += 1
                if found == each:
                    break


def _known(record: dict[str, object], data: str) -> Known | None:
    title = _plain(str(record["title"]))
    if re.fullmatch(r"\d{4}-[\w-]+", title):
        title = title[5:].replace("-", " ").capitalize()
    parts: list[Part] = []
    sections = record["sections"]
    assert isinstance(sections, list)
    if not sections:
        return None
    top = min(section["level"] for section in sections)
    depth = 0
    for section in sections:
        depth = min(section["level"] - top + 1, depth + 1)
        heading = _plain(section["title"])
        # Styles number headings; already numbered ones would have two numbers.
        numbered = re.match(r"\(?(?:\d+|[ivx]+|[a-zA-Z])[.)]", heading)
        if not heading or numbered or not _DRAWABLE.fullmatch(heading) or depth > 4:
            return None
        texts = (_ITEM.sub("", _plain(paragraph)) for paragraph in section["paragraphs"])
        kept = tuple(text for text in texts if len(text) > 1 and _DRAWABLE.fullmatch(text))
        parts.append(Part(depth, heading, kept))
    known = Known(f"{data}/{record['id']}", title, tuple(parts))
    words = len(known.words)
    fine = (
        len(parts) >= _FEWEST_HEADINGS
        and max(part.level for part in parts) >= 2
        and _FEWEST_WORDS <= words <= _MOST_WORDS
        and _DRAWABLE.fullmatch(title)
        # A section that is empty and has none below it has lost its formulas or pictures.
        and all(a.paragraphs or b.level > a.level for a, b in pairwise(parts))
    )
    return known if fine else None


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub("", text).split())
