"""How long a summary may be."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from longsum.documents.model import Document, Sentence
from longsum.errors import LongsumError
from longsum.language.words import count_tokens, count_words

Unit = Literal["words", "tokens", "sentences", "percent"]

_PRESETS = {"short": 100, "medium": 250, "long": 600}
_LENGTH = re.compile(r"(?P<amount>\d{1,9}(?:\.\d{1,6})?)\s*(?P<unit>w|t|s|%)")
_UNITS: dict[str, Unit] = {"w": "words", "t": "tokens", "s": "sentences", "%": "percent"}


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a summary holds: words, tokens, sentences, or a share of the document's words.

    A budget is a ceiling that is never exceeded; systems come as near to it as whole sentences
    allow.

    Attributes:
        amount: How many.
        unit: Of what.
        tokens_of: What counts the tokens of a text; by default they are its words and marks of
            punctuation. A model that writes counts with its own tokenizer (`System.counting`).
    """

    amount: float
    unit: Unit = "words"
    tokens_of: Callable[[str], int] = field(default=count_tokens, compare=False, repr=False)

    def __post_init__(self) -> None:
        whole = self.unit == "percent" or float(self.amount).is_integer()
        if not (math.isfinite(self.amount) and self.amount > 0 and whole):
            raise LongsumError(
                f"A length of {self.amount:g} {self.unit} is impossible; "
                "give a positive number, whole unless it is a share."
            )
        if self.unit == "percent" and self.amount > 100:
            raise LongsumError(
                f"A length of {self.amount:g}% is more than the document; give at most 100%."
            )

    @classmethod
    def parse(cls, length: "str | Budget") -> "Budget":
        """Read a length as users write it: `250w`, `300t`, `12s`, `8%`, `short`, `medium`, `long`.

        The named lengths are 100, 250 and 600 words.

        Raises:
            LongsumError: It is none of these.
        """
        if isinstance(length, Budget):
            return length
        if length in _PRESETS:
            return cls(_PRESETS[length])
        found = _LENGTH.fullmatch(length.strip())
        if not found:
            raise LongsumError(
                f"'{length}' is no length; write words as 250w, tokens as 300t, "
                "sentences as 12s, a share as 8%, or one of short, medium, long."
            )
        return cls(float(found["amount"]), _UNITS[found["unit"]])

    def costs(self, sentences: Sequence[Sentence]) -> list[int]:
        """Return what each sentence takes from the budget."""
        return [self.cost(sentence.text) for sentence in sentences]

    def cost(self, sentence: str) -> int:
        """Return what a sentence takes from the budget."""
        if self.unit == "sentences":
            return 1
        return self.tokens_of(sentence) if self.unit == "tokens" else count_words(sentence)

    def absolute(self, document: Document) -> "Budget":
        """Return a share in words, any other length as it is; at least one."""
        unit: Unit = "words" if self.unit == "percent" else self.unit
        return replace(self, amount=max(self.capacity(document), 1), unit=unit)

    def capacity(self, document: Document) -> int:
        """Return the budget in the unit of `cost`; a share of words is rounded down."""
        if self.unit != "percent":
            return int(self.amount)
        words = sum(count_words(sentence.text) for sentence in document.sentences)
        # Rounded first, since 0.29 × 100 words would be 28.999….
        return math.floor(round(words * self.amount / 100, 6))

    def __str__(self) -> str:
        mark = next(mark for mark, unit in _UNITS.items() if unit == self.unit)
        return f"{self.amount:.6f}".rstrip("0").rstrip(".") + mark


_SHORTEST: dict[Unit, float] = {"words": 25, "tokens": 25, "sentences": 1, "percent": 1}
_LARGEST_SHARE = 0.5
_NEIGHBOURS = 5
_APART = 4 / 3


def ladder_around(asked: Budget, document: Document) -> list[Budget]:
    """Return lengths for a slider, the shortest first: round ones, and the one asked for.

    Each is twice the one before, and the largest at most half the document. Those nearest to the
    length asked for are kept, and none that a reader could hardly tell from it.
    """
    whole = 100.0 if asked.unit == "percent" else sum(asked.costs(document.sentences))
    doubled = [_SHORTEST[asked.unit] * 2**power for power in range(64)]
    distances = {amount: abs(math.log(amount / asked.amount)) for amount in doubled}
    apart = [
        amount
        for amount in doubled
        if amount <= _LARGEST_SHARE * whole and distances[amount] >= math.log(_APART)
    ]
    nearest = sorted(apart, key=distances.__getitem__)[:_NEIGHBOURS]
    return [replace(asked, amount=amount) for amount in sorted({*nearest, asked.amount})]
