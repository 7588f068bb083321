"""What a sentence denies: negating words, and the words that they negate, by rules for English."""

from collections.abc import Iterator
from dataclasses import dataclass

from longsum.language.words import placed_terms, stop_words

_NEGATING = frozenset(
    {"not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without"}
    | {"cannot", "hardly", "scarcely"}
)
_CONTRACTED = "n't"
SCOPE = 2
"""Content words after a negating word that it is taken to negate."""


@dataclass(frozen=True, slots=True)
class Negated:
    """A word that a negating word negates.

    Attributes:
        term: The word in lower case.
        start: Offset of the negating word.
        end: Offset after the negated word.
    """

    term: str
    start: int
    end: int


def is_negating(term: str) -> bool:
    """Return whether a lower-cased term negates what follows: not, never, without, didn't."""
    return term in _NEGATING or term.endswith(_CONTRACTED)


def negated(text: str) -> Iterator[Negated]:
    """Yield the content words that a text negates: the `SCOPE` ones after each negating word.

    "Not only" negates nothing, and neither does the "no" of a number (No. 5).
    """
    found = list(placed_terms(text))
    left = begin = 0
    for place, (start, end, term) in enumerate(found):
        following = found[place + 1][2] if place + 1 < len(found) else ""
        if is_negating(term):
            left = 0 if following == "only" or following.isdigit() else SCOPE
            begin = start
        elif left and term.isalpha() and term not in stop_words():
            left -= 1
            yield Negated(term, begin, end)
