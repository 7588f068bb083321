"""Runs of text between marks as tokens, with their positions and their importance."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import cast

import numpy as np
import simplemma
from numpy.typing import NDArray
from transformers import PreTrainedTokenizerBase

from longsum.common.arrays import Ints
from longsum.language.words import placed_terms, stop_words

Labels = NDArray[np.int8]


def content_lemmas(text: str) -> frozenset[str]:
    """Return the lemmas of a text's words, without stop words."""
    return frozenset(lemma(term) for *_, term in placed_terms(text)) - {""}


@cache
def lemma(term: str) -> str:
    """Return the lemma of a lower-case English word; an empty string for a stop word.

    A possessive has the lemma of its noun. The paper does not state its lemmatizer and stop words;
    here they are simplemma and `stop_words.txt`, applied to the word and to its lemma.
    """
    if term in stop_words():
        return ""
    lemmatized: str = simplemma.lemmatize(term.removesuffix("'s"), lang="en").lower()
    return "" if lemmatized in stop_words() else lemmatized


def token_labels(
    text: str, offsets: Sequence[tuple[int, int]], reference: frozenset[str]
) -> Labels:
    """Label a text's tokens: 1 where the lemma of their word occurs in the reference, else 0.

    All tokens of a word share its label. Tokens outside words, such as punctuation, have 0.

    Args:
        text: The text.
        offsets: Start and end of each token; the space before a word may belong to it.
        reference: What `content_lemmas` returns for the reference summary.
    """
    important = np.zeros(len(text) + 1, dtype=np.int8)
    for start, end, term in placed_terms(text):
        important[start:end] = lemma(term) in reference
    # A token may begin with the space before its word, so its last character decides.
    return important[[max(start, end - 1) for start, end in offsets]]


NOWHERE = -1
"""The sentence of a token outside sentences: a title, a mark, the start or end of the source."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Some tokens of a source; the arrays are those of `EncodedSource`."""

    ids: Ints
    sentence_of: Ints
    section_of: Ints
    spans: Ints
    important: Labels

    @classmethod
    def special(cls, ids: Sequence[int], section: int) -> "Tokens":
        """Return special tokens, which represent no text."""
        count = len(ids)
        return cls(
            np.array(ids, np.int32),
            np.full(count, NOWHERE, np.int32),
            np.full(count, section, np.int32),
            np.full((count, 2), NOWHERE, np.int32),
            np.zeros(count, np.int8),
        )

    @classmethod
    def joined(cls, parts: Iterable["Tokens"]) -> "Tokens":
        """Concatenate parts, at least one."""
        columns = [[getattr(part, column.name) for column in fields(cls)] for part in parts]
        return cls(*map(np.concatenate, zip(*columns, strict=True)))

    def first(self, count: int) -> "Tokens":
        """Return the first tokens."""
        return Tokens(*(getattr(self, column.name)[:count] for column in fields(self)))


@dataclass(slots=True)
class Run:
    """Text without marks inside, and the marks before it.

    Attributes:
        section: Number of the section, as the model sees it.
        marks: Special tokens before the text.
        text: Pieces joined by spaces, with a leading space.
        starts: Where each piece starts in the text.
        sentences: The sentence of each piece, or `NOWHERE`.
        places: Where each piece starts in the document.
    """

    section: int
    marks: tuple[str, ...] = ()
    text: str = ""
    starts: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def add(self, piece: str, sentence: int = NOWHERE, place: int = NOWHERE) -> None:
        """Append a piece of text."""
        if piece:
            self.starts.append(len(self.text))
            self.sentences.append(sentence)
            self.places.append(place)
            self.text += f" {piece}"

    def encode(
        self,
        tokenizer: PreTrainedTokenizerBase,
        reference: frozenset[str] | None,
        *,
        opening: bool,
    ) -> Tokens:
        """Return the tokens of a run.

        Args:
            tokenizer: The model's tokenizer.
            reference: Lemmas that make tokens important; None to label none.
            opening: Whether it opens the source, which has no leading space.
        """
        marks = [cast(int, tokenizer.convert_tokens_to_ids(mark)) for mark in self.marks]
        before = Tokens.special(marks, self.section)
        if not self.text:
            return before
        skipped = int(opening and not self.marks)
        text = self.text[skipped:]
        encoding = tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, split_special_tokens=True
        )
        offsets = encoding["offset_mapping"]
        spans = np.array(offsets, np.int32).reshape(-1, 2) + skipped
        # A token may begin with the space before its word, so its last character decides.
        last = np.maximum(spans[:, 0], spans[:, 1] - 1)
        piece = np.searchsorted(self.starts, last, side="right") - 1
        starts, sentences, places = (
            np.array(values, np.int32)[piece, None]
            for values in (self.starts, self.sentences, self.places)
        )
        spans = np.maximum(spans - starts - 1, 0) + places
        labels = np.zeros(len(spans), np.int8)
        after = Tokens(
            np.array(encoding["input_ids"], np.int32),
            sentences[:, 0],
            np.full(len(spans), self.section, np.int32),
            np.where(sentences == NOWHERE, NOWHERE, spans),
            labels if reference is None else token_labels(text, offsets, reference),
        )
        return Tokens.joined([before, after])
