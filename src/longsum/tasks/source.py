"""A document as the tokens that a model reads, each knowing its sentence and its section."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

import numpy as np
from transformers import PreTrainedTokenizerBase

from longsum.documents.builder import clean
from longsum.documents.model import Document, Section
from longsum.documents.tree import DocumentTree
from longsum.errors import LongsumError
from longsum.tasks.importance import Labels, content_lemmas
from longsum.tasks.runs import NOWHERE as NOWHERE
from longsum.tasks.runs import Ints as Ints
from longsum.tasks.runs import Run, Tokens
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
        spans: Where each token stands in `Document.text`, `[n, 2]`; of one that belongs to no
            sentence `NOWHERE`.
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
    """Lay out a document as tokens, from its beginning up to the longest source.

    Text is never taken for a special token, whatever it contains.

    Args:
        document: The document.
        tokenizer: The model's tokenizer.
        form: The layout.
        question: What stands before the document, with a mark of its own: a question that the
            target answers, or a question and its answer.
        reference: The summary by which tokens are important (`longsum.tasks.importance`).

    Raises:
        LongsumError: The tokenizer cannot tell where its tokens stand, or lacks the marks; or the
            question leaves no room for the document.
    """
    if question := clean(question):
        check_marks(tokenizer, (QUESTION_TOKEN,), "choose a task without questions")
    before, after = ends(tokenizer)
    most = form.tokens - len(after)
    layout = _layout(document, _marks(form.marks, tokenizer), form, question)
    lemmas = None if reference is None else content_lemmas(reference)
    parts = [Tokens.special(before, START)]
    length = len(before)
    for run in layout.runs:
        parts.append(run.encode(tokenizer, lemmas, opening=length == len(before)))
        length += len(parts[-1].ids)
        if length > most:
            break
    found = Tokens.joined(parts)
    if most <= len(before) or (length > most and found.section_of[most - 1] < layout.first):
        beside = " beside its question" if question else ""
        raise LongsumError(f"A source of {form.tokens} tokens holds no text{beside}; allow more.")
    kept = tokens_kept(found.sentence_of, found.section_of, most, form.overflow)
    unread = found.sentence_of[kept:]
    read = np.setdiff1d(found.sentence_of[:kept], np.append(unread, np.int32(NOWHERE)))
    sections, parents = closed(
        found.section_of[:kept], np.array(layout.parents, np.int32), len(after)
    )
    whole = Tokens.joined([found.first(kept), Tokens.special(after, NOWHERE)])
    return EncodedSource(
        ids=whole.ids,
        sentence_of=whole.sentence_of,
        section_of=sections,
        section_parents=parents,
        sentences_read=len(read),
        spans=whole.spans,
        important=whole.important,
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


def reads_importance(config: Any) -> bool:
    """Tell whether a model of this configuration is to be given the importance of its tokens."""
    return bool(getattr(config, "reads_importance", False))


@dataclass(frozen=True, slots=True)
class _Layout:
    """What may stand in a source.

    Attributes:
        runs: Its text in reading order; a sentence never spans two runs.
        parents: The section above each section.
        first: The first section that is part of the document, be it the title's.
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
    for number, (opened, text) in enumerate(outside, START + 1):
        opening.append(Run(number, opened))
        opening[-1].add(text)
    below = START + 1 + len(outside)
    tree = DocumentTree(document)
    above = (tree.parent(section.number) for section in tree.sections)
    parents = [ABOVE_ALL if parent is None else below + parent for parent in above]
    body = _body(tree.sections, marks, form, below)
    return _Layout(chain(opening, body), [ABOVE_ALL] * below + parents, first)


def _body(
    sections: Iterable[Section], marks: Marks, form: SourceFormat, below: int
) -> Iterator[Run]:
    place = 0
    for section in sections:
        if section.paragraphs or form.ancestors:
            yield from _section_runs(section, marks, below + section.number, place)
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
    """Return what stands before a heading; the document's title is of level 0."""
    match marks:
        case "tokens":
            return (depth_token(level),)
        case "sections":
            return (SECTION_TOKEN,)
    return ()


def _marks(asked: Marks, tokenizer: PreTrainedTokenizerBase) -> Marks:
    if asked == "auto":
        return "titles" if lacking(tokenizer, MARK_TOKENS["tokens"]) else "tokens"
    if asked in MARK_TOKENS:
        check_marks(tokenizer, MARK_TOKENS[asked], "choose marks 'titles' or 'none'")
    return asked
