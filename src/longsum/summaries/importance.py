"""How important the parts of a document are, and how that is shown: in shades, by rank."""

import textwrap
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from longsum.documents.citation import section_place
from longsum.documents.model import Document
from longsum.documents.tree import DocumentTree
from longsum.wording import counted

BANDS = (0.5, 0.35, 0.2, 0.1, 0.05)
"""The share of the parts, from the most important on, that has each shade or a darker one."""

_MARKS = "·▁▂▄▆█"
_UNKNOWN = " "
_WIDTH = 72
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a document, where it stands in the text, and its importance."""

    start: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class Importance:
    """How important the sentences of a document are, and perhaps its words.

    Attributes:
        made_by: What says so.
        sentences: A number for each sentence, higher for the more important; None where it was not
            read.
        words: The words that were read, in their order; empty where sentences alone are known.
    """

    made_by: str
    sentences: tuple[float | None, ...]
    words: tuple[Word, ...] = ()

    @property
    def origin(self) -> str:
        """What says so, and of how much of the document, if not of all."""
        known = sum(weight is not None for weight in self.sentences)
        total = len(self.sentences)
        partly = f", of {known:,} of {total:,} sentences" if known < total else ""
        return f"{self.made_by}{partly}"

    def __repr__(self) -> str:
        return (
            f"<Importance by {self.made_by}: {counted(len(self.sentences), 'sentence')}, "
            f"{counted(len(self.words), 'word')}>"
        )


def shades(weights: Sequence[float | None]) -> list[int]:
    """Return how dark each part is shown, from 0 to the number of `BANDS`.

    Ranks decide, and not the numbers, which mean something else for each system. Equal parts are
    equally dark; the least important, and those that are not known, have no shade.
    """
    known = sorted(weight for weight in weights if weight is not None)
    found = []
    for weight in weights:
        if weight is None or weight == known[0]:
            found.append(0)
            continue
        ahead = (len(known) - bisect_left(known, weight) - 1) / len(known)
        found.append(sum(ahead < band for band in BANDS))
    return found


def importance_lines(importance: Importance, document: Document) -> Iterator[str]:
    """Yield the importance of all sentences as text, a mark for each, section by section."""
    yield (
        f"Importance of each sentence, by {importance.origin}, "
        f"from {_MARKS[0]} (low) over {_MARKS[1:-1]} to {_MARKS[-1]} (high)"
    )
    found = zip(importance.sentences, shades(importance.sentences), strict=True)
    marks = [_UNKNOWN if weight is None else _MARKS[shade] for weight, shade in found]
    tree = DocumentTree(document)
    place = 0
    for section in tree.sections:
        own = "".join(marks[place : place + len(section.sentences)])
        place += len(own)
        if own := own.rstrip(_UNKNOWN):
            yield section_place(tree, section.number) or document.title or "(no heading)"
            yield from (f"  {line}" for line in textwrap.wrap(own, _WIDTH, drop_whitespace=False))


def importance_to_json(importance: Importance) -> dict[str, Any]:
    """Return the importance of what has a shade as JSON values, rounded."""
    sentences = zip(importance.sentences, shades(importance.sentences), strict=True)
    words = zip(importance.words, shades([word.weight for word in importance.words]), strict=True)
    return {
        "made_by": importance.made_by,
        "sentences": [
            {"sentence": place, "weight": _rounded(weight)}
            for place, (weight, shade) in enumerate(sentences)
            if weight is not None and shade
        ],
        "words": [
            {"start": word.start, "end": word.end, "weight": _rounded(word.weight)}
            for word, shade in words
            if shade
        ],
    }


def _rounded(weight: float) -> float:
    return float(f"{weight:.{_DIGITS}g}")
