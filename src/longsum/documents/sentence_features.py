"""Positional and lexical features of each sentence, as small integers for embedding tables."""

import math
import re
from collections import Counter
from itertools import chain
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from longsum.documents.model import Document, Kind
from longsum.language.centrality import centrality
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
    "central": 16,
    "names": 8,
    "numbers": 8,
    "kind": 12,
}
"""The features of a sentence, with the number of values of each.

The number of sentences before and after it in document, section and paragraph, in `bucket`s; the
sixteenth of the document that it falls in, and the sixteenth of the sections that its section falls
in; the section's level; its length in groups of four words. Then the number of terms it shares with
the title; and its rank in sixteenths among the document's sentences by the sum, and by the mean, of
the log frequencies of its terms in the document; its PageRank among the sentences relative to the
mean, two values per doubling; how many capitalised words (but the first) and words with digits it
has; and its kind. New features come last, so that models that know fewer can still read theirs.
"""

_COUNTED_FROM = list(PLACES).index("title_words")
_KINDS = {kind: number for number, kind in enumerate(get_args(Kind))}
_DIGITS = re.compile(r"(?<!\S)[^\s\d]*+\d\S*")
_CAPITALISED = re.compile(r"(?<=\s)[^\W\d_a-z]\w*")


def places(document: Document) -> NDArray[np.int32]:
    """Return the features of each sentence, `[sentences, len(PLACES)]`, as in `PLACES`."""
    total, sections = len(document.sentences), document.walk()
    rows: list[list[int]] = []
    for section in sections:
        in_section, section_length = 0, len(section.sentences)
        for paragraph in section.paragraphs:
            for in_paragraph, sentence in enumerate(paragraph):
                at = len(rows)
                rows.append(
                    [
                        bucket(at, 32),
                        bucket(total - 1 - at, 32),
                        16 * at // total,
                        bucket(in_section, 16),
                        bucket(section_length - 1 - in_section, 16),
                        bucket(in_paragraph, 8),
                        bucket(len(paragraph) - 1 - in_paragraph, 8),
                        16 * section.number // len(sections),
                        min(section.level, 5),
                        min(count_words(sentence.text) // 4, 15),
                    ]
                )
                in_section += 1
    placed = np.array(rows, dtype=np.int32).reshape(total, _COUNTED_FROM)
    return np.hstack([placed, _of_words(document), _of_form(document)])


def bucket(value: int, buckets: int) -> int:
    """Return the bucket of a count: itself up to half the buckets, then two per doubling."""
    half = buckets // 2
    if value < half:
        return value
    return min(half + int(2 * math.log2(value / half)), buckets - 1)


def _of_words(document: Document) -> NDArray[np.int32]:
    """Return the features that relate each sentence's words to the document's, `[n, 3]`."""
    term_lists = [content_terms(sentence.text) for sentence in document.sentences]
    sentences = [set(terms) for terms in term_lists]
    counts = Counter(chain.from_iterable(term_lists))
    title = set(content_terms(document.title))
    # The order of a set varies between processes, and rounding would make equal sums differ.
    sums = np.array([math.fsum(math.log(counts[term]) for term in terms) for terms in sentences])
    means = sums / np.array([max(len(terms), 1) for terms in sentences])
    shared = [min(len(terms & title), 7) for terms in sentences]
    columns = (np.array(shared), _sixteenths(sums), _sixteenths(means))
    return np.stack(columns, axis=1).astype(np.int32)


def _of_form(document: Document) -> NDArray[np.int32]:
    """Return centrality, names, numbers and kind of each sentence, `[n, 4]`."""
    texts = [sentence.text for sentence in document.sentences]
    relative = centrality(texts) * len(texts)
    columns = (
        # Equal sentences have a centrality of 1 up to rounding, which depends on the processor.
        np.clip(8 + np.floor(2 * np.log2(relative) + 1e-6), 0, 15),
        [min(len(_CAPITALISED.findall(text)), 7) for text in texts],
        [min(len(_DIGITS.findall(text)), 7) for text in texts],
        [_KINDS[sentence.kind] for sentence in document.sentences],
    )
    return np.stack([np.asarray(column) for column in columns], axis=1).astype(np.int32)


def _sixteenths(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the rank of each value in sixteenths; equal values share a rank."""
    below = np.searchsorted(np.sort(values), values)
    found: NDArray[np.int64] = 16 * below // max(len(values), 1)
    return found
