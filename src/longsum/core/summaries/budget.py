"""The maximum length of a summary."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from typing import Literal, get_args

from longsum.common.errors import LongsumError
from longsum.common.wording import did_you_mean, quote
from longsum.documents.model import Document, Sentence
from longsum.language.words import count_tokens, count_words

Unit = Literal["words", "tokens", "sentences", "percent"]
Fill = Literal["sensible", "strict"]
"""Whether a summary may be up to 5 % short if the remaining sentences that fit would be mere
filler, or must take every sentence that fits."""

_PRESETS = {"short": 100, "medium": 250, "long": 600}
_LENGTH = re.compile(
    r"(?P<amount>[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,6})?)\s*(?P<unit>[^\W\d_]+|%)?"
)
_MARKS: dict[Unit, str] = {"words": "w", "tokens": "t", "sentences": "s", "percent": "%"}
_NAMES: dict[str, Unit] = {
    **{mark: unit for unit, mark in _MARKS.items()},
    **{name: unit for unit in _MARKS for name in (unit, unit.removesuffix("s"))},
}
_AUTOMATIC = "auto"
_MAX_AMOUNT = 999_999_999
_MAX_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Budget:
    """The maximum length of a summary, in words, tokens, sentences or percent of the document.

    A budget is never exceeded; systems fill it as far as whole sentences allow.

    Attributes:
        amount: The amount, at most 999,999,999.
        unit: Its unit; a percentage refers to the document's words.
        tokens_of: Counts the tokens of a text; by default words and punctuation marks. Generation
            models count with their own tokenizer (`System.counting`).
        automatic: Whether the length is left to the system. Its amount is then the maximum, until
            the system sets it (`System.resolved`).

    Raises:
        LongsumError: The amount is out of range, or there is no such unit.
        TypeError: The amount is not a number.
    """

    amount: float
    unit: Unit = "words"
    tokens_of: Callable[[str], int] = field(default=count_tokens, compare=False, repr=False)
    automatic: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.amount, bool) or not isinstance(self.amount, Real):
            raise TypeError(
                f"the amount of a Budget is a number, not {type(self.amount).__name__}; "
                "Budget.parse reads lengths such as '250w'"
            )
        if self.unit not in get_args(Unit):
            raise LongsumError(
                f"There is no unit {quote(self.unit)}; choose words, tokens, sentences or percent."
            )
        if not self.amount <= _MAX_AMOUNT and self.amount == self.amount:
            raise LongsumError(
                f"No document is that long; give a length of at most {_MAX_AMOUNT} {self.unit}."
            )
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
    def parse(cls, length: "str | int | Budget") -> "Budget":
        """Parse a length as users write it.

        `250w` or `250 words`, `300t` or `300 tokens`, `12s` or `12 sentences`, `8%`, `8 %` or
        `8 percent`, in any case; `short`, `medium` and `long` are 100, 250 and 600 words, and
        `auto` leaves the length to the system. A bare whole number, `250` or `"250"`, means words.

        Raises:
            LongsumError: The length is none of these, or out of range; or it is a fraction without
                a unit, which might be meant as a share.
            TypeError: The length is neither a string nor a number.
        """
        if isinstance(length, Budget):
            return length
        if isinstance(length, str):
            return cls._read(length)
        if isinstance(length, bool) or not isinstance(length, Real):
            raise TypeError(
                "a length is a text such as '250w', '12s' or '8%', or a number of words, not "
                f"{type(length).__name__}"
            )
        if not isinstance(length, Integral):
            raise _no_words(float(length))
        return cls(int(length))

    @classmethod
    def _read(cls, text: str) -> "Budget":
        """Parse a length from text."""
        word = text.strip().casefold()
        if word in _PRESETS:
            return cls(_PRESETS[word])
        if word == _AUTOMATIC:
            return cls(_MAX_AMOUNT, automatic=True)
        match = _LENGTH.fullmatch(word[:_MAX_CHARACTERS])
        if not match or len(word) > _MAX_CHARACTERS:
            raise _no_length(text, did_you_mean(word, (*_PRESETS, _AUTOMATIC)))
        amount = float(match["amount"].replace(",", ""))
        name = match["unit"]
        if name is None:
            if not amount.is_integer():
                raise _no_words(amount)
            return cls(int(amount))
        if name not in _NAMES:
            near = did_you_mean(name, _NAMES) if len(name) > 1 else ""
            raise _no_length(text, near)
        return cls(amount, _NAMES[name])

    def costs(self, sentences: Sequence[Sentence]) -> list[int]:
        """Return the cost of each sentence in the budget's unit, including its speaker's name."""
        return [self.cost(sentence.text) + self.added(sentence.speaker) for sentence in sentences]

    def cost(self, sentence: str) -> int:
        """Return the cost of a sentence in the budget's unit."""
        if self.unit == "sentences":
            return 1
        return self.tokens_of(sentence) if self.unit == "tokens" else count_words(sentence)

    def added(self, text: str) -> int:
        """Return the cost of a text that is added to a sentence."""
        return 0 if self.unit == "sentences" or not text else self.cost(text)

    def absolute(self, document: Document) -> "Budget":
        """Convert a share to words, at least one; other units are kept."""
        unit: Unit = "words" if self.unit == "percent" else self.unit
        return replace(self, amount=max(self.capacity(document), 1), unit=unit)

    def capacity(self, document: Document) -> int:
        """Return the budget in the unit of `cost`; shares are rounded down to words."""
        if self.unit != "percent":
            return int(self.amount)
        words = sum(Budget(1).costs(document.sentences))
        # Rounded first, since 0.29 × 100 words would be 28.999….
        return math.floor(round(words * self.amount / 100, 6))

    @property
    def is_open(self) -> bool:
        """Whether the length is left to the system and has not been set yet."""
        return self.automatic and self.amount == _MAX_AMOUNT

    def __str__(self) -> str:
        if self.is_open:
            return _AUTOMATIC
        return f"{self.amount:.6f}".rstrip("0").rstrip(".") + _MARKS[self.unit]


def _no_length(text: str, near: str) -> LongsumError:
    return LongsumError(
        f"{quote(text)} is not a length; write words as 250w, tokens as 300t, sentences as 12s, a "
        f"share as 8%, or one of short, medium, long, auto.{near}"
    )


def _no_words(number: float) -> LongsumError:
    """Return the error for a fraction without a unit."""
    if not 0 < number <= 1:
        return LongsumError(
            f"A length of {number} is not a whole number; write words as 250 or '250w', a share as "
            "'8%'."
        )
    return LongsumError(
        f"A length of {number:g} may be a share or words; write '{100 * number:g}%' for a share of "
        "the document, or a whole number such as 250 for words."
    )


_SHORTEST: dict[Unit, float] = {"words": 25, "tokens": 25, "sentences": 1, "percent": 1}
# For the stops of a slider: the largest share of the document, the number of stops besides the
# requested length, and their smallest ratio to it, as a smaller difference would hardly show.
_LARGEST_SHARE = 0.5
_NEIGHBOURS = 5
_APART = 4 / 3


def lengths_around(requested: Budget, document: Document) -> list[Budget]:
    """Return the stops of a length slider, the shortest first: round lengths and the requested one.

    Each round length is twice the one before; the largest is at most half of the document. Only
    those nearest to the requested length are stops, except those that hardly differ from it.
    """
    whole = 100.0 if requested.unit == "percent" else sum(requested.costs(document.sentences))
    doubled = [_SHORTEST[requested.unit] * 2**power for power in range(64)]
    distances = {amount: abs(math.log(amount / requested.amount)) for amount in doubled}
    different = [
        amount
        for amount in doubled
        if amount <= _LARGEST_SHARE * whole and distances[amount] >= math.log(_APART)
    ]
    nearest = sorted(different, key=distances.__getitem__)[:_NEIGHBOURS]
    return [replace(requested, amount=amount) for amount in sorted({*nearest, requested.amount})]
