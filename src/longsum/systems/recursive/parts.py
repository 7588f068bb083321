"""How a long text is divided into parts, and a length among them.

Top-down (Pang et al. 2022, §3.4.2) takes a book's chapters as they are. What is done with chapters
that are too long or too short, or with a text that has none, is not stated; the rules stand below.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import Literal

from longsum.documents.model import Document, Section
from longsum.language.words import count_words

Division = Literal["sections", "paragraphs", "length"]
Split = Literal["length", "importance"]
_TO = " … "


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a document.

    Attributes:
        first: Title of the section that it begins in.
        last: Title of the section that it ends in.
        sentences: Positions of its sentences.
        words: Their words.
        place: Which of several pieces of one section it is, and of how many.
    """

    first: str
    last: str
    sentences: range
    words: int
    place: tuple[int, int] = (1, 1)

    @property
    def title(self) -> str:
        """What to call it."""
        # Of sections that were joined at a level below, the outer names are enough.
        ends = (self.first.partition(_TO)[0], self.last.rpartition(_TO)[2])
        name = self.first if self.first == self.last else _TO.join(filter(None, ends))
        piece = f"({self.place[0]} of {self.place[1]})" if self.place[1] > 1 else ""
        return " ".join(filter(None, [name, piece]))


def divide(document: Document, division: Division, least: int, most: int) -> list[Part]:
    """Divide a document into parts that follow each other and hold all of it.

    Args:
        document: The document.
        division: `sections`: the highest sections that are no longer than `most`; `paragraphs`:
            each by itself; `length`: stretches of about equal length.
        least: Words below which a part is joined with a neighbour, if both are no longer than
            `most`.
        most: Words above which a part is cut, between paragraphs where possible.
    """
    text = _Text(document)
    if division == "sections":
        found = [piece for top in document.sections for piece in text.fitting(top, most)]
    elif division == "paragraphs":
        found = [text.part(document.section_of(unit.start).title, unit) for unit in text.paragraphs]
    else:
        found = [text.part("", range(len(document.sentences)))]
    pieces = (piece for part in found for piece in text.cut(part, most))
    return _joined(pieces, least, most)


class _Text:
    """A document, measured once."""

    def __init__(self, document: Document) -> None:
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

    def part(self, title: str, sentences: range) -> Part:
        return Part(title, title, sentences, self.words(sentences))

    def fitting(self, section: Section, most: int) -> Iterator[Part]:
        """Yield a section whole if it fits, or else its own text and what is below it."""
        start = self._start_of[section.number]
        own = range(start, start + len(section.sentences))
        count = sum(len(below.sentences) for below in section.walk())
        whole = self.part(section.title, range(start, start + count))
        if whole.words <= most or not section.children:
            if count:
                yield whole
            return
        if own:
            yield self.part(section.title, own)
        for child in section.children:
            yield from self.fitting(child, most)

    def cut(self, part: Part, most: int) -> Iterator[Part]:
        """Yield a part in pieces of about equal length; a sentence is never cut."""
        if part.words <= most:
            yield part
            return
        aim = part.words / ceil(part.words / most)
        stops = []
        start = part.sentences.start
        for unit in self._units(part.sentences, most):
            if unit.start > start:
                held = self.words(range(start, unit.start))
                over = held + self.words(unit)
                if over > most or over - aim > aim - held:
                    stops.append(unit.start)
                    start = unit.start
        bounds = [part.sentences.start, *stops, part.sentences.stop]
        for number in range(1, len(bounds)):
            sentences = range(bounds[number - 1], bounds[number])
            place = (number, len(bounds) - 1)
            yield Part(part.first, part.last, sentences, self.words(sentences), place)

    def _units(self, within: range, most: int) -> Iterator[range]:
        """Yield the paragraphs of a stretch; of one that is too long, its sentences."""
        for paragraph in self.paragraphs:
            unit = range(max(paragraph.start, within.start), min(paragraph.stop, within.stop))
            if unit and self.words(unit) <= most:
                yield unit
            else:
                yield from (range(at, at + 1) for at in unit)


def _joined(parts: Iterator[Part], least: int, most: int) -> list[Part]:
    joined: list[Part] = []
    for part in parts:
        before = joined[-1] if joined else None
        if (
            before is not None
            and min(before.words, part.words) < least
            and before.words + part.words <= most
        ):
            sentences = range(before.sentences.start, part.sentences.stop)
            words = before.words + part.words
            joined[-1] = Part(before.first, part.last, sentences, words)
        else:
            joined.append(part)
    return joined


def weigh(document: Document, parts: Sequence[Part], split: Split) -> list[float]:
    """Return what share each part has in a length: its words, or its importance.

    Importance is the probability to stand in the part on a random walk from sentence to sentence
    by their likeness: PageRank over the whole document (the system `graph`), added up over the
    part. It needs no model, is above 0 for every part, and is linear in the text.
    """
    if split == "length":
        return [float(max(part.words, 1)) for part in parts]
    from longsum.language.centrality import centrality

    ranks = centrality([sentence.text for sentence in document.sentences])
    return [float(ranks[part.sentences.start : part.sentences.stop].sum()) for part in parts]


def apportion(total: int, weights: Sequence[float], least: int = 1) -> list[int]:
    """Divide a length among parts in proportion to their weights; the shares add up to it.

    A part gets no less than `least`, which others give up; where there is not so much for all, the
    lightest get nothing. What rounding leaves goes to the largest remainders (Hamilton's method).

    Raises:
        ValueError: There is no part, or a weight is not above 0.
    """
    if not weights or min(weights) <= 0:
        raise ValueError("Every part needs a weight above 0.")
    heaviest = sorted(range(len(weights)), key=lambda part: (-weights[part], part))
    kept = heaviest[: max(1, total // least)]
    shares = [0] * len(weights)
    left, weight = total, sum(weights[part] for part in kept)
    while len(kept) > 1 and left * weights[kept[-1]] < least * weight:
        shares[kept[-1]] = least
        left -= least
        weight -= weights[kept.pop()]
    exact = {part: left * weights[part] / weight for part in kept}
    for part in kept:
        shares[part] = int(exact[part])
    rest = left - sum(shares[part] for part in kept)
    for part in sorted(kept, key=lambda part: (shares[part] - exact[part], part))[:rest]:
        shares[part] += 1
    return shares
