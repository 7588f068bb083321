"""Words and marks: the tokens of the pointer-generator network, and the text that they make.

See et al. take tokens from the Stanford tokenizer, in small letters. Here a token is a word or a
number with the apostrophes, hyphens, points and commas inside it, or a single mark. Text that is
put together again has the same tokens; its spaces are those of print, which differ from the
original's where that has others, as around ` — ` or before `(s)`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(r"\d+(?:[.,:\-–]\d+)*|\w+(?:['’\-.]\w+)*|\S")
_CLOSING = frozenset(".,;:!?%)]}’”»…")
_OPENING = frozenset("([{$£€¥#“‘«")
_EITHER = frozenset("\"'")
_TIGHT = frozenset("/—")


@dataclass(frozen=True, slots=True)
class Joined:
    """Tokens as text.

    Attributes:
        text: The text.
        spans: Where each token stands in it.
    """

    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first words of a document.

    Attributes:
        tokens: The words.
        sentence_of: Sentence of each.
        whole: How many sentences are there whole.
    """

    tokens: tuple[str, ...]
    sentence_of: tuple[int, ...]
    whole: int


@dataclass(frozen=True, slots=True)
class WordTokenizer:
    """Splits text into words and marks, and puts them together again.

    Attributes:
        lower_case: Whether letters are made small, as in the paper.
    """

    lower_case: bool = True

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return _TOKEN.findall(text.lower() if self.lower_case else text)

    def beginning(self, sentences: Iterable[str], most: int) -> Beginning:
        """Return the first `most` words of sentences: what is read of a document."""
        tokens: list[str] = []
        sentence_of: list[int] = []
        whole = 0
        for place, sentence in enumerate(sentences):
            if len(tokens) >= most:
                break
            own = self.tokens(sentence)
            tokens += own
            sentence_of += [place] * len(own)
            whole += len(tokens) <= most
        return Beginning(tuple(tokens[:most]), tuple(sentence_of[:most]), whole)

    def text(self, tokens: Sequence[str]) -> Joined:
        """Put tokens together with the spaces of print.

        Straight quotation marks open and close in turn.
        """
        parts: list[str] = []
        spans: list[tuple[int, int]] = []
        position, tight, quoted = 0, True, False
        for token in tokens:
            closes = token in _CLOSING or token in _TIGHT or (token in _EITHER and quoted)
            if not tight and not closes:
                parts.append(" ")
                position += 1
            parts.append(token)
            spans.append((position, position + len(token)))
            position += len(token)
            tight = token in _OPENING or token in _TIGHT or (token in _EITHER and not quoted)
            quoted ^= token in _EITHER
        return Joined("".join(parts), tuple(spans))


def sentence_text(text: str) -> str:
    """Return a sentence with a capital at its beginning, for text in small letters."""
    return text[:1].upper() + text[1:]
