"""A vocabulary of words, and how a source's own words extend it (See et al. 2017, §2.2)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.files import write_text

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
        extended: The same with V, V + 1, … for those words, in order of appearance.
        unknown: Those words.
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
        own: dict[str, int] = {}
        extended = []
        for token in tokens:
            number = self._id(token)
            if number == UNK:
                number = len(self) + own.setdefault(token, len(own))
            extended.append(number)
        ids = tuple(number if number < len(self) else UNK for number in extended)
        return SourceWords(ids, tuple(extended), tuple(own))

    def target(self, tokens: Sequence[str], source: SourceWords) -> tuple[int, ...]:
        """Return the extended ids of a target, which may refer to words of the source."""
        own = {word: len(self) + number for number, word in enumerate(source.unknown)}
        ids = (self._id(token) for token in tokens)
        return tuple(
            own.get(token, UNK) if number == UNK else number
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
