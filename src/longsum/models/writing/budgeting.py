"""Converts a budget into a range of tokens, and truncates a generated text to the budget.

A model counts tokens and may stop anywhere. So it is asked for slightly more than fits, and its
text is truncated at the end of a sentence.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from longsum.core.summaries import Budget
from longsum.documents.model import Document
from longsum.language.words import count_words

SLACK = 1.25
"""Maximum tokens relative to the budget: a summary's words can take more tokens than the
document's, and a sentence must be generated to be seen to exceed the budget."""
MIN_SHARE = 0.5
"""Share of the budget before which the model may not stop. Models stop early because of the lengths
they were trained on; forcing them on much longer makes them repeat themselves."""
# Further tokens, since the slack of a budget of a few words is next to nothing.
_SPARE = 8


@dataclass(frozen=True, slots=True)
class Pace:
    """Average token counts of a document under the model's tokenizer."""

    per_word: float
    per_sentence: float


@dataclass(frozen=True, slots=True)
class TokenRange:
    """Minimum and maximum number of tokens to generate."""

    minimum: int
    maximum: int


def pace(texts: Sequence[str], tokens: int) -> Pace:
    """Return the averages over sentences with `tokens` tokens in total."""
    words = sum(count_words(text) for text in texts)
    return Pace(tokens / max(words, 1), tokens / max(len(texts), 1))


def token_range(
    budget: Budget, document: Document, measured: Pace, limit: int | None
) -> TokenRange:
    """Return the range of tokens that a model should write for a budget.

    Args:
        budget: The requested length.
        document: The document, of which the budget may be a share.
        measured: The document's average token counts.
        limit: Maximum number of tokens that the model can write; None for no limit.
    """
    rates = {"sentences": measured.per_sentence, "tokens": 1.0}
    target = budget.capacity(document) * rates.get(budget.unit, measured.per_word)
    maximum = math.ceil(target * SLACK) + _SPARE
    maximum = maximum if limit is None else min(maximum, limit)
    return TokenRange(min(math.floor(target * MIN_SHARE), maximum), maximum)


@dataclass(frozen=True, slots=True)
class Fitted:
    """How much of a text fits in a budget.

    Attributes:
        count: Number of sentences, from the first.
        shortened: The truncated first sentence if not even that fits whole; else None.
    """

    count: int
    shortened: str | None = None


def fit(sentences: Sequence[str], budget: Budget, capacity: int, *, unfinished: bool) -> Fitted:
    """Return how many whole sentences of a text fit, counted from the first.

    Args:
        sentences: The text.
        budget: Determines the cost of a sentence.
        capacity: The maximum total cost.
        unfinished: Whether the last sentence is incomplete; it is then left out unless it is the
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
    """Return the longest prefix of a sentence that fits."""
    end = bisect_left(
        range(len(sentence)), capacity + 1, key=lambda at: budget.cost(sentence[: at + 1])
    )
    kept = sentence[:end].rstrip()
    marked = f"{kept}…"
    return marked if kept and budget.cost(marked) <= capacity else kept
