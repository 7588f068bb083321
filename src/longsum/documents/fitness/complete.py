"""Tells complete sentences from fragments: broken lines, formulas, answers of a word or two."""

import re
from functools import cache
from importlib.resources import files
from unicodedata import category

from longsum.language.prose import ends_as_sentence, opens_lower
from longsum.language.words import count_unspaced, count_words

_FEWEST_WORDS = 5
_MOST_WORDS = 80
_MOST_CHARACTERS = 200
_MIN_LETTERS = 0.7
_MIN_LETTERS_WITH_VERB = 0.5
_LONGEST_END = 40
# A sentence that is broken off, as transcripts mark it.
_BROKEN_OFF = re.compile(r"(?:--|—|–|\{\w+\}|\.\.\. ?\?)\W*\Z")
# What opens the rest of a sentence.
_MIDDLE = ("..", "…", ";", ",", ")", "]", "”", "’,")
_LOWER = re.compile(r"(?<![\w'’-])(?![A-Z])[\w'’-]+")
_BARE = re.compile(r"[\w'’-]+")
_SUBJECT_WORDS = """
everybody everyone he i it nobody nothing she someone something that there these they
this those we who you
"""
_SUBJECTS = frozenset(_SUBJECT_WORDS.split())
_CONTRACTED = ("'m", "'s", "'re", "'ll", "'ve", "'d", "n't")


def is_complete(sentence: str, *, lower: bool = False, english: bool = True) -> bool:
    """Return whether a text has the form of a complete sentence.

    It has at most 80 words (in Chinese and Japanese 200 characters), is mostly letters, ends like a
    sentence, opens neither in lower case (but with a name) nor with the marks of what was left out
    before, and closes the parentheses that it opens and no other. One of fewer than five words
    needs a verb as well, which only English ones are known to have.

    Args:
        sentence: The text.
        lower: Whether the text around it is written without capitals.
        english: Whether it is in English.
    """
    words = count_words(sentence)
    most = _MOST_CHARACTERS if 2 * count_unspaced(sentence) > words else _MOST_WORDS
    if not ends_as_sentence(sentence) or not 0 < words <= most:
        return False
    if _BROKEN_OFF.search(sentence[-_LONGEST_END:]) or (not lower and opens_lower(sentence)):
        return False
    if sentence.startswith(_MIDDLE):
        return False
    opened, closed = sentence.count("("), sentence.count(")")
    if opened > closed or (opened < closed and sentence.rstrip(".").endswith(")")):
        return False
    least = _MIN_LETTERS_WITH_VERB if english and has_verb(sentence) else _MIN_LETTERS
    if _letters(sentence) < least * sum(map(len, sentence.split())):
        return False
    return words >= _FEWEST_WORDS or not english or has_verb(sentence)


def _letters(text: str) -> int:
    """Count letters, and the vowel signs of the scripts that write them as marks."""
    letters = sum(map(str.isalpha, text))
    if text.isascii():
        return letters
    return letters + sum(category(character)[0] == "M" for character in text)


def has_verb(text: str) -> bool:
    """Return whether a short English text has a verb: a common one, or a word after a subject.

    There is no tagger: `Rain fell.` has one, as `fell` is known; `Frogs spawn.` is missed.
    """
    words = [word.replace("’", "'").lower() for word in _BARE.findall(text)]
    if any(word in _common_verbs() or word.endswith(_CONTRACTED) for word in words):
        return True
    if any(len(word) > 4 and word.endswith("ed") for word in _LOWER.findall(text)):
        return True
    return any(word in _SUBJECTS for word in words[:-1])


@cache
def _common_verbs() -> frozenset[str]:
    """Return the commonest English verbs in their forms (`common_verbs.txt`)."""
    text = (
        files("longsum.documents.fitness").joinpath("common_verbs.txt").read_text(encoding="utf-8")
    )
    return frozenset(text.split())
