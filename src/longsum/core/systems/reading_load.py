"""How much there is to read in a text, and how much of it is read at most.

Prose is measured in words. What is no prose may have any number of sentences without a word, or of
one word each, and a network attends from each to all: the bounds below are far from documents
(of 430 in the shared data sets none has more than 5,500 sentences, none of a thousand sentences
fewer than 6.5 words in each, and in none is more than a third of them repeated).
"""

from longsum.documents.model import Document
from longsum.language.words import count_words

SENTENCES_AT_ONCE = 8_000
"""Sentences that a network reads at once. The time for it grows with the square of their number:
8,000 take about 10 seconds."""
MANY_SENTENCES = 2_500
"""Sentences above which a text is read without its repetitions, if most of them are, and of what is
no prose only the longest are read."""
MANY_CHARACTERS = 300_000
"""Characters above which few sentences without an end are read, if most of a text is in such."""
SENTENCES_OF_A_LIST = 500
"""Sentences that are read of what has more than `MANY_SENTENCES` and is no prose, in some two
seconds."""

_LEAST_WORDS = 6
_MOST_CHARACTERS = 12


def load(words: int, sentences: int, characters: int) -> int:
    """Return the words that a text counts as where it is long: more than it has if it is no prose.

    Args:
        words: Its words.
        sentences: Its number of sentences, each of which counts as six words at least.
        characters: Its length; twelve count as a word at least, and have six to eight in prose.
    """
    return max(words, _LEAST_WORDS * sentences, characters // _MOST_CHARACTERS)


def load_of(document: Document) -> int:
    """Return the words that a document counts as; see `load`."""
    words = sum(count_words(sentence.text) for sentence in document.sentences)
    return load(words, len(document.sentences), len(document.text))


def is_vast(document: Document) -> bool:
    """Return whether not all of a document may be read if it is no prose; see `condensed`."""
    return len(document.sentences) > MANY_SENTENCES or len(document.text) > MANY_CHARACTERS


def is_long(document: Document, limit: int | None) -> bool:
    """Return whether a document is too long for what reads so many words at once."""
    if limit is None:
        return False
    return load_of(document) > limit or len(document.sentences) > SENTENCES_AT_ONCE
