"""Entities by rule: the names, acronyms, dates, sums, quantities and numbers that a text states."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from longsum.language.names import Span, acronyms, names
from longsum.language.numerals import numerals

Kind = Literal["name", "acronym", "date", "money", "quantity", "number"]


@dataclass(frozen=True, slots=True)
class Entity:
    """Something definite that a text mentions.

    Attributes:
        text: Its words as they stand; `document[start:end] == text` always.
        kind: `name` (people, places, bodies, works: not told apart), `acronym`, `date`, `money`,
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

    Rules alone, no model: what to count and compare, not what a thing is. What has digits is found
    first (`numerals`), then acronyms and names (`names`) in what is left. Other languages give
    their numbers, and names where they write only these with capitals.
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
