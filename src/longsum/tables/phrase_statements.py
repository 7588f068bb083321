"""What the numbers in a text about any table state: by the phrases of its record types."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from longsum.language.words import stop_words
from longsum.tables.mentions import Mention
from longsum.tables.plain_words import PlainWords
from longsum.tables.spoken_numbers import NUMBER, value_of
from longsum.tables.statement import Statement
from longsum.tables.table import RecordType, Table

REACH = 8
"""How many words may stand between a number and the phrase of its type."""

_NUMBER = re.compile(rf"(?<![^ ])(?:- )?{NUMBER}(?![^ ])(?! (?:st|nd|rd|th)(?![^ ]))")


@dataclass(frozen=True, slots=True)
class _Phrase:
    name: str
    words: frozenset[str]


class PhraseReader:
    """Reads what numbers state in sentences about a table of which only the schema is known.

    A number states the type all of whose words stand near it: behind it up to the next number, or
    before it down to the last one; of several, the one with most words, then the nearest. Numbers
    without one state nothing.

    Args:
        table: The table; a type is known by its phrase without stop words, in any number.
    """

    def __init__(self, table: Table) -> None:
        self._kinds = tuple(dict.fromkeys(entity.kind for entity in table.entities))
        self._phrases = [_phrase(each) for each in table.types if each.kind == "number"]

    def statements(self, text: str, mentions: Sequence[Mention]) -> list[Statement]:
        """Return the statements of a sentence in order; see `StatementReader`."""
        numbers = [
            match
            for match in _NUMBER.finditer(text)
            if not any(each.start < match.end() and match.start() < each.end for each in mentions)
        ]
        found = []
        for place, match in enumerate(numbers):
            first = numbers[place - 1].end() if place else 0
            last = numbers[place + 1].start() if place + 1 < len(numbers) else len(text)
            before = text[first : match.start()].split()[::-1]
            after = text[match.end() : last].split()
            name = self._nearest(before, after)
            if name:
                types = dict.fromkeys(self._kinds, (name,))
                number = match[0].removeprefix("- ")
                sign = -1 if number != match[0] else 1
                start = match.end() - len(number)
                value = sign * value_of(number)
                found.append(Statement(start, match.end(), value, "value", types))
        return found

    def _nearest(self, before: Sequence[str], after: Sequence[str]) -> str | None:
        best: tuple[int, int] = (0, 0)
        name = None
        for phrase in self._phrases:
            for words in (after, before):
                distance = _reach(phrase.words, words)
                if distance is not None and (len(phrase.words), -distance) > best:
                    best, name = (len(phrase.words), -distance), phrase.name
        return name


def _phrase(type_: RecordType) -> _Phrase:
    words = PlainWords(type_.phrase).text.split()
    return _Phrase(
        type_.name,
        frozenset(_stem(word) for word in words if word.isalnum() and word not in stop_words()),
    )


def _reach(wanted: frozenset[str], words: Sequence[str]) -> int | None:
    """Return how far one must go to have seen all words, None if not within `REACH`."""
    missing = set(wanted)
    for distance, word in enumerate(words[: REACH + len(wanted)]):
        missing.discard(_stem(word))
        if not missing:
            return distance
    return None


def _stem(word: str) -> str:
    """Return a word without a plural ending, so that "moon" and "moons" are one."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
