"""Words and punctuation marks, the tokens of word-level models, and their vocabularies.

See et al. use lower-cased tokens of the Stanford tokenizer. Here a token is a word or a number with
the apostrophes, hyphens, points and commas inside it, or a single mark. Detokenized text has the
same tokens; its spaces follow typographic rules, and may differ from the original's, as around
` — ` or before `(s)`. The words of a source extend the vocabulary (See et al. 2017, §2.2).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.files import write_text

# Parts of words that `\w` excludes: combining accents and vowel signs, and invisible joiners.
_SIGNS = "\u200c\u200d" + "".join(
    sign for sign in map(chr, range(0x300, 0x10000)) if unicodedata.category(sign).startswith("M")
)
_REST = rf"[\w{_SIGNS}]"
_TOKEN = re.compile(rf"\d+(?:[.,:\-–]\d+)*[{_SIGNS}]*|\w{_REST}*(?:['’\-.]{_REST}+)*|\S[{_SIGNS}]*")
_CLOSING = frozenset(".,;:!?%)]}’”»…।。、，；：！？）」』】》")
_OPENING = frozenset("([{$£€¥#“‘«（「『【《")
_EITHER = frozenset("\"'")
_TIGHT = frozenset("/—")
# A number and an ending that is a token, but is printed without a space: 5th, 1990s.
_ENDED_NUMBER = re.compile(r"\d+ (?:st|nd|rd|th)|\d{3}0 s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Joined:
    """Tokens as text.

    The spans are those of the tokens in it.
    """

    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first words of a document.

    `sentence_of` is the sentence of each; the first `whole` sentences are complete.
    """

    tokens: tuple[str, ...]
    sentence_of: tuple[int, ...]
    whole: int


@dataclass(frozen=True, slots=True)
class WordTokenizer:
    """Splits text into words and punctuation marks, and joins them again.

    Attributes:
        lower_case: Whether text is lower-cased, as in the paper.
    """

    lower_case: bool = True

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return _TOKEN.findall(text.lower() if self.lower_case else text)

    def beginning(self, sentences: Iterable[str], max_tokens: int) -> Beginning:
        """Return the first `max_tokens` words of sentences: the part of a document that is read."""
        tokens: list[str] = []
        sentence_of: list[int] = []
        whole = 0
        for place, sentence in enumerate(sentences):
            if len(tokens) >= max_tokens:
                break
            words = self.tokens(sentence)
            tokens += words
            sentence_of += [place] * len(words)
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


PAD, UNK, START, STOP = range(4)
"""Ids of the special tokens: padding, an unknown word, the start and end of a text."""

SPECIAL = ("[PAD]", "[UNK]", "[START]", "[STOP]")
VOCABULARY = "vocabulary.txt"
"""File in the folder of a model: one word per line, the most frequent first."""


@dataclass(frozen=True, slots=True)
class SourceWords:
    """A source as ids.

    Attributes:
        ids: Ids of the vocabulary, `UNK` for out-of-vocabulary words, `[n]`.
        extended: The same with V, V + 1, … for out-of-vocabulary words, in order of appearance.
        unknown: The out-of-vocabulary words.
    """

    ids: tuple[int, ...]
    extended: tuple[int, ...]
    unknown: tuple[str, ...]


class Vocabulary:
    """The words that a network can write without copying them."""

    def __init__(self, words: Iterable[str]) -> None:
        """Make a vocabulary.

        Args:
            words: The words, without the special tokens.

        Raises:
            LongsumError: A word is duplicate or empty, or contains white space.
        """
        self.words = (*SPECIAL, *words)
        self._ids = {word: number for number, word in enumerate(self.words)}
        if len(self._ids) < len(self.words) or any(word.split() != [word] for word in self.words):
            raise LongsumError(
                "A vocabulary has a word twice, or one that is empty or contains a space; "
                "give each word once, one per line."
            )

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]], size: int) -> "Vocabulary":
        """Return the most frequent words of texts; ties go to the word that occurs first.

        Args:
            texts: The tokens of each text.
            size: Maximum number of words, including the special tokens.
        """
        counts = Counter(token for text in texts for token in text)
        for word in SPECIAL:
            counts.pop(word, None)
        return cls(word for word, _ in counts.most_common(max(size - len(SPECIAL), 0)))

    @classmethod
    def load(cls, folder: Path) -> "Vocabulary":
        """Read the vocabulary of a model.

        Raises:
            LongsumError: The folder has none, or it cannot be read.
        """
        try:
            text = (folder / VOCABULARY).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise LongsumError(
                f"'{folder}' has no {VOCABULARY} that can be read; save the model with its "
                "vocabulary."
            ) from None
        return cls(text.split("\n")[:-1])

    def save(self, folder: Path) -> None:
        """Write the vocabulary to the folder of a model."""
        lines = "".join(f"{word}\n" for word in self.words[len(SPECIAL) :])
        write_text(folder / VOCABULARY, lines)

    def source(self, tokens: Sequence[str]) -> SourceWords:
        """Return the ids of a source."""
        unknown: dict[str, int] = {}
        extended = []
        for token in tokens:
            number = self._id(token)
            if number == UNK:
                number = len(self) + unknown.setdefault(token, len(unknown))
            extended.append(number)
        ids = tuple(number if number < len(self) else UNK for number in extended)
        return SourceWords(ids, tuple(extended), tuple(unknown))

    def target(self, tokens: Sequence[str], source: SourceWords) -> tuple[int, ...]:
        """Return the extended ids of a target, which may refer to words of the source."""
        extended = {word: len(self) + number for number, word in enumerate(source.unknown)}
        ids = (self._id(token) for token in tokens)
        return tuple(
            extended.get(token, UNK) if number == UNK else number
            for token, number in zip(tokens, ids, strict=True)
        )

    def tokens(self, ids: Iterable[int], source: SourceWords) -> list[str]:
        """Return the words of extended ids."""
        known = len(self)
        return [
            self.words[number] if number < known else source.unknown[number - known]
            for number in ids
        ]

    def _id(self, token: str) -> int:
        """Return a word's id; text never becomes a special token."""
        number = self._ids.get(token, UNK)
        return number if number >= len(SPECIAL) else UNK
