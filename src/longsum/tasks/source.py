"""A document as the tokens that a model reads, each knowing its sentence and its section."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray
from transformers import PreTrainedTokenizerBase

from longsum.documents.builder import clean
from longsum.documents.model import Document, Section
from longsum.documents.tree import DocumentTree
from longsum.errors import LongsumError
from longsum.tasks.tokens import (
    DEPTH_TOKENS,
    PARAGRAPH_TOKEN,
    QUESTION_TOKEN,
    SECTION_TOKEN,
    check_marks,
    depth_token,
    ends,
    lacking,
)

Marks = Literal["auto", "none", "titles", "sections", "tokens"]
Overflow = Literal["cut", "split", "whole"]
Ints = NDArray[np.int32]

NOWHERE = -1
"""The sentence of a token that belongs to none: a title, a mark, the start or end of the source."""
ABOVE_ALL = -1
"""The parent of a section of the first level, what models call the root."""
START = 0
"""The section of what a tokenizer puts before a source."""

MARK_TOKENS: dict[Marks, tuple[str, ...]] = {
    "sections": (SECTION_TOKEN, PARAGRAPH_TOKEN),
    "tokens": (*DEPTH_TOKENS, PARAGRAPH_TOKEN),
}
"""The special tokens that a layout needs; others need none."""


@dataclass(frozen=True, slots=True)
class SourceFormat:
    """How a document is laid out for a model.

    Attributes:
        tokens: The most tokens, start and end of the source included; what is beyond is left out.
        marks: How sections show: `none`; `titles`, their headings as text; `tokens`, a token for
            the section's depth, its heading, and a token before each paragraph (HIBRIDS, §5.2,
            LvlSecTok); `sections`, the same with one token for all depths (SecTok); `auto`,
            `tokens` if the tokenizer has them, else `titles`.
        overflow: Where a document that is too long ends: `cut`, at the last token that fits;
            `split`, after the last sentence that does; `whole`, before the first section that does
            not, as in the released code of HIBRIDS. That code would read nothing where that is the
            first section with text; here it is then split, and a sentence that fills the source by
            itself is cut.
        ancestors: Whether headings are read of sections that have no text of their own, such as
            those above the sections that were chosen from a document (HIBRIDS, §4.2). Their places
            in the tree are kept in any case.
    """

    tokens: int
    marks: Marks = "auto"
    overflow: Overflow = "cut"
    ancestors: bool = True


@dataclass(frozen=True, slots=True)
class EncodedSource:
    """The tokens of a source.

    The sections are those that a model sees, in reading order: what stands outside the document's
    own (the start, a question, the document's title, the end) is a section of the first level each.

    Attributes:
        ids: Token ids, `[n]`.
        sentence_of: Position in `Document.sentences` of each token, `[n]`, or `NOWHERE`.
        section_of: Section of each token, `[n]`, from 0 (`START`) on.
        section_parents: The section above each section, `[S]`, or `ABOVE_ALL`.
        sentences_read: Sentences that are read whole: the first so many of the document.
    """

    ids: Ints
    sentence_of: Ints
    section_of: Ints
    section_parents: Ints
    sentences_read: int


def encode_source(
    document: Document, tokenizer: PreTrainedTokenizerBase, form: SourceFormat, question: str = ""
) -> EncodedSource:
    """Lay out a document as tokens, from its beginning up to the longest source.

    Text is never taken for a special token, whatever it contains.

    Args:
        document: The document.
        tokenizer: The model's tokenizer.
        form: The layout.
        question: What stands before the document, with a mark of its own: a question that the
            target answers, or a question and its answer.

    Raises:
        LongsumError: The tokenizer cannot tell where its tokens stand, or lacks the marks; or the
            question leaves no room for the document.
    """
    if question := clean(question):
        check_marks(tokenizer, (QUESTION_TOKEN,), "choose a task without questions")
    before, after = ends(tokenizer)
    most = form.tokens - len(after)
    layout = _layout(document, _marks(form.marks, tokenizer), form, question)
    ids = list(before)
    sentence_of, section_of = [NOWHERE] * len(before), [START] * len(before)
    for run in layout.runs:
        for token, sentence in _encode(run, tokenizer, opening=len(ids) == len(before)):
            ids.append(token)
            sentence_of.append(sentence)
            section_of.append(run.section)
        if len(ids) > most:
            break
    if most <= len(before) or (len(ids) > most and section_of[most - 1] < layout.first):
        beside = " beside its question" if question else ""
        raise LongsumError(f"A source of {form.tokens} tokens holds no text{beside}; allow more.")
    sentences, sections = np.array(sentence_of, np.int32), np.array(section_of, np.int32)
    kept = tokens_kept(sentences, sections, most, form.overflow)
    sections, parents = closed(sections[:kept], np.array(layout.parents, np.int32), len(after))
    return EncodedSource(
        ids=np.array(ids[:kept] + after, dtype=np.int32),
        sentence_of=np.append(sentences[:kept], np.full(len(after), NOWHERE, np.int32)),
        section_of=sections,
        section_parents=parents,
        sentences_read=len({*sentence_of[:kept]} - {*sentence_of[kept:], NOWHERE}),
    )


def tokens_kept(sentence_of: Ints, section_of: Ints, most: int, overflow: Overflow) -> int:
    """Return how many tokens are read of a source that is too long; see `SourceFormat.overflow`.

    Args:
        sentence_of: Sentence of each token, `[n]`, without the end of the source.
        section_of: Section of each, `[n]`.
        most: The most tokens.
        overflow: Where a source ends.
    """
    if len(sentence_of) <= most or overflow == "cut":
        return min(len(sentence_of), most)
    if overflow == "whole":
        first = int(np.argmax(section_of == section_of[most]))
        if (sentence_of[:first] != NOWHERE).any():
            return first
    this, following = sentence_of[:most], sentence_of[1 : most + 1]
    last = np.flatnonzero((this != NOWHERE) & (this != following))
    return int(last[-1]) + 1 if len(last) else most


def closed(section_of: Ints, parents: Ints, closing: int) -> tuple[Ints, Ints]:
    """Return a source's sections with that of its end behind them, and none that were not reached.

    Args:
        section_of: Section of each token, `[n]`, without the end of the source.
        parents: The section above each of all that the source might hold.
        closing: Tokens of the end.

    Returns:
        `section_of` `[n + closing]` and `section_parents` `[S]`, as in `EncodedSource`.
    """
    end = int(section_of.max(initial=START)) + 1
    return (
        np.append(section_of, np.full(closing, end, np.int32)),
        np.append(parents[:end], np.array([ABOVE_ALL], np.int32)),
    )


def reads_sections(config: Any) -> bool:
    """Tell whether a model of this configuration is to be given the sections of its source."""
    return bool(getattr(config, "reads_sections", False))


@dataclass(slots=True)
class _Run:
    """Text without a mark inside, and the marks before it.

    Attributes:
        section: Number of the section, as the model sees it.
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


@dataclass(frozen=True, slots=True)
class _Layout:
    """What may stand in a source.

    Attributes:
        runs: Its text in reading order; a sentence never spans two runs.
        parents: The section above each section.
        first: The first section that is part of the document, be it the title's.
    """

    runs: Iterator[_Run]
    parents: list[int]
    first: int


def _layout(document: Document, marks: Marks, form: SourceFormat, question: str) -> _Layout:
    outside: list[tuple[tuple[str, ...], str]] = []
    if question:
        outside.append(((QUESTION_TOKEN,), question))
    first = START + 1 + len(outside)
    if marks != "none":
        outside.append((_section_marks(marks, 0), document.title))
    opening = []
    for number, (opened, text) in enumerate(outside, START + 1):
        opening.append(_Run(number, opened))
        opening[-1].add(text, NOWHERE)
    below = START + 1 + len(outside)
    tree = DocumentTree(document)
    above = (tree.parent(section.number) for section in tree.sections)
    parents = [ABOVE_ALL if parent is None else below + parent for parent in above]
    body = _body(tree.sections, marks, form, below)
    return _Layout(chain(opening, body), [ABOVE_ALL] * below + parents, first)


def _body(
    sections: Iterable[Section], marks: Marks, form: SourceFormat, below: int
) -> Iterator[_Run]:
    place = 0
    for section in sections:
        if section.paragraphs or form.ancestors:
            yield from _section_runs(section, marks, below + section.number, place)
        place += len(section.sentences)


def _section_runs(section: Section, marks: Marks, number: int, place: int) -> Iterator[_Run]:
    run = _Run(number, _section_marks(marks, section.level))
    if marks != "none":
        run.add(section.title, NOWHERE)
    for paragraph in section.paragraphs:
        if marks in MARK_TOKENS:
            yield run
            run = _Run(number, (PARAGRAPH_TOKEN,))
        for sentence in paragraph:
            run.add(sentence.text, place)
            place += 1
    yield run


def _section_marks(marks: Marks, level: int) -> tuple[str, ...]:
    """Return what stands before a heading; the document's title is of level 0."""
    match marks:
        case "tokens":
            return (depth_token(level),)
        case "sections":
            return (SECTION_TOKEN,)
    return ()


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
        return "titles" if lacking(tokenizer, MARK_TOKENS["tokens"]) else "tokens"
    if asked in MARK_TOKENS:
        check_marks(tokenizer, MARK_TOKENS[asked], "choose marks 'titles' or 'none'")
    return asked
