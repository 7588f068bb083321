"""How many tokens a text has for a model whose tokenizer is not at hand, and what a window holds.

A guess must not be low: a prompt that is too long is cut by some servers without a word. Tokenizers
of today's models take about 4.2 bytes of English for a token and 2.5 of other alphabets; counted
here are 3.3 and 2, so that one text in twenty at most is longer than counted. Where the server
counts tokens, the guess is scaled to what it says of a sample of the document.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_ASCII_BYTES = 3.3
_OTHER_BYTES = 2.0
_MARGIN = 1.05
"""What a scaled guess adds for the parts of a document that the sample differs from."""
SAMPLE = 20_000
"""Characters of a document that the server counts."""

UNKNOWN_WINDOW = 4_096
"""Tokens of a window that nobody knows: what servers set up with little memory have."""
USED = 0.95
"""Share of the window that prompt and answer may take together."""


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Counts the tokens of texts, rather too many than too few.

    Attributes:
        scale: What the guess is multiplied by.
        measured: Whether the server's tokenizer was asked.
        blank: What stands for a blank in the prompt.
    """

    scale: float = 1.0
    measured: bool = False
    blank: str = " "

    def __call__(self, text: str) -> int:
        """Return the tokens of a text."""
        return math.ceil(self.scale * guess(text.replace(" ", self.blank)))

    @classmethod
    def of(
        cls, sample: str, tokens_of: Callable[[str], int | None], blank: str = " "
    ) -> "TokenCount":
        """Return the count for a document by what a tokenizer makes of a sample of it.

        The tokenizer returns None if it cannot be asked; then tokens are guessed.
        """
        sample = sample.replace(" ", blank)
        tokens = tokens_of(sample)
        if tokens is None:
            return cls(blank=blank)
        return cls(_MARGIN * tokens / max(guess(sample), 1.0), True, blank)


def guess(text: str) -> float:
    """Return how many tokens a text has at most for most tokenizers."""
    size = len(text.encode("utf-8", "replace"))
    plain = sum(map(str.isascii, text)) if not text.isascii() else size
    return plain / _ASCII_BYTES + (size - plain) / _OTHER_BYTES


def sample_of(texts: Sequence[str]) -> str:
    """Return sentences from all over a document, about `SAMPLE` characters."""
    total = sum(map(len, texts))
    step = max(1, math.ceil(total / SAMPLE))
    return "\n".join(texts[::step])[: 2 * SAMPLE]


@dataclass(frozen=True, slots=True)
class Window:
    """How much a model reads and writes in one call.

    Attributes:
        tokens: Tokens of prompt and answer together.
        known_by: Who said so: `the user`, or a field of the server's answers; empty if it is not
            known.
    """

    tokens: int
    known_by: str = ""

    @property
    def usable(self) -> int:
        """The tokens that a call may take."""
        return int(USED * self.tokens)
