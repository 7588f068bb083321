"""Words, as counted for budgets and as matched for statistics."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files

# Scripts written without spaces: kana, CJK ideographs (also the supplementary planes), Thai, Lao,
# Khmer and Myanmar. Hangul is written with spaces.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Of these, the scripts of Thai and Lao, of Burmese and Khmer, and the length of their words: 4.1
# characters in Thai, 5.1 and 5.2 in the others (the first article of the Universal Declaration of
# Human Rights, divided by ICU).
_LONG_WORDS = re.compile(r"[\u0e00-\u0eff]+|[\u1000-\u109f\u1780-\u17ff]+")
_THAI_WORD = 4
_KHMER_WORD = 5
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")
_TERM = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['\-][^\W_{_UNSPACED}]+)*")
_LETTERS = re.compile(rf"[^\W_{_UNSPACED}]+")
_TOKEN = re.compile(rf"{_TERM.pattern}|\S")


def count_words(text: str) -> int:
    """Count words, as all budgets, tables and statistics of longsum do.

    A word is a run without white space, as for `wc -w`. In Chinese and Japanese each character is a
    word, as in word processors; Thai, Lao, Khmer and Burmese words have four or five characters (by
    the word lists of ICU), so that a run of these has as many words as that makes.
    """
    if text.isascii():
        return len(text.split())
    spaced, characters = _UNSPACED_CHARACTER.subn(" ", text)
    for run in _LONG_WORDS.findall(text):
        length = _THAI_WORD if run[0] < "\u1000" else _KHMER_WORD
        characters += max(round(len(run) / length), 1) - len(run)
    return characters + len(spaced.split())


def count_unspaced(text: str) -> int:
    """Return the number of Chinese and Japanese characters, each of which counts as a word."""
    if text.isascii():
        return 0
    return len(_UNSPACED_CHARACTER.findall(text)) - sum(map(len, _LONG_WORDS.findall(text)))


def count_tokens(text: str) -> int:
    """Count words and punctuation marks, each mark separately."""
    return len(_TOKEN.findall(text.replace("’", "'")))


def terms(text: str) -> list[str]:
    """Split text into lower-cased terms: letters and digits, with inner apostrophes and hyphens.

    Punctuation is left out. This is the unit of topics, keywords, embeddings and similarity.
    """
    return _TERM.findall(text.lower().replace("’", "'"))


def has_longer_word(text: str, most: int) -> bool:
    """Return whether a word of a script with spaces has more than `most` letters and digits."""
    long = (run for run in text.split() if len(run) > most)
    return any(len(word) > most for run in long for word in _LETTERS.findall(run))


def ngrams(tokens: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    """Yield the n-grams of a list of tokens."""
    return zip(*(tokens[shift:] for shift in range(n)), strict=False)


def placed_terms(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the start, the end and the lower-cased form of each term of a text."""
    for match in _TERM.finditer(text.replace("’", "'")):
        yield *match.span(), match[0].lower()


@cache
def word_list(package: str, name: str) -> frozenset[str]:
    """Return the words in a file beside the modules of a package."""
    return frozenset(files(package).joinpath(name).read_text(encoding="utf-8").split())


@cache
def stop_words() -> frozenset[str]:
    """Return the English function words that carry no topic (`stop_words.txt`)."""
    return word_list("longsum.language", "stop_words.txt")


def content_terms(text: str) -> list[str]:
    """Return the terms of `text` except stop words, single letters and numbers.

    A single character is kept if it is not ASCII, since it is a word in some scripts.
    """
    return list(_content_terms(text))


@lru_cache(maxsize=1024)
def _content_terms(text: str) -> tuple[str, ...]:
    """Cached, since everything that compares sentences needs those of each."""
    stop = stop_words()
    return tuple(
        term
        for term in terms(text)
        if term not in stop and (len(term) > 1 or not term.isascii()) and not term.isdigit()
    )
