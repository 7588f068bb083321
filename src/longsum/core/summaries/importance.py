"""The importance of a document's sentences and words, shown as shades by rank."""

import textwrap
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from longsum.common.wording import counted
from longsum.core.summaries.citation import section_place
from longsum.documents.model import Document
from longsum.documents.tree import DocumentTree

BANDS = (0.5, 0.35, 0.2, 0.1, 0.05)
"""Share of the parts, from the most important one, that have each shade or a darker one."""

_MARKS = "·▁▂▄▆█"
_UNKNOWN = " "
_WIDTH = 72
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a document with its offsets in the text and its importance."""

    start: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class Importance:
    """The importance of a document's sentences and, optionally, its words.

    Attributes:
        made_by: Name of what computed it.
        sentences: The weight of each sentence, higher for more important ones; None for sentences
            that were not read.
        words: The words that were read, in order; empty if only sentences have weights.
    """

    made_by: str
    sentences: tuple[float | None, ...]
    words: tuple[Word, ...] = ()

    @property
    def origin(self) -> str:
        """What computed it, and for how much of the document, if not for all."""
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
    """Return the shade of each part, from 0 to the number of `BANDS`, the darkest.

    Shades follow ranks, since the scale of the weights depends on the system. Equal weights get
    equal shades; the least important parts and those without a weight get none.
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
    """Yield the importance of all sentences as text, one mark each, section by section."""
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
    """Return the importance of the shaded parts as JSON values, rounded."""
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
