"""Settings of the system `recursive`, and how much of a document is read at once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from longsum.core.systems.system import System
from longsum.documents.model import Document
from longsum.documents.reading_load import (
    MANY_SENTENCES,
    SENTENCES_OF_A_LIST,
    load,
)
from longsum.language.repeats import first_alike
from longsum.language.words import content_terms, count_words

EXTRACTOR_WORDS = 100_000
"""Words that a neural extractor reads at once, in about 20 seconds on two cores. Time and memory
grow with the text, and progress on a longer one should survive an interruption (docs/books.md)."""
CHAPTER_WORDS = 10_000
"""Default maximum length of a part. Chapters of BookSum have 5,102 words on average (Table 1), and
selection time grows with the square of a part's length."""

# Lines of logs and rows of lists differ in them alone.
_NUMBER = re.compile(r"\d+")

_MARGIN = 0.9
"""Share of a model's estimated word limit that a part may use, as token counts vary."""

Words = Annotated[int, Field(ge=1)]
Division = Literal["sections", "paragraphs", "length"]
Split = Literal["length", "importance"]


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


def worth_reading(document: Document) -> Sequence[int] | None:
    """Return the positions of the sentences to summarize a document from; None for all.

    Where most repeat others, but for their numbers, only the first of each is read. Where sentences
    are as many and have few words each, only those with the most words are, material first.
    """
    sentences = document.sentences
    if len(sentences) <= MANY_SENTENCES:
        return None
    kept: Sequence[int] = sorted(set(first_but_for_numbers(document)))
    if 2 * len(kept) > len(sentences):
        kept = range(len(sentences))
    words = {at: count_words(sentences[at].text) for at in kept}
    total = sum(words.values())
    if len(kept) > MANY_SENTENCES and load(total, len(kept), 0) > total:
        telling = {at: len(content_terms(sentences[at].text)) for at in kept}
        best = sorted(kept, key=lambda at: (not sentences[at].is_material, -telling[at]))
        kept = sorted(best[:SENTENCES_OF_A_LIST])
    return None if len(kept) == len(sentences) else kept


def first_but_for_numbers(document: Document) -> list[int]:
    """Return for each sentence the position of the first with the same words, numbers aside."""
    texts = [_NUMBER.sub("0", sentence.text) for sentence in document.sentences]
    positions: list[int] = first_alike(texts).tolist()
    return positions
