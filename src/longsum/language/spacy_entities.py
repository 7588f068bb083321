"""Entities of a spaCy pipeline, where spaCy and a model of its are installed."""

from collections.abc import Callable, Mapping
from typing import Any

from longsum.errors import LongsumError
from longsum.language.entities import Entity, Kind

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
