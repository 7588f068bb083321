"""What models that check summaries learn from: cloze questions, and claims (HEPOS §5, App. B)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from longsum.datasets import Example
from longsum.evaluation.cloze import ClozeMaker
from longsum.evaluation.context import context_of
from longsum.language.sentences import split_sentences
from longsum.tasks.checking.corruptions import CORRUPTION_KINDS, CorruptionKind, Swaps

ClaimKind = Literal["original", CorruptionKind]
CLAIM_KINDS: tuple[ClaimKind, ...] = ("original", *get_args(CorruptionKind))

MIN_WORDS = 4
"""Fewest words of a claim; a heading or a stray piece claims nothing."""


@dataclass(frozen=True, slots=True)
class SpanItem:
    """A cloze question with its answer in a context.

    Attributes:
        question: The question.
        context: The text that answers it.
        start: Offset of the answer in the context.
        end: Offset after it.
    """

    question: str
    context: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ClaimItem:
    """A sentence of a reference, or what was made of one, and its context.

    Attributes:
        claim: The sentence.
        context: The sentences of the document that the original is about.
        kind: `original`, which is consistent with the context; or how it was corrupted.
    """

    claim: str
    context: str
    kind: ClaimKind


def span_items(example: Example, maker: ClozeMaker) -> Iterator[SpanItem | None]:
    """Yield the cloze questions of an example's references with their answers in the context.

    None stands for a question whose answer the context lacks, which nothing can be learned from
    (HEPOS §5); the caller counts them. Of several places with the answer, the first is taken.
    """
    sentences = [sentence.text for sentence in example.document.sentences]
    for reference in example.references:
        context = context_of(sentences, reference)
        for cloze in maker.questions(reference):
            found = re.search(rf"(?<!\w){re.escape(cloze.answer)}(?!\w)", context, re.IGNORECASE)
            yield found and SpanItem(cloze.question, context, *found.span())


def claim_items(example: Example, seed: int) -> Iterator[ClaimItem]:
    """Yield the sentences of an example's references, each followed by its corruptions.

    Each sentence is corrupted in every way that it lends itself to, names and numbers with others
    of the document. Sentences that share no bigram with the document have no context, and are left
    out. The seed and the example's id decide what is drawn.
    """
    sentences = [sentence.text for sentence in example.document.sentences]
    swaps, rng = Swaps(sentences), Random(f"{seed} {example.id}")
    for claim in claims_of(example):
        context = context_of(sentences, claim)
        if not context:
            continue
        yield ClaimItem(claim, context, "original")
        for kind in CORRUPTION_KINDS:
            corrupted = swaps.corrupt(claim, kind, rng)
            if corrupted is not None:
                yield ClaimItem(corrupted.text, context, kind)


def claims_of(example: Example) -> Iterator[str]:
    """Yield the sentences of an example's references that have `MIN_WORDS` words."""
    for reference in example.references:
        for line in reference.splitlines():
            for start, end in split_sentences(line):
                if len(line[start:end].split()) >= MIN_WORDS:
                    yield line[start:end]
