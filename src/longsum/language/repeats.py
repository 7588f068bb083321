"""Finds sentences of a text with the same words, or that say almost the same."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from longsum.language.words import content_terms

_CONTAINED = 0.8
_FEWEST_TERMS, _MOST_TERMS = 4, 200
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATION = re.compile(
    r"\b(?:no|not|none|never|nor|neither|nobody|nothing|without|cannot|fail(?:s|ed)?)\b|n['’]t\b",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """Normalise a sentence for comparison: lower case, single spaces, no final punctuation.

    Compatibility characters (ligatures, full width) are equal to their plain forms (NFKC).
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.casefold().split()).rstrip(".?! ")


def first_alike(sentences: Sequence[str]) -> NDArray[np.int64]:
    """Return for each sentence the position of the first with the same words, `[n]`."""
    first: dict[str, int] = {}
    places = [first.setdefault(plain(text), place) for place, text in enumerate(sentences)]
    return np.array(places, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _Content:
    """The content of a sentence, for comparison.

    Its features are content terms and pairs of successive ones, ordered from the rarest in the
    text; `all` is the same as a set.
    """

    rarest: tuple[str, ...]
    all: frozenset[str]
    numbers: frozenset[str]
    negations: int
    asks: bool

    @property
    def prefix(self) -> tuple[str, ...]:
        """The rarest features, one of which must be in any set that contains 80 % of all."""
        return self.rarest[: len(self.rarest) - math.ceil(_CONTAINED * len(self.rarest)) + 1]

    def is_within(self, other: "_Content") -> bool:
        """Return whether another sentence says almost all of it, with the same numbers."""
        return (
            self.numbers <= other.numbers
            and (self.negations, self.asks) == (other.negations, other.asks)
            and len(self.all & other.all) >= _CONTAINED * len(self.all)
        )


class Repetitions:
    """An index of the sentences of a text that say almost the same.

    One of two sentences repeats the other if at least 80 % of its content terms and pairs of
    neighbouring ones occur in the other. Sentences with different numbers or negations differ, as
    do questions and statements, and all with fewer than four or more than 200 content terms.

    An occurrence among the rarest fifth of these features is necessary, so that only sentences that
    share a rare feature are compared (prefix filtering: Chaudhuri, Ganti & Kaushik 2006, *A
    primitive operator for similarity joins in data cleaning*).
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        term_lists = [content_terms(text) for text in sentences]
        features = [
            dict.fromkeys([*terms, *map(" ".join, pairwise(terms))])
            if len(set(terms)) >= _FEWEST_TERMS and len(terms) <= _MOST_TERMS
            else {}
            for terms in term_lists
        ]
        counts = Counter(chain.from_iterable(features))
        self._contents = [
            _Content(
                tuple(sorted(sorted(each), key=counts.__getitem__)),
                frozenset(each),
                frozenset(_NUMBER.findall(text)),
                len(_NEGATION.findall(text)),
                "?" in text[-3:],
            )
            for text, each in zip(sentences, features, strict=True)
        ]
        self._having: dict[str, list[int]] = {}
        self._led_by: dict[str, list[int]] = {}
        for place, content in enumerate(self._contents):
            for feature in content.all:
                self._having.setdefault(feature, []).append(place)
            for feature in content.prefix:
                self._led_by.setdefault(feature, []).append(place)

    def of(self, sentence: int) -> NDArray[np.int64]:
        """Return the sentences that repeat a sentence, or are repeated by it, in order.

        The sentence itself is left out.
        """
        content = self._contents[sentence]
        if not content.all:
            return np.zeros(0, dtype=np.int64)
        longer = {place for feature in content.prefix for place in self._having[feature]}
        shorter = {place for feature in content.all for place in self._led_by.get(feature, ())}
        repeating = {place for place in longer if content.is_within(self._contents[place])}
        repeating |= {place for place in shorter if self._contents[place].is_within(content)}
        return np.array(sorted(repeating - {sentence}), dtype=np.int64)

    def are_alike(self, one: int, other: int) -> bool:
        """Return whether one of two sentences repeats the other."""
        first, second = self._contents[one], self._contents[other]
        known = bool(first.all and second.all)
        return known and (first.is_within(second) or second.is_within(first))
