"""Divides a long text into parts, and a length among the parts, by the settings of `recursive`.

Top-down (Pang et al. 2022, §3.4.2) uses a book's chapters as they are. The paper does not say what
happens to chapters that are too long or too short, or to texts without chapters; the rules here are
ours.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from math import ceil
from typing import Annotated, Any, Literal

from pydantic import Field

from longsum.core.systems.reading_load import load
from longsum.core.systems.system import System
from longsum.documents.model import Document, Section
from longsum.language.words import count_words

_TO = " … "

CHAPTER_WORDS = 10_000
"""Default maximum length of a part. Chapters of BookSum have 5,102 words on average (Table 1), and
selection time grows with the square of a part's length."""

Words = Annotated[int, Field(ge=1)]
Division = Literal["sections", "paragraphs", "length"]
Split = Literal["length", "importance"]


@dataclass(frozen=True, slots=True)
class RecursiveConfig:
    """Settings of the system `recursive`.

    Attributes:
        chapters: Summarizes a part: a recipe's name, or the folder or id of a model.
        whole: Summarizes the whole from the summaries of the parts; None joins summaries of the
            parts, each with its share of the length (BookSum's divide and conquer).
        chapters_settings: Settings of `chapters`.
        whole_settings: Settings of `whole`.
        division: Parts are `sections`, `paragraphs`, or pieces of equal `length`.
        split: Whether a level's length is divided among the parts by their `length` or
            `importance`.
        compression: Length of a level relative to the text below it; 0.1 in BookSum's chapter
            summaries (505 of 5,102 words, Table 1).
        undivided: Maximum words of a document that is not divided; None for the limit of `whole`.
        whole_words: Maximum words of part summaries that `whole` reads; if they have more, they are
            summarized once more. None for its own limit: that of a model, 100,000 for an extractor,
            no limit for others.
        part_words: Maximum words of a part; None for 10,000, or the limit of `chapters` if lower.
        least_words: Shorter parts are merged with a neighbour.
    """

    chapters: str = "stepwise"
    whole: str | None = "stepwise"
    chapters_settings: Mapping[str, Any] = field(default_factory=dict)
    whole_settings: Mapping[str, Any] = field(default_factory=dict)
    division: Division = "sections"
    split: Split = "length"
    compression: Annotated[float, Field(gt=0, lt=1)] = 0.1
    undivided: Words | None = None
    whole_words: Words | None = None
    part_words: Words | None = None
    least_words: Annotated[int, Field(ge=0)] = 300


def longest_part(system: System, document: Document) -> int:
    """Return the default maximum words of a part of a document."""
    return min(system.reads_at_once(document) or CHAPTER_WORDS, CHAPTER_WORDS)


@dataclass(frozen=True, slots=True)
class Part:
    """A contiguous part of a document.

    Attributes:
        first: Title of the section in which it begins.
        last: Title of the section in which it ends.
        sentences: Positions of its sentences.
        words: Number of words in them.
        place: Its number among the pieces of one section, and how many pieces there are.
    """

    first: str
    last: str
    sentences: range
    words: int
    place: tuple[int, int] = (1, 1)

    @property
    def title(self) -> str:
        """The title to show for it."""
        # If a merged part is merged again, the titles of its outer ends suffice.
        ends = (self.first.partition(_TO)[0], self.last.rpartition(_TO)[2])
        name = self.first if self.first == self.last else _TO.join(filter(None, ends))
        piece = f"({self.place[0]} of {self.place[1]})" if self.place[1] > 1 else ""
        return " ".join(filter(None, [name, piece]))


def divide(document: Document, division: Division, min_words: int, max_words: int) -> list[Part]:
    """Divide a document into consecutive parts that cover all of it.

    Args:
        document: The document.
        division: `sections`: the highest sections of at most `max_words`; `paragraphs`: each one
            separately; `length`: pieces of about equal length.
        min_words: Shorter parts are merged with a neighbour if the result has at most `max_words`.
        max_words: Longer parts are split, between paragraphs if possible. Text other than prose
            counts as more words than it has (`longsum.core.systems.reading_load`).
    """
    text = _Text(document)
    if division == "sections":
        parts = [piece for top in document.sections for piece in text.fitting(top, max_words)]
    elif division == "paragraphs":
        parts = [text.part(document.section_of(unit.start).title, unit) for unit in text.paragraphs]
    else:
        parts = [text.part("", range(len(document.sentences)))]
    pieces = (piece for part in parts for piece in text.cut(part, max_words))
    return text.merged(pieces, min_words, max_words)


class _Text:
    """A document with its cumulative word counts."""

    def __init__(self, document: Document) -> None:
        self._sentences = document.sentences
        lengths = (count_words(sentence.text) for sentence in document.sentences)
        self._before = [0, *accumulate(lengths)]
        self.paragraphs: list[range] = []
        self._start_of: dict[int, int] = {}
        place = 0
        for section in document.walk():
            self._start_of[section.number] = place
            for paragraph in section.paragraphs:
                self.paragraphs.append(range(place, place + len(paragraph)))
                place += len(paragraph)

    def words(self, sentences: range) -> int:
        return self._before[sentences.stop] - self._before[sentences.start]

    def load(self, sentences: range) -> int:
        first, last = self._sentences[sentences.start], self._sentences[sentences.stop - 1]
        return load(self.words(sentences), len(sentences), last.end - first.start)

    def part(self, title: str, sentences: range) -> Part:
        return Part(title, title, sentences, self.words(sentences))

    def fitting(self, section: Section, max_words: int) -> Iterator[Part]:
        """Yield a section as a whole if it fits, or else its own text and its subsections."""
        start = self._start_of[section.number]
        own_text = range(start, start + len(section.sentences))
        count = sum(len(below.sentences) for below in section.walk())
        whole = self.part(section.title, range(start, start + count))
        if not count:
            return
        if not section.children or self.load(whole.sentences) <= max_words:
            yield whole
            return
        if own_text:
            yield self.part(section.title, own_text)
        for child in section.children:
            yield from self.fitting(child, max_words)

    def cut(self, part: Part, max_words: int) -> Iterator[Part]:
        """Yield a part in pieces of about equal length; sentences are never split."""
        whole = self.load(part.sentences)
        if whole <= max_words:
            yield part
            return
        target = whole / ceil(whole / max_words)
        stops = []
        start = part.sentences.start
        for unit in self._units(part.sentences, max_words):
            if unit.start > start:
                length = self.load(range(start, unit.start))
                over = length + self.load(unit)
                if over > max_words or over - target > target - length:
                    stops.append(unit.start)
                    start = unit.start
        bounds = [part.sentences.start, *stops, part.sentences.stop]
        for number in range(1, len(bounds)):
            sentences = range(bounds[number - 1], bounds[number])
            place = (number, len(bounds) - 1)
            words = self.words(sentences)
            yield replace(part, sentences=sentences, words=words, place=place)

    def _units(self, within: range, max_words: int) -> Iterator[range]:
        """Yield the paragraphs of a range, or the sentences of paragraphs that are too long."""
        for paragraph in self.paragraphs:
            unit = range(max(paragraph.start, within.start), min(paragraph.stop, within.stop))
            if unit and self.load(unit) <= max_words:
                yield unit
            else:
                yield from (range(at, at + 1) for at in unit)

    def merged(self, parts: Iterator[Part], min_words: int, max_words: int) -> list[Part]:
        """Return parts with short ones merged with a neighbour, as long as `max_words` allows."""
        merged: list[Part] = []
        for part in parts:
            before = merged[-1] if merged else None
            if (
                before is not None
                and min(before.words, part.words) < min_words
                and self.load(range(before.sentences.start, part.sentences.stop)) <= max_words
            ):
                sentences = range(before.sentences.start, part.sentences.stop)
                words = before.words + part.words
                merged[-1] = Part(before.first, part.last, sentences, words)
            else:
                merged.append(part)
        return merged


def weigh(document: Document, parts: Sequence[Part], split: Split) -> list[float]:
    """Return the weight of each part when a length is divided: its words, or its importance.

    Importance is the probability of being in the part on a random walk between similar sentences:
    PageRank over the whole document (the system `graph`), summed over the part. It needs no model,
    is above 0 for every part, and takes linear time.
    """
    if split == "length":
        return [float(max(part.words, 1)) for part in parts]
    from longsum.language.centrality import centrality

    ranks = centrality([sentence.text for sentence in document.sentences])
    return [float(ranks[part.sentences.start : part.sentences.stop].sum()) for part in parts]


def apportion(total: int, weights: Sequence[float], minimum: int = 1) -> list[int]:
    """Divide a length among parts in proportion to their weights; the shares add up to it.

    Each part gets at least `minimum`, at the expense of the others; if there is not enough for all,
    the lightest get nothing. What rounding leaves goes to the largest fractions (Hamilton's
    method).

    Raises:
        ValueError: There is no part, or a weight is not above 0.
    """
    if not weights or min(weights) <= 0:
        raise ValueError("Every part needs a weight above 0.")
    heaviest = sorted(range(len(weights)), key=lambda part: (-weights[part], part))
    served = heaviest[: max(1, total // minimum)]
    shares = [0] * len(weights)
    left, weight = total, sum(weights[part] for part in served)
    while len(served) > 1 and left * weights[served[-1]] < minimum * weight:
        shares[served[-1]] = minimum
        left -= minimum
        weight -= weights[served.pop()]
    exact = {part: left * weights[part] / weight for part in served}
    for part in served:
        shares[part] = int(exact[part])
    rest = left - sum(shares[part] for part in served)
    for part in sorted(served, key=lambda part: (shares[part] - exact[part], part))[:rest]:
        shares[part] += 1
    return shares
