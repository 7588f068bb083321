"""A length that a user asks for, as tokens for a model; and the model's text, as a length.

A model counts tokens and ends where it likes. So it is asked for somewhat more than fits, and what
it writes is cut at the end of a sentence.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from longsum.documents.model import Document
from longsum.language.words import count_words
from longsum.summaries import Budget

SLACK = 1.25
"""Tokens asked for over those of the budget: a summary's words can take more tokens than the
document's, and the sentence that passes the budget must show that it does."""
LEAST = 0.5
"""Share of the budget before which the model may not end. Models end early out of habit of the
lengths they learned; to hold them much longer makes them repeat themselves."""
_SPARE = 8


@dataclass(frozen=True, slots=True)
class Pace:
    """How many tokens the model's tokenizer takes for this document.

    Attributes:
        per_word: Tokens of a word.
        per_sentence: Tokens of a sentence.
    """

    per_word: float
    per_sentence: float


@dataclass(frozen=True, slots=True)
class TokenRange:
    """The fewest and the most tokens to generate."""

    least: int
    most: int


def pace(texts: Sequence[str], tokens: int) -> Pace:
    """Measure the pace on sentences that take `tokens` in all."""
    words = sum(count_words(text) for text in texts)
    return Pace(tokens / max(words, 1), tokens / max(len(texts), 1))


def token_range(
    budget: Budget, document: Document, measured: Pace, limit: int | None
) -> TokenRange:
    """Return how many tokens a model should write for a budget.

    Args:
        budget: The length asked for.
        document: The document, of which the budget may be a share.
        measured: The tokenizer's pace on it.
        limit: The most that the model can write, if there is such a limit.
    """
    rates = {"sentences": measured.per_sentence, "tokens": 1.0}
    aim = budget.capacity(document) * rates.get(budget.unit, measured.per_word)
    most = math.ceil(aim * SLACK) + _SPARE
    most = most if limit is None else min(most, limit)
    return TokenRange(min(math.floor(aim * LEAST), most), most)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The sentences of a text that fit in a budget.

    Attributes:
        count: How many, from the first.
        shortened: The first sentence, cut to fit, where none fits whole; else None.
    """

    count: int
    shortened: str | None = None


def fit(sentences: Sequence[str], budget: Budget, capacity: int, *, unfinished: bool) -> Fitted:
    """Return how much of a text fits: whole sentences from the first, as many as there is room for.

    Args:
        sentences: The text.
        budget: What says what a sentence costs.
        capacity: The room, in the unit of `budget`.
        unfinished: Whether the last sentence is broken off; then it is left out, unless it is the
            only one.
    """
    whole = sentences[:-1] if unfinished and len(sentences) > 1 else sentences
    spent = 0
    for count, sentence in enumerate(whole):
        spent += budget.cost(sentence)
        if spent > capacity:
            if count:
                return Fitted(count)
            return Fitted(min(capacity, 1), _cut(sentence, budget, capacity) or None)
    return Fitted(len(whole))


def _cut(sentence: str, budget: Budget, capacity: int) -> str:
    """Return the beginning of a sentence that fits."""
    end = bisect_left(
        range(len(sentence)), capacity + 1, key=lambda at: budget.cost(sentence[: at + 1])
    )
    kept = sentence[:end].rstrip()
    marked = f"{kept}…"
    return marked if kept and budget.cost(marked) <= capacity else kept
