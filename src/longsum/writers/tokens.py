"""Token counts for models whose tokenizer is unavailable, and the size of windows.

An estimate must not be too low: some servers silently cut prompts that are too long. Tokenizers of
today's models have about 4.2 bytes of English per token and 2.5 of other alphabets; 3.3 and 2 are
assumed here, so that at most one text in twenty is longer than estimated. If the server counts
tokens, the estimate is scaled to its count for a sample of the document.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_ASCII_BYTES = 3.3
_OTHER_BYTES = 2.0
_MARGIN = 1.05
"""A scaled estimate's margin for parts of a document that differ from the sample."""
SAMPLE = 20_000
"""Size of the sample in characters."""

UNKNOWN_WINDOW = 4_096
"""Assumed tokens of an unknown window: that of servers with little memory."""
USED = 0.95
"""Maximum share of the window for prompt and answer together."""


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Counts the tokens of texts, erring on the high side.

    Attributes:
        scale: Factor applied to the estimate.
        measured: Whether the server's tokenizer was asked.
        blank: The replacement for blanks in the prompt.
    """

    scale: float = 1.0
    measured: bool = False
    blank: str = " "

    def __call__(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return math.ceil(self.scale * guess(text.replace(" ", self.blank)))

    @classmethod
    def of(
        cls, sample: str, tokens_of: Callable[[str], int | None], blank: str = " "
    ) -> "TokenCount":
        """Return the counter for a document, scaled by a tokenizer's count for a sample of it.

        If the tokenizer is unavailable and returns None, tokens are estimated.
        """
        sample = sample.replace(" ", blank)
        tokens = tokens_of(sample)
        if tokens is None:
            return cls(blank=blank)
        return cls(_MARGIN * tokens / max(guess(sample), 1.0), True, blank)


def guess(text: str) -> float:
    """Return an upper estimate of a text's tokens for most tokenizers."""
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
        known_by: The source: `the user`, or a field of the server's answers; empty if unknown.
    """

    tokens: int
    known_by: str = ""

    @property
    def usable(self) -> int:
        """Maximum number of tokens of a call."""
        return int(USED * self.tokens)
