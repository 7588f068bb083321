"""Sections that sum up their own document, as references: weak supervision for more genres.

Conclusions, abstracts and introductions are written for readers of the document, not by annotators,
so they exist in every genre that has sections. Sentences are extracted from the document without
the section; the section's text is the reference.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from longsum.documents.model import Document, Section
from longsum.documents.subset import subset
from longsum.evaluation.datasets.info import Example
from longsum.language.words import count_words

# In order of preference: a section late in a document sums up more of it.
_TITLES = tuple(
    re.compile(rf"\W*(?:[\dIVXA-Z]{{1,4}}[.)]?\s+)?(?:{titles})\W*", re.IGNORECASE)
    for titles in (
        r"conclusions?|concluding remarks|summary and conclusions?|conclusions? and \w+(?: \w+)?",
        r"(?:executive )?summary|abstract|highlights|key (?:points|concepts|terms)|synopsis",
        r"overview|introduction|motivation",
    )
)
_FEWEST_WORDS, _MOST_WORDS = 40, 700
# The rest of the document is at least this many times as long.
_REST = 4


def with_own_sections(
    examples: Iterable[Example], share: float, seed: int = 0
) -> Iterator[Example]:
    """Yield examples, and for a share of them a second one whose reference is one of its sections.

    `share` is the probability of a second one, for an example with such a section.
    """
    for number, example in enumerate(examples):
        yield example
        if np.random.default_rng((seed, number)).random() < share:
            section = _own_summary(example.document)
            if section is not None:
                yield _with_reference(example, section)


def _own_summary(document: Document) -> Section | None:
    """Return the section that best sums up a document; None if none has a suitable length."""
    total = sum(count_words(sentence.text) for sentence in document.sentences)
    sections = document.walk()
    for titles in _TITLES:
        for section in reversed(sections):
            if titles.fullmatch(section.title) is None:
                continue
            words = count_words(_text(section))
            if _FEWEST_WORDS <= words <= _MOST_WORDS and words * (_REST + 1) <= total:
                return section
    return None


def _text(section: Section) -> str:
    return "\n".join(sentence.text for part in section.walk() for sentence in part.sentences)


def _with_reference(example: Example, section: Section) -> Example:
    document, within = example.document, {part.number for part in section.walk()}
    rest = [
        place
        for place in range(len(document.sentences))
        if document.section_of(place).number not in within
    ]
    return replace(example, document=subset(document, rest), references=(_text(section),))
