"""A document as the tokens that a model reads, each with its sentence and its section."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

import numpy as np
from transformers import PreTrainedTokenizerBase

from longsum.common.arrays import Ints
from longsum.common.errors import LongsumError
from longsum.documents.model import Document, Section
from longsum.documents.tree import DocumentTree
from longsum.language.characters import clean
from longsum.models.tasks.text_runs import NOWHERE as NOWHERE
from longsum.models.tasks.text_runs import Labels, Run, Tokens, content_lemmas
from longsum.models.tasks.tokens import (
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
ABOVE_ALL = -1
"""The parent of first-level sections, which models call the root."""
START = 0
"""The section of the special tokens before a source."""

MARK_TOKENS: dict[Marks, tuple[str, ...]] = {
    "sections": (SECTION_TOKEN, PARAGRAPH_TOKEN),
    "tokens": (*DEPTH_TOKENS, PARAGRAPH_TOKEN),
}
"""The special tokens that a layout needs; other layouts need none."""


@dataclass(frozen=True, slots=True)
class SourceFormat:
    """How a document is laid out for a model.

    Attributes:
        tokens: Maximum number of tokens, including start and end; the rest is truncated.
        marks: How sections are marked: `none`; `titles`, their headings as text; `tokens`, a token
            for the section's depth, its heading, and a token before each paragraph (HIBRIDS, §5.2,
            LvlSecTok); `sections`, the same with one token for all depths (SecTok); `auto`,
            `tokens` if the tokenizer has them, else `titles`.
        overflow: Where a document that is too long is truncated: `cut`, at the last token that
            fits; `split`, after the last sentence that fits; `whole`, before the first section that
            does not fit, as in the released code of HIBRIDS. If that is the first section with
            text, that code reads nothing; here it is split instead, and a sentence that is longer
            than the source is cut.
        ancestors: Whether headings of sections without text of their own are read, such as those
            above the sections selected from a document (HIBRIDS, §4.2). They stay in the section
            tree in any case.
    """

    tokens: int
    marks: Marks = "auto"
    overflow: Overflow = "cut"
    ancestors: bool = True


@dataclass(frozen=True, slots=True)
class EncodedSource:
    """The tokens of a source.

    The sections are those that a model sees, in reading order. What is outside the document's own
    sections is a first-level section each: the start, a question, the document's title, the end.

    Attributes:
        ids: Token ids, `[n]`.
        sentence_of: Position of each token's sentence in `Document.sentences`, `[n]`, or `NOWHERE`.
        section_of: Section of each token, `[n]`, from 0 (`START`).
        section_parents: Parent of each section, `[S]`, or `ABOVE_ALL`.
        sentences_read: Number of sentences, from the first, that are read in full.
        spans: Span of each token in `Document.text`, `[n, 2]`; `NOWHERE` outside sentences.
        important: Whether each token is important, 0 or 1, `[n]`; all 0 without a reference.
    """

    ids: Ints
    sentence_of: Ints
    section_of: Ints
    section_parents: Ints
    sentences_read: int
    spans: Ints = field(default_factory=lambda: np.zeros((0, 2), np.int32))
    important: Labels = field(default_factory=lambda: np.zeros(0, np.int8))


def encode_source(
    document: Document,
    tokenizer: PreTrainedTokenizerBase,
    form: SourceFormat,
    question: str = "",
    reference: str | None = None,
) -> EncodedSource:
    """Lay out a document as tokens, truncated to the maximum length.

    Text never becomes a special token, whatever it contains.

    Args:
        document: The document.
        tokenizer: The model's tokenizer.
        form: The layout.
        question: The text before the document, with its own mark: a question that the target
            answers, or a question and its answer.
        reference: The summary that makes tokens important (`longsum.models.tasks.text_runs`).

    Raises:
        LongsumError: The tokenizer has no offsets, or lacks the marks; or the question leaves no
            room for the document.
    """
    if question := clean(question):
        check_marks(tokenizer, (QUESTION_TOKEN,), "choose a task without questions")
    before, after = ends(tokenizer)
    max_tokens = form.tokens - len(after)
    layout = _layout(document, _marks(form.marks, tokenizer), form, question)
    lemmas = None if reference is None else content_lemmas(reference)
    parts = [Tokens.special(before, START)]
    length = len(before)
    for run in layout.runs:
        parts.append(run.encode(tokenizer, lemmas, opening=length == len(before)))
        length += len(parts[-1].ids)
        if length > max_tokens:
            break
    tokens = Tokens.joined(parts)
    overflows = length > max_tokens
    if max_tokens <= len(before) or (
        overflows and tokens.section_of[max_tokens - 1] < layout.first
    ):
        besides = " besides its question" if question else ""
        raise LongsumError(
            f"A source of {form.tokens} tokens has no room for text{besides}; allow more."
        )
    kept = tokens_kept(tokens.sentence_of, tokens.section_of, max_tokens, form.overflow)
    unread = tokens.sentence_of[kept:]
    read = np.setdiff1d(tokens.sentence_of[:kept], np.append(unread, np.int32(NOWHERE)))
    sections, parents = closed(
        tokens.section_of[:kept], np.array(layout.parents, np.int32), len(after)
    )
    whole = Tokens.joined([tokens.first(kept), Tokens.special(after, NOWHERE)])
    return EncodedSource(
        ids=whole.ids,
        sentence_of=whole.sentence_of,
        section_of=sections,
        section_parents=parents,
        sentences_read=len(read),
        spans=whole.spans,
        important=whole.important,
    )


def tokens_kept(sentence_of: Ints, section_of: Ints, max_tokens: int, overflow: Overflow) -> int:
    """Return the number of tokens to keep of a source; see `SourceFormat.overflow`.

    `sentence_of` and `section_of` are those of each token, `[n]`, without the end of the source.
    """
    if len(sentence_of) <= max_tokens or overflow == "cut":
        return min(len(sentence_of), max_tokens)
    if overflow == "whole":
        first = int(np.argmax(section_of == section_of[max_tokens]))
        if (sentence_of[:first] != NOWHERE).any():
            return first
    this, following = sentence_of[:max_tokens], sentence_of[1 : max_tokens + 1]
    last = np.flatnonzero((this != NOWHERE) & (this != following))
    return int(last[-1]) + 1 if len(last) else max_tokens


def closed(section_of: Ints, parents: Ints, closing: int) -> tuple[Ints, Ints]:
    """Return a source's sections up to the last one reached, followed by that of its end.

    Args:
        section_of: Section of each token, `[n]`, without the end of the source.
        parents: Parent of each section, including those beyond the truncation.
        closing: Number of tokens of the end.

    Returns:
        `section_of` `[n + closing]` and `section_parents` `[S]`, as in `EncodedSource`.
    """
    end = int(section_of.max(initial=START)) + 1
    return (
        np.append(section_of, np.full(closing, end, np.int32)),
        np.append(parents[:end], np.array([ABOVE_ALL], np.int32)),
    )


def reads_sections(config: Any) -> bool:
    """Return whether a model of this configuration reads the sections of its source."""
    return bool(getattr(config, "reads_sections", False))


def reads_importance(config: Any) -> bool:
    """Return whether a model of this configuration reads the importance of its tokens."""
    return bool(getattr(config, "reads_importance", False))


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout of a source before truncation.

    A sentence never spans two runs; `first` is the first section of the document, or of its title.
    """

    runs: Iterator[Run]
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
    for number, (marks_before, text) in enumerate(outside, START + 1):
        run = Run(number, marks_before)
        run.add(text)
        opening.append(run)
    offset = START + 1 + len(outside)
    tree = DocumentTree(document)
    parents = (tree.parent(section.number) for section in tree.sections)
    numbers = [ABOVE_ALL if parent is None else offset + parent for parent in parents]
    body = _body(tree.sections, marks, form, offset)
    return _Layout(chain(opening, body), [ABOVE_ALL] * offset + numbers, first)


def _body(
    sections: Iterable[Section], marks: Marks, form: SourceFormat, offset: int
) -> Iterator[Run]:
    place = 0
    for section in sections:
        if section.paragraphs or form.ancestors:
            yield from _section_runs(section, marks, offset + section.number, place)
        place += len(section.sentences)


def _section_runs(section: Section, marks: Marks, number: int, place: int) -> Iterator[Run]:
    run = Run(number, _section_marks(marks, section.level))
    if marks != "none":
        run.add(section.title)
    for paragraph in section.paragraphs:
        if marks in MARK_TOKENS:
            yield run
            run = Run(number, (PARAGRAPH_TOKEN,))
        for sentence in paragraph:
            run.add(sentence.text, place, sentence.start)
            place += 1
    yield run


def _section_marks(marks: Marks, level: int) -> tuple[str, ...]:
    """Return the marks before a heading; the document's title has level 0."""
    match marks:
        case "tokens":
            return (depth_token(level),)
        case "sections":
            return (SECTION_TOKEN,)
    return ()


def _marks(marks: Marks, tokenizer: PreTrainedTokenizerBase) -> Marks:
    if marks == "auto":
        return "titles" if lacking(tokenizer, MARK_TOKENS["tokens"]) else "tokens"
    if marks in MARK_TOKENS:
        check_marks(tokenizer, MARK_TOKENS[marks], "choose marks 'titles' or 'none'")
    return marks
