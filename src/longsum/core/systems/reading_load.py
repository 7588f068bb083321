"""How much there is to read in a text, and the limits on what is read.

Prose is measured in words. Other text may have any number of sentences with no word, or one, and a
network attends from each to all: the limits below are far from real documents (of 430 in the shared
data sets, none has more than 5,500 sentences, none with a thousand sentences has fewer than 6.5
words per sentence, and in none are more than a third of them repetitions).
"""

from longsum.documents.model import Document
from longsum.language.words import count_words

SENTENCES_AT_ONCE = 8_000
"""Sentences that a network reads at once. The time grows with the square of their number:
8,000 take about 10 seconds."""
MANY_SENTENCES = 2_500
"""Sentences above which a text is read without repetitions, if those are the majority, and only the
longest sentences are read if it is not prose."""
MANY_CHARACTERS = 300_000
"""Characters above which few endless sentences are read, if they make up most of a text."""
SENTENCES_OF_A_LIST = 500
"""Sentences that are read if there are more than `MANY_SENTENCES` and they are not prose, in about
two seconds."""

_LEAST_WORDS = 6
_MOST_CHARACTERS = 12


def load(words: int, sentences: int, characters: int) -> int:
    """Return the effective words of a long text, more than it has if it is not prose.

    Args:
        words: Its words.
        sentences: Its number of sentences, each of which counts as at least six words.
        characters: Its length; every twelve count as at least one word (six to eight in prose).
    """
    return max(words, _LEAST_WORDS * sentences, characters // _MOST_CHARACTERS)


def load_of(document: Document) -> int:
    """Return the effective words of a document; see `load`."""
    words = sum(count_words(sentence.text) for sentence in document.sentences)
    return load(words, len(document.sentences), len(document.text))


def is_vast(document: Document) -> bool:
    """Return whether parts of a document are skipped unless it is prose; see `condensed`."""
    return len(document.sentences) > MANY_SENTENCES or len(document.text) > MANY_CHARACTERS


def is_long(document: Document, limit: int | None) -> bool:
    """Return whether a document is too long for a reader with a limit of words."""
    if limit is None:
        return False
    return load_of(document) > limit or len(document.sentences) > SENTENCES_AT_ONCE
