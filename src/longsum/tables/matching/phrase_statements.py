"""What the numbers in a text about any table state, by the phrases of its record types."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longsum.language.words import stop_words
from longsum.tables.matching.mentions import Mention, Statement
from longsum.tables.matching.plain_words import PlainWords, Span
from longsum.tables.matching.spoken_numbers import NUMBER, value_of
from longsum.tables.table import RecordType, Table

REACH = 8
"""How many words may be between a number and the phrase of its type."""

NAME = "@"
"""What stands for a name."""

_COUNTED = re.compile(r"(?:the )?(?:number|count) of (?=\w)")
_NUMBER = re.compile(rf"(?<![^ ])(?:- )?{NUMBER}(?![^ ])(?! (?:st|nd|rd|th)(?![^ ]))")


@dataclass(frozen=True, slots=True)
class _Phrase:
    name: str
    words: frozenset[str]


class PhraseReader:
    """Reads what numbers state in sentences about a table that is known only by its schema.

    A number states the type all of whose words are near it: after it up to the next number, or
    before it back to the previous one; a name between counts as one word. Of several types it is
    the nearest, each further word of a phrase making up for a word of distance; but "146 moons"
    states the number of moons. Numbers without a type, and those in units ("× 10²⁴ kg"), state
    nothing.

    Args:
        table: The table; a type is recognized by its phrase without stop words, singular or plural.
    """

    def __init__(self, table: Table) -> None:
        self._kinds = tuple(dict.fromkeys(entity.kind for entity in table.entities))
        self._phrases = [_phrase(each) for each in table.types if each.kind == "number"]
        self._counted = dict(_counted(table))
        units = {PlainWords(each.unit).text for each in table.types if each.unit}
        known = "|".join(re.escape(unit) for unit in sorted(units, key=len, reverse=True))
        self._units = re.compile(rf"(?<![^ ])(?:{known})(?![^ ])" if known else r"(?!)")

    def statements(self, text: str, mentions: Sequence[Mention]) -> list[Statement]:
        """Return the statements of a sentence in order; see `StatementReader`."""
        names = [(each.start, each.end) for each in mentions]
        taken = [*names, *(match.span() for match in self._units.finditer(text))]
        numbers = [
            match
            for match in _NUMBER.finditer(text)
            if not any(start < match.end() and match.start() < end for start, end in taken)
        ]
        found = []
        for place, match in enumerate(numbers):
            first = numbers[place - 1].end() if place else 0
            last = numbers[place + 1].start() if place + 1 < len(numbers) else len(text)
            before = _words(text, first, match.start(), names)[::-1]
            after = _words(text, match.end(), last, names)
            name = self._count(after) or self._nearest(before, after)
            if name:
                number = match[0].removeprefix("- ")
                sign = 1 if number == match[0] else -1
                start = match.end() - len(number)
                types = dict.fromkeys(self._kinds, (name,))
                value = sign * value_of(number)
                found.append(Statement(start, match.end(), value, "value", types))
        return found

    def _count(self, after: Sequence[str]) -> str | None:
        """Return the type that counts what directly follows a number: `146 moons`."""
        stems = tuple(map(_stem, after))
        return next((n for words, n in self._counted.items() if stems[: len(words)] == words), None)

    def _nearest(self, before: Sequence[str], after: Sequence[str]) -> str | None:
        found = [
            (distance - len(phrase.words), -len(phrase.words), phrase.name)
            for phrase in self._phrases
            for words in (after, before)
            if (distance := _reach(phrase.words, words)) is not None
        ]
        return min(found)[2] if found else None


def _words(text: str, first: int, last: int, names: Sequence[Span]) -> list[str]:
    """Return the words of a part of a sentence, with each name as one word."""
    parts = []
    for start, end in names:
        if first <= start and end <= last:
            parts += [text[first:start], NAME]
            first = end
    return " ".join((*parts, text[first:last])).split()


def _phrase(type_: RecordType) -> _Phrase:
    words = PlainWords(type_.phrase).text.split()
    return _Phrase(
        type_.name,
        frozenset(_stem(word) for word in words if word.isalnum() and word not in stop_words()),
    )


def _counted(table: Table) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what the types count, in words without plural endings, with their names."""
    for type_ in table.types:
        phrase = PlainWords(type_.phrase).text.lower()
        if type_.kind == "number" and (match := _COUNTED.match(phrase)):
            yield tuple(map(_stem, phrase[match.end() :].split())), type_.name


def _reach(wanted: frozenset[str], words: Sequence[str]) -> int | None:
    """Return the distance within which all words occur, None if beyond `REACH`."""
    missing = set(wanted)
    for distance, word in enumerate(words[: REACH + len(wanted)]):
        missing.discard(_stem(word))
        if not missing:
            return distance
    return None


def _stem(word: str) -> str:
    """Return a word without a plural ending, so that "moon" and "moons" are the same."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
