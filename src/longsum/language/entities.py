"""Rule-based entities: names, acronyms, dates, amounts of money, quantities and numbers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from longsum.common.errors import LongsumError
from longsum.language.numerals import numerals
from longsum.language.proper_names import Span, acronyms, names

Kind = Literal["name", "acronym", "date", "money", "quantity", "number"]
_KINDS: Mapping[str, Kind] = {
    "DATE": "date",
    "TIME": "date",
    "MONEY": "money",
    "PERCENT": "quantity",
    "QUANTITY": "quantity",
    "CARDINAL": "number",
    "ORDINAL": "number",
}
"""What spaCy's labels of OntoNotes are here; every other label is a `name`."""


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
    found first (`numerals`), then acronyms and names (`proper_names`) in the rest. In other
    languages numbers are found, and names if only names are capitalised.
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


def spacy_entities(pipeline: Callable[[str], Any], text: str) -> list[Entity]:
    """Return the entities that a spaCy pipeline finds, as `longsum.language.entities` does."""
    return [
        Entity(found.text, _KINDS.get(found.label_, "name"), found.start_char, found.end_char)
        for found in pipeline(text).ents
    ]


def load_pipeline(name: str) -> Callable[[str], Any]:
    """Load an installed spaCy model, such as `en_core_web_sm`; nothing is fetched.

    Raises:
        LongsumError: spaCy or the model is not installed.
    """
    try:
        import spacy

        pipeline: Callable[[str], Any] = spacy.load(name)
    except (ImportError, OSError):
        raise LongsumError(
            f"The spaCy model '{name}' is not installed; run pip install spacy && python -m spacy "
            f"download {name}, or leave it out to find entities by rules."
        ) from None
    return pipeline
