"""Which relations a sentence might state: every pair of a name and a number in it.

The extractor of Wiseman et al. (2017) decides for each pair which record type it states, if any. It
learns from the cells of tables alone: a pair is an example of all types for which the entity has
that value, or of none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from longsum.tables.matching.matcher import ReadSentence
from longsum.tables.matching.plain_words import Span
from longsum.tables.matching.spoken_numbers import NUMBER, value_of
from longsum.tables.table import Table

_NUMBER = re.compile(rf"(?<![^ ])(?P<number>{NUMBER})(?![^ ])")
# Of "three - pointers" the number says which shots, not how many. The released code meant to leave
# these out, and by a negation too many left out all other numbers in words.
_OF_SHOTS = re.compile(r"(?:three|3)(?: -)? (?:points?|pt|pts|pointers?)(?![^ ])")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name and a number of one sentence.

    Attributes:
        entity: The name of the entity.
        name: The words of the name in the sentence, from the first to after the last.
        value: The number.
        number: The words of the number.
        types: The names of the record types for which the entity has this value; none if no cell
            fits.
    """

    entity: str
    name: Span
    value: int
    number: Span
    types: tuple[str, ...]


def candidates(read: ReadSentence, table: Table) -> list[Candidate]:
    """Return the candidates of a sentence, ordered by names and then by numbers.

    Pronouns are left out, as by Wiseman et al., and so are numbers that are not whole.

    The words of the sentence are those of `PlainWords`.
    """
    text = read.words.text
    numbers = list(_numbers(text))
    return [
        Candidate(
            named.entity,
            _words(text, named.start, named.end),
            value,
            span,
            _types_with(value, named.entity, table),
        )
        for named in read.named
        if named.entity and not named.pronoun
        for value, span in numbers
    ]


def _numbers(text: str) -> Iterator[tuple[int, Span]]:
    for match in _NUMBER.finditer(text):
        value = value_of(match["number"])
        if value == int(value) and not _OF_SHOTS.match(text, match.start()):
            yield int(value), _words(text, *match.span())


def _words(text: str, start: int, end: int) -> Span:
    """Return which words, from 0, a span of characters covers."""
    first = text.count(" ", 0, start)
    return first, first + text.count(" ", start, end) + 1


def _types_with(value: int, entity: str, table: Table) -> tuple[str, ...]:
    records = (table.records[index] for index in table.of_entity(entity))
    return tuple(record.type.name for record in records if record.number == value)
