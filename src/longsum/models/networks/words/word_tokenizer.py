"""Words and punctuation marks: the tokens of word-level models, and detokenization.

See et al. use lower-cased tokens of the Stanford tokenizer. Here a token is a word or a number with
the apostrophes, hyphens, points and commas inside it, or a single mark. Detokenized text has the
same tokens; its spaces follow typographic rules, and may differ from the original's, as around
` — ` or before `(s)`.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# Parts of words that `\w` leaves out: accents and vowel signs of their own, and invisible joiners.
_SIGNS = "\u200c\u200d" + "".join(
    sign for sign in map(chr, range(0x300, 0x10000)) if unicodedata.category(sign).startswith("M")
)
_REST = rf"[\w{_SIGNS}]"
_TOKEN = re.compile(rf"\d+(?:[.,:\-–]\d+)*[{_SIGNS}]*|\w{_REST}*(?:['’\-.]{_REST}+)*|\S[{_SIGNS}]*")
_CLOSING = frozenset(".,;:!?%)]}’”»…।。、，；：！？）」』】》")
_OPENING = frozenset("([{$£€¥#“‘«（「『【《")
_EITHER = frozenset("\"'")
_TIGHT = frozenset("/—")
# A number and what the tokens part from it though print does not: 5th, 1990s.
_ENDED_NUMBER = re.compile(r"\d+ (?:st|nd|rd|th)|\d{3}0 s", re.IGNORECASE)


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
        whole: Number of complete sentences.
    """

    tokens: tuple[str, ...]
    sentence_of: tuple[int, ...]
    whole: int


@dataclass(frozen=True, slots=True)
class WordTokenizer:
    """Splits text into words and marks, and joins them again.

    Attributes:
        lower_case: Whether text is lower-cased, as in the paper.
    """

    lower_case: bool = True

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return _TOKEN.findall(text.lower() if self.lower_case else text)

    def beginning(self, sentences: Iterable[str], max_tokens: int) -> Beginning:
        """Return the first `max_tokens` words of sentences: what is read of a document."""
        tokens: list[str] = []
        sentence_of: list[int] = []
        whole = 0
        for place, sentence in enumerate(sentences):
            if len(tokens) >= max_tokens:
                break
            own = self.tokens(sentence)
            tokens += own
            sentence_of += [place] * len(own)
            whole += len(tokens) <= max_tokens
        return Beginning(tuple(tokens[:max_tokens]), tuple(sentence_of[:max_tokens]), whole)

    def text(self, tokens: Sequence[str]) -> Joined:
        """Join tokens with typographic spaces.

        Straight quotation marks alternately open and close, separately for both kinds.
        """
        parts: list[str] = []
        spans: list[tuple[int, int]] = []
        position, tight = 0, True
        quoted: set[str] = set()
        for before, token, after in zip(("", *tokens), tokens, (*tokens[1:], ""), strict=False):
            # As in 16-year-old.
            joins = token in _TIGHT or (
                token == "-" and before[:1].isdecimal() and after[:1].isalpha()
            )
            closes = token in _CLOSING or token in quoted
            ends = _ENDED_NUMBER.fullmatch(f"{before} {token}")
            if not (tight or joins or closes or ends):
                parts.append(" ")
                position += 1
            parts.append(token)
            spans.append((position, position + len(token)))
            position += len(token)
            tight = token in _OPENING or joins or (token in _EITHER and token not in quoted)
            quoted ^= {token} & _EITHER
        return Joined("".join(parts), tuple(spans))


def sentence_text(text: str) -> str:
    """Capitalize the first letter of a sentence, for lower-cased text."""
    return text[:1].upper() + text[1:]
