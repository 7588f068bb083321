"""Keywords of one document by RAKE (Rose et al. 2010)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longsum.language.words import stop_words, terms

_LONGEST_PHRASE = 4
# Besides stop words, punctuation ends a phrase, unless it is inside a word.
_BREAK = re.compile(r"[^\w\s'’\-]|\s-+\s|_")


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword.

    Attributes:
        phrase: Its terms.
        count: How often it occurs as a candidate in the text.
        score: RAKE's score, the sum of degree / frequency of its terms.
    """

    phrase: tuple[str, ...]
    count: int
    score: float

    def __str__(self) -> str:
        return " ".join(self.phrase)


def candidate_phrases(sentence: str) -> list[tuple[str, ...]]:
    """Return the runs of content terms between stop words and punctuation, in order.

    Numbers and single letters alone are not candidates; runs of more than four terms, mostly
    headings and lists, are left out.
    """
    stop = stop_words()
    phrases: list[tuple[str, ...]] = []
    for clause in _BREAK.split(sentence):
        run: list[str] = []
        for term in [*terms(clause), ""]:
            if term and term not in stop:
                run.append(term)
                continue
            if run and len(run) <= _LONGEST_PHRASE and any(_carries_meaning(word) for word in run):
                phrases.append(tuple(run))
            run = []
    return phrases


def rake(sentences: Iterable[str], count: int = 50) -> tuple[Keyword, ...]:
    """Return the most frequent keywords of a text (MLS, §2.2 A: the 50 most frequent, by RAKE).

    Candidates and scores are RAKE's, ordered by frequency as in the paper, then by score, then by
    first use.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        counts.update(candidate_phrases(sentence))
    frequency: Counter[str] = Counter()
    degree: Counter[str] = Counter()
    for phrase, times in counts.items():
        for term in phrase:
            frequency[term] += times
            degree[term] += times * len(phrase)
    keywords = [
        Keyword(phrase, times, sum(degree[term] / frequency[term] for term in phrase))
        for phrase, times in counts.items()
    ]
    keywords.sort(key=lambda keyword: (-keyword.count, -keyword.score))
    return tuple(keywords[:count])


def keyword_counts(sentences: Sequence[str], keywords: Sequence[Keyword]) -> NDArray[np.float64]:
    """Return how often each keyword occurs in each sentence, `[sentences, keywords]`.

    A keyword occurs wherever its terms are consecutive, even inside a longer phrase.
    """
    place = {keyword.phrase: column for column, keyword in enumerate(keywords)}
    lengths = sorted({len(keyword.phrase) for keyword in keywords})
    counts = np.zeros((len(sentences), len(keywords)))
    for row, sentence in enumerate(sentences):
        words = terms(sentence)
        for length in lengths:
            for start in range(len(words) - length + 1):
                column = place.get(tuple(words[start : start + length]))
                if column is not None:
                    counts[row, column] += 1
    return counts


def _carries_meaning(term: str) -> bool:
    return not term.isdigit() and (len(term) > 1 or not term.isascii())
