"""Headings that promise something: recommendations, findings, totals.

Under such a heading, readers look for what it promises. This is often stated in a few words, which
an extractor trained on whole documents ranks low.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Mask


@dataclass(frozen=True, slots=True)
class HeadingKind:
    """A kind of heading.

    Attributes:
        question: The question that it promises to answer, in our words.
        title: Matches headings of the kind.
        answer: Matches sentences that answer the question.
    """

    question: str
    title: re.Pattern[str]
    answer: re.Pattern[str]

    def answers(self, sentences: Sequence[str]) -> Mask:
        """Return whether each sentence answers the question, by its words, `[n]`."""
        return np.array([self.answer.search(text) is not None for text in sentences], dtype=bool)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


KINDS = (
    HeadingKind(
        "What is recommended?",
        _pattern(r"\brecommend(?:ation|ed|s)|\badvice\b|\bpolicy options\b"),
        _pattern(r"\brecommend|\b(?:should|must|ought to|urge[sd]?|advise[sd]?|needs? to)\b"),
    ),
    HeadingKind(
        "What was found?",
        _pattern(r"\bfindings?\b|\bconclusions?\b|\bresults\b"),
        _pattern(
            r"\b(?:we|study|survey|analysis|report|review|results?|data|authors?|agency) \w{0,12} ?"
            r"(?:find|found|show|suggest|indicat|reveal|identif|demonstrat|conclud|observ)"
            r"|\b(?:found|showed|concluded|revealed|demonstrated|indicates?|suggests?) that\b"
            r"|\b(?:increased|decreased|improved|declined|significant(?:ly)?)\b"
        ),
    ),
    HeadingKind(
        "What does it come to?",
        _pattern(r"\btotals?\b|\bcosts?\b|\bbudget\b|\bexpenditures?\b|\bspending\b|\bfunding\b"),
        _pattern(
            r"\b(?:totals?|totall?ed|in all|altogether|sum of|amount(?:s|ed) to|overall)\b"
            r"|[$£€] ?\d|\d[.,]* (?:million|billion|trillion|per ?cent)\b|\d ?%"
        ),
    ),
)


def heading_kind(title: str) -> HeadingKind | None:
    """Return the first kind that matches a heading; None for most. Only English is supported."""
    return next((kind for kind in KINDS if kind.title.search(title)), None)
