"""What is known of each sentence besides its words, as small whole numbers to be looked up."""

import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from longsum.documents.model import Document
from longsum.language.words import content_terms, count_words

PLACES: dict[str, int] = {
    "from_start": 32,
    "from_end": 32,
    "part": 16,
    "in_section": 16,
    "to_section_end": 16,
    "in_paragraph": 8,
    "to_paragraph_end": 8,
    "section_part": 16,
    "level": 6,
    "words": 16,
    "title_words": 8,
    "common_words": 16,
    "commonness": 16,
}
"""What is told of a sentence, and how many values each may take.

Sentences before and after it in document, section and paragraph, each in `bucket`s; in which
sixteenth of the document it stands, and in which sixteenth of the sections its section; the
section's level; its words, in fours. Then how many of its terms the title has; and among the
document's sentences, in which sixteenth it comes by the sum, and by the mean, of the logarithms of
its terms' frequencies in the document.
"""


_OF_WORDS = 3


def places(document: Document) -> NDArray[np.int32]:
    """Return what is known of each sentence, `[sentences, len(PLACES)]`, as `PLACES` lists it."""
    total, sections = len(document.sentences), document.walk()
    rows: list[list[int]] = []
    for section in sections:
        in_section, own = 0, len(section.sentences)
        for paragraph in section.paragraphs:
            for in_paragraph, sentence in enumerate(paragraph):
                at = len(rows)
                rows.append(
                    [
                        bucket(at, 32),
                        bucket(total - 1 - at, 32),
                        16 * at // total,
                        bucket(in_section, 16),
                        bucket(own - 1 - in_section, 16),
                        bucket(in_paragraph, 8),
                        bucket(len(paragraph) - 1 - in_paragraph, 8),
                        16 * section.number // len(sections),
                        min(section.level, 5),
                        min(count_words(sentence.text) // 4, 15),
                    ]
                )
                in_section += 1
    placed = np.array(rows, dtype=np.int32).reshape(total, len(PLACES) - _OF_WORDS)
    return np.hstack([placed, _of_words(document)])


def bucket(value: int, buckets: int) -> int:
    """Return where a count falls: itself up to half of the buckets, then two for each doubling."""
    half = buckets // 2
    if value < half:
        return value
    return min(half + int(2 * math.log2(value / half)), buckets - 1)


def _of_words(document: Document) -> NDArray[np.int32]:
    """Return what the words of each sentence have to do with those of the document, `[n, 3]`."""
    sentences = [set(content_terms(sentence.text)) for sentence in document.sentences]
    counts = Counter(
        term for sentence in document.sentences for term in content_terms(sentence.text)
    )
    title = set(content_terms(document.title))
    # A set's order is another in each process, and what rounding made of it would part equal sums.
    sums = np.array([math.fsum(math.log(counts[term]) for term in terms) for terms in sentences])
    means = sums / np.array([max(len(terms), 1) for terms in sentences])
    shared = [min(len(terms & title), 7) for terms in sentences]
    columns = (np.array(shared), _sixteenths(sums), _sixteenths(means))
    return np.stack(columns, axis=1).astype(np.int32)


def _sixteenths(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return in which sixteenth of the values each comes; equal values come together."""
    below = np.searchsorted(np.sort(values), values)
    found: NDArray[np.int64] = 16 * below // max(len(values), 1)
    return found
