"""Rule-based entities: names, acronyms, dates, amounts of money, quantities and numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from longsum.language.numerals import numerals
from longsum.language.sentences import split_sentences
from longsum.language.words import stop_words

Span = tuple[int, int]

_ACRONYM = re.compile(r"(?<!\w)(?:(?:[A-Z]\.){2,6}|[A-Z][A-Z0-9]{1,6}(?:-[A-Z0-9]{1,5})?s?)(?!\w)")
_ROMAN = re.compile(r"[IVXLC]+")
_WORD = re.compile(r"(?<!\w)[^\W\d_][\w’'\-]*")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")

_TITLE = re.compile(r"Mr|Mrs|Ms|Dr|Prof|Sen|Rep|Gov|Gen|Col|Lt")
_PARTICLE = re.compile(r"de|van|der|den|von|du|di|da|del|la|le|al|bin")
_BODY = re.compile(
    r"Act|Administration|Agency|Alliance|Association|Authority|Board|Bureau|Cent(?:er|re)s?|Church"
    r"|Club|College|Commission|Committee|Company|Conference|Corporation|Council|Court|Department"
    r"|Directorate|Division|Foundation|Fund|Group|Institut(?:e|ion)|Ministry|Museum|Office"
    r"|Organi[sz]ation|Program(?:me)?|Project|School|Services?|Society|Survey|Trust|Union|University"
)


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    initial: bool

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()


def acronyms(text: str, first: int, last: int) -> Iterator[Span]:
    """Yield the acronyms between two offsets: NASA, U.S., CO2, COVID-19, NGOs.

    An acronym has at least two capitals and at most seven characters before a hyphen. Roman
    numerals and English function words in capitals, as in headings, do not count.
    """
    for match in _ACRONYM.finditer(text, first, last):
        acronym = match.group()
        capitals = sum(character.isupper() for character in acronym)
        common = acronym.lower() in stop_words() and acronym not in ("US", "IT")
        if capitals >= 2 and not common and not _ROMAN.fullmatch(acronym):
            yield match.span()


def names(text: str, taken: Sequence[Span]) -> Iterator[Span]:
    """Yield the names in a text: runs of capitalised words that do not merely open a sentence.

    Args:
        text: Any text.
        taken: Ordered spans of other entities; no name crosses one.

    Between capitalised words, a name may have "of" or "for", also with "the" (Department of the
    Treasury), particles (Ludwig van Beethoven), the full stop of an initial (J. Smith), and "and"
    after an "of" or "for", or if the name ends like that of an institution (Food and Drug
    Administration). Titles (Dr.) are left out, so that all mentions of a person match. The
    first word of a sentence belongs to a name only if the text never writes it in lower case; alone
    it is a name only if the text also capitalises it inside a sentence.
    """
    words = list(_words(text, taken))
    small = {word.text for word in words if not word.capital}
    inside = {word.text for word in words if word.capital and not word.initial}
    for run in _runs(text, words):
        for part in _parts(run):
            if part[0].initial and part[0].text.lower() in small:
                part = part[1:]
            while part and not part[0].capital:
                part = part[1:]
            if part and _is_name(part, inside):
                yield part[0].start, part[-1].end


def _is_name(part: Sequence[_Word], inside: set[str]) -> bool:
    if len(part) > 1:
        return True
    (word,) = part
    numbering = len(word.text) == 1 or _ROMAN.fullmatch(word.text)
    return not numbering and (not word.initial or word.text in inside)


def _words(text: str, taken: Sequence[Span]) -> Iterator[_Word]:
    starts = _sentence_starts(text)
    sentence = 0
    blocked = 0
    previous: _Word | None = None
    for match in _WORD.finditer(text):
        start = match.start()
        while blocked < len(taken) and taken[blocked][1] <= start:
            blocked += 1
        if blocked < len(taken) and taken[blocked][0] < match.end():
            continue
        initial = sentence < len(starts) and starts[sentence] <= start
        while sentence < len(starts) and starts[sentence] <= start:
            sentence += 1
        word = match.group().removesuffix("'s").removesuffix("’s").rstrip("'’-")
        # The splitter may mistake the last word of a sentence for an abbreviation.
        if previous and not previous.capital and text[previous.end] in ".?!":
            initial = True
        previous = _Word(word, start, start + len(word), initial)
        yield previous


def _sentence_starts(text: str) -> list[int]:
    starts: list[int] = []
    begin = 0
    for gap in [*(match.span() for match in _PARAGRAPH.finditer(text)), (len(text), len(text))]:
        starts.extend(begin + start for start, _ in split_sentences(text[begin : gap[0]]))
        begin = gap[1]
    return starts


def _runs(text: str, words: Sequence[_Word]) -> Iterator[list[_Word]]:
    """Yield runs of capitalised words with the lower-case words that names may contain."""
    run: list[_Word] = []
    between: list[_Word] = []
    for word in words:
        previous = between[-1] if between else run[-1] if run else None
        if previous and not _adjoin(text, previous, word):
            yield run
            run, between = [], []
        if word.capital and _may_be_named(text, word):
            run += [*between, word]
            between = []
        elif run and _may_stand_between([*(small.text for small in between), word.text]):
            between.append(word)
        elif run:
            yield run
            run, between = [], []
    if run:
        yield run


def _may_be_named(text: str, word: _Word) -> bool:
    if len(word.text) == 1:
        return text[word.end : word.end + 1] == "." or word.text not in "AI"
    return word.text.lower() not in stop_words() and not _TITLE.fullmatch(word.text)


def _adjoin(text: str, left: _Word, right: _Word) -> bool:
    gap = text[left.end : min(right.start, left.end + 4)]
    if right.start - left.end > len(gap):
        return False
    if gap.startswith("."):
        return (len(left.text) == 1 or left.text == "St") and not gap[1:].strip()
    return gap == " & " or (len(gap) == 1 and gap.isspace())


def _may_stand_between(small: Sequence[str]) -> bool:
    if small[0] in ("of", "for"):
        return small[1:] in ([], ["the"])
    return list(small) == ["and"] or (len(small) <= 2 and all(map(_PARTICLE.fullmatch, small)))


def _parts(run: list[_Word]) -> Iterator[list[_Word]]:
    """Split a run before each "and" that joins two names and is not part of one."""
    begin = 0
    linked = bool(_BODY.fullmatch(run[-1].text))
    for place, word in enumerate(run):
        linked = linked or word.text in ("of", "for")
        if word.text == "and" and not linked:
            yield run[begin:place]
            begin = place
    yield run[begin:]


Kind = Literal["name", "acronym", "date", "money", "quantity", "number"]


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity mentioned in a text.

    Attributes:
        text: Its words as written; `document[start:end] == text` always.
        kind: `name` (people, places, organisations, works alike), `acronym`, `date`, `money`,
            `quantity` (with a unit, or a percentage) or `number`.
        start: Offset of its first code point.
        end: Offset after its last.
    """

    text: str
    kind: Kind
    start: int
    end: int


def entities(text: str) -> list[Entity]:
    """Find the entities of English text, in order and without overlap, in linear time.

    Rules without a model: enough to count and compare entities, not to classify them. Numerals are
    found first (`numerals`), then acronyms and names in the rest. In other languages numbers are
    found, and names if only names are capitalised.
    """
    found: list[tuple[Kind, int, int]] = list(numerals(text))
    found += [
        ("acronym", *span)
        for first, last in _gaps([(start, end) for _, start, end in found], len(text))
        for span in acronyms(text, first, last)
    ]
    found.sort(key=lambda entity: entity[1])
    taken = [(start, end) for _, start, end in found]
    found += [("name", *span) for span in names(text, taken)]
    found.sort(key=lambda entity: entity[1])
    return [Entity(text[start:end], kind, start, end) for kind, start, end in found]


def _gaps(spans: Sequence[Span], length: int) -> Iterator[Span]:
    edges = [0, *(edge for span in spans for edge in span), length]
    return zip(edges[::2], edges[1::2], strict=True)
