"""A document as the tokens that a model reads, each knowing its sentence and its section."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray
from transformers import PreTrainedTokenizerBase

from longsum.documents.model import Document, Section
from longsum.errors import LongsumError
from longsum.tasks.tokens import DEPTH_TOKENS, PARAGRAPH_TOKEN, depth_token, ends, has_marks

Marks = Literal["auto", "none", "titles", "tokens"]

NOWHERE = -1
"""The sentence of a token that belongs to none: a title, a mark, the start or end of the source."""


@dataclass(frozen=True, slots=True)
class SourceFormat:
    """How a document is laid out for a model.

    Attributes:
        tokens: The most tokens, start and end of the source included; what is beyond is left out.
        marks: How sections show: `none`; `titles`, their headings as text; `tokens`, a token for
            the section's depth, its heading, and a token before each paragraph (HIBRIDS, §5.2);
            `auto`, `tokens` if the tokenizer has them, else `titles`.
    """

    tokens: int
    marks: Marks = "auto"


@dataclass(frozen=True, slots=True)
class EncodedSource:
    """The tokens of a source.

    Attributes:
        ids: Token ids, `[n]`.
        sentence_of: Position in `Document.sentences` of each token, `[n]`, or `NOWHERE`.
        section_of: Number of the section of each token, `[n]`; `NOWHERE` for the document's title
            and for the start and end.
        sentences_read: Sentences that are read whole.
    """

    ids: NDArray[np.int32]
    sentence_of: NDArray[np.int32]
    section_of: NDArray[np.int32]
    sentences_read: int


def encode_source(
    document: Document, tokenizer: PreTrainedTokenizerBase, form: SourceFormat
) -> EncodedSource:
    """Lay out a document as tokens, from its beginning up to the longest source.

    Text is never taken for a special token, whatever it contains.

    Raises:
        LongsumError: The tokenizer cannot tell where its tokens stand, or lacks the marks.
    """
    before, after = ends(tokenizer)
    kept = form.tokens - len(after)
    if kept <= len(before):
        raise LongsumError(f"A source of {form.tokens} tokens holds no text; allow more.")
    marks = _marks(form.marks, tokenizer)
    ids = list(before)
    sentence_of, section_of = [NOWHERE] * len(before), [NOWHERE] * len(before)
    last_token: dict[int, int] = {}
    for run in _runs(document, marks):
        for token, sentence in _encode(run, tokenizer, opening=len(ids) == len(before)):
            last_token[sentence] = len(ids)
            ids.append(token)
            sentence_of.append(sentence)
            section_of.append(run.section)
        if len(ids) > kept:
            break
    last_token.pop(NOWHERE, None)
    filling = [NOWHERE] * len(after)
    return EncodedSource(
        ids=np.array(ids[:kept] + after, dtype=np.int32),
        sentence_of=np.array(sentence_of[:kept] + filling, dtype=np.int32),
        section_of=np.array(section_of[:kept] + filling, dtype=np.int32),
        sentences_read=sum(last < kept for last in last_token.values()),
    )


@dataclass(slots=True)
class _Run:
    """Text without a mark inside, and the marks before it.

    Attributes:
        section: Number of the section, or `NOWHERE`.
        marks: Special tokens that stand before the text.
        text: Pieces joined by spaces, a space before the first.
        starts: Where each piece starts in the text.
        sentences: The sentence of each piece, or `NOWHERE`.
    """

    section: int
    marks: tuple[str, ...] = ()
    text: str = ""
    starts: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)

    def add(self, piece: str, sentence: int) -> None:
        """Append a piece of text."""
        if piece:
            self.starts.append(len(self.text))
            self.sentences.append(sentence)
            self.text += f" {piece}"


def _runs(document: Document, marks: Marks) -> Iterator[_Run]:
    """Yield the runs of a document in reading order; a sentence never spans two."""
    if marks != "none":
        head = _Run(NOWHERE, (DEPTH_TOKENS[0],) if marks == "tokens" else ())
        head.add(document.title, NOWHERE)
        yield head
    place = 0
    for section in document.walk():
        yield from _section_runs(section, marks, place)
        place += len(section.sentences)


def _section_runs(section: Section, marks: Marks, place: int) -> Iterator[_Run]:
    run = _Run(section.number, (depth_token(section.level),) if marks == "tokens" else ())
    if marks != "none":
        run.add(section.title, NOWHERE)
    for paragraph in section.paragraphs:
        if marks == "tokens":
            yield run
            run = _Run(section.number, (PARAGRAPH_TOKEN,))
        for sentence in paragraph:
            run.add(sentence.text, place)
            place += 1
    yield run


def _encode(
    run: _Run, tokenizer: PreTrainedTokenizerBase, *, opening: bool
) -> Iterator[tuple[int, int]]:
    """Yield each token of a run with its sentence; the source opens without a space."""
    for mark in run.marks:
        yield cast(int, tokenizer.convert_tokens_to_ids(mark)), NOWHERE
    if not run.text:
        return
    skipped = int(opening and not run.marks)
    found = tokenizer(
        run.text[skipped:],
        add_special_tokens=False,
        return_offsets_mapping=True,
        split_special_tokens=True,
    )
    for token, (start, end) in zip(found["input_ids"], found["offset_mapping"], strict=True):
        # A token may begin with the space before its word, so its last character decides.
        piece = bisect_right(run.starts, max(start, end - 1) + skipped) - 1
        yield token, run.sentences[piece]


def _marks(asked: Marks, tokenizer: PreTrainedTokenizerBase) -> Marks:
    if asked == "auto":
        return "tokens" if has_marks(tokenizer) else "titles"
    if asked == "tokens" and not has_marks(tokenizer):
        raise LongsumError(
            "This model's tokenizer has no tokens for sections; choose marks 'titles' or 'none', "
            "or train with a tokenizer of 'longsum train'."
        )
    return asked
