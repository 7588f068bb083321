"""Settings of the system `recursive`, and the reading limits of systems."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from longsum.core.recursive.parts import Division, Split
from longsum.core.systems.system import System
from longsum.documents.model import Document

EXTRACTOR_WORDS = 100_000
"""Words that a neural extractor reads at once, in about 20 seconds on two cores. Time and memory
grow with the text, and progress on a longer one should survive an interruption (docs/books.md)."""
CHAPTER_WORDS = 10_000
"""Default maximum length of a part. Chapters of BookSum have 5,102 words on average (Table 1), and
selection time grows with the square of a part's length."""

_MARGIN = 0.9
"""Share of a model's estimated word limit that a part may use, as token counts vary."""

Words = Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True)
class RecursiveConfig:
    """Settings of the system `recursive`.

    Attributes:
        chapters: Summarizes a part: a recipe's name, or the folder or id of a model.
        whole: Summarizes the whole from the summaries of the parts; None joins summaries of the
            parts, each with its share of the length (BookSum's divide and conquer).
        chapters_settings: Settings of `chapters`.
        whole_settings: Settings of `whole`.
        division: Parts are `sections`, `paragraphs`, or stretches of equal `length`.
        split: Whether a level's length is divided among the parts by their `length` or
            `importance`.
        compression: Length of a level relative to the text below it; 0.1 in BookSum's chapter
            summaries (505 of 5,102 words, Table 1).
        undivided: Maximum words of a document that is not divided; None for the limit of `whole`.
        whole_words: Maximum words of part summaries that `whole` reads; longer ones are summarized
            once more. None for its own limit: that of a model, 100,000 for an extractor, no limit
            for others.
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


def reads_at_once(system: System, document: Document) -> int | None:
    """Return the maximum words of such a document that a system reads; None for no limit."""
    read = system.words_read(document)
    if read is not None:
        return max(1, int(_MARGIN * read))
    return EXTRACTOR_WORDS if system.neural else None


def longest_part(system: System, document: Document) -> int:
    """Return the default maximum words of a part of such a document."""
    return min(reads_at_once(system, document) or CHAPTER_WORDS, CHAPTER_WORDS)
