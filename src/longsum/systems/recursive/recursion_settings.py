"""Settings of the system `recursive`, and how much a system reads at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from longsum.documents.model import Document
from longsum.systems.recursive.parts import Division, Split
from longsum.systems.system import System

EXTRACTOR_WORDS = 100_000
"""Words that a neural extractor reads at once: about 20 seconds on two cores. Time and memory grow
with the text, and what is done of a longer one should outlast an interruption (docs/books.md)."""
CHAPTER_WORDS = 10_000
"""The longest part, unless a setting says otherwise. Chapters of BookSum have 5,102 words on
average (Table 1), and the time of choosing grows with the square of a part."""

_SURE = 0.9
"""Share of what a model is said to read that a part may take, as some text has more tokens."""

Words = Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True)
class RecursiveConfig:
    """Settings of the system `recursive`.

    Attributes:
        chapters: What summarizes a part: a recipe's name, or the folder or id of a model.
        whole: What makes the summary of the whole from those of the parts; None joins summaries of
            the parts, each with its share of the length (BookSum's divide and conquer).
        chapters_settings: Settings of `chapters`.
        whole_settings: Settings of `whole`.
        division: Parts are `sections`, `paragraphs`, or stretches of equal `length`.
        split: A level's length is divided among the parts by their `length` or `importance`.
        compression: Words of a level for each word of the text below it; BookSum's chapter
            summaries have 0.1 (505 of 5,102 words, Table 1).
        undivided: Words up to which a document is read at once; None is what `whole` reads.
        whole_words: Words up to which `whole` takes the summaries of the parts; longer ones are
            summarized once more. None is what it reads: a model as far as it can, an extractor
            100,000, others without limit.
        part_words: The longest part; None is 10,000, or what `chapters` reads if that is less.
        least_words: A part that is shorter is joined with a neighbour.
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
    """Return how many words of such a document a system reads well; None if all."""
    read = system.words_read(document)
    if read is not None:
        return max(1, int(_SURE * read))
    return EXTRACTOR_WORDS if system.neural else None


def longest_part(system: System, document: Document) -> int:
    """Return how many words of such a document the longest part has, where no setting says so."""
    return min(reads_at_once(system, document) or CHAPTER_WORDS, CHAPTER_WORDS)
