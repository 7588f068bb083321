"""Training data of models that check summaries: cloze questions, and claims (HEPOS §5, App. B)."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Literal, get_args

from pydantic import ConfigDict, Field

from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.evaluation.datasets import Example
from longsum.lab.checking.apes import BLANK, Cloze, ClozeMaker
from longsum.lab.checking.consistency import Contexts
from longsum.lab.checking.corruptions import PAPER_KINDS, CorruptionKind, Swaps
from longsum.language.compression.compression import shorten
from longsum.language.sentences import split_sentences

ClaimKind = Literal["original", CorruptionKind, "unsupported"]
CLAIM_KINDS: tuple[ClaimKind, ...] = ("original", *get_args(CorruptionKind), "unsupported")

MIN_WORDS = 4
"""Fewest words of a claim; headings and fragments claim nothing."""
# Fewest and most words of the document's own sentences that are used as claims.
_FEWEST, _MOST = 8, 45
_SHORTENED = 0.5
"""Share of these that are shortened."""


@dataclass(frozen=True, slots=True)
class ClaimPlan:
    """What claims are made from, and how they are corrupted.

    Attributes:
        kinds: The ways to corrupt a claim.
        per_claim: Corruptions of each claim, of randomly drawn kinds; None for one of every kind.
        sentences: Most sentences of a context; None for as many as increase ROUGE-2 recall.
        own_contexts: Whether the context of a corrupted claim is chosen for the corrupted claim, as
            for a sentence of a summary, rather than for the original one.
        copies: Number of sentences of each document that are used as claims, too, half of them
            shortened (`longsum.language.compression`).
        unsupported: Share of these that are used once more, with the context that is chosen if the
            document lacks them.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    kinds: tuple[CorruptionKind, ...] = PAPER_KINDS
    per_claim: Annotated[int, Field(ge=1)] | None = None
    sentences: Annotated[int, Field(ge=1)] | None = None
    own_contexts: bool = False
    copies: Annotated[int, Field(ge=0)] = 0
    unsupported: Annotated[float, Field(ge=0, le=1)] = 0.0


PAPER = ClaimPlan()
"""The settings of HEPOS and FactCC."""


@dataclass(frozen=True, slots=True)
class SpanItem:
    """A cloze question with its answer in a context."""

    question: str
    context: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ClaimItem:
    """A claim and its context.

    Attributes:
        claim: A sentence of a reference or of the document, or one made from it.
        context: The sentences of the document that it is checked against.
        kind: `original`, which is consistent with the context; how it was corrupted; or
            `unsupported`, if the context lacks the sentence that states it.
    """

    claim: str
    context: str
    kind: ClaimKind


def span_items(example: Example, maker: ClozeMaker) -> Iterator[SpanItem | None]:
    """Yield the cloze questions of an example's references with their answers in the context.

    None stands for a question whose answer is not in the context, which is useless for training
    (HEPOS §5); the caller counts them. If the answer occurs several times, the occurrence whose
    sentence shares most words with the question is taken; the paper does not say which.
    """
    sentences = [sentence.text for sentence in example.document.sentences]
    contexts = Contexts(sentences)
    for reference in example.references:
        chosen = [sentences[place] for place in contexts.choose(reference)]
        words = [set(rouge_tokens(sentence)) for sentence in chosen]
        for cloze in maker.questions(reference):
            span = _answer_span(chosen, words, cloze)
            yield span and SpanItem(cloze.question, " ".join(chosen), *span)


def _answer_span(
    sentences: Sequence[str], words: Sequence[Collection[str]], cloze: Cloze
) -> tuple[int, int] | None:
    """Return the span of the answer in the joined sentences, whose words are `words`."""
    answer = re.compile(rf"(?<!\w){re.escape(cloze.answer)}(?!\w)", re.IGNORECASE)
    question_words = set(rouge_tokens(cloze.question.replace(BLANK, " ")))
    most, span, start = -1, None, 0
    for sentence, sentence_words in zip(sentences, words, strict=True):
        shared = len(question_words.intersection(sentence_words))
        if shared > most and (match := answer.search(sentence)):
            most, span = shared, (start + match.start(), start + match.end())
        start += len(sentence) + 1
    return span


def claim_items(example: Example, seed: int, plan: ClaimPlan = PAPER) -> Iterator[ClaimItem]:
    """Yield claims about an example's document, each followed by its corruptions.

    By default, claims are the sentences of its references, and each is corrupted in every way that
    applies, with names and numbers of the document; `plan` changes that. Sentences that share no
    bigram with the document have no context and are left out. Random draws depend on the seed and
    the example's id.
    """
    sentences = [sentence.text for sentence in example.document.sentences]
    swaps, rng = Swaps(sentences), Random(f"{seed} {example.id}")
    contexts = Contexts(sentences)
    for claim in claims_of(example):
        yield from _claim_and_corruptions(claim, swaps, contexts, plan, rng)
    for place in _copied(example, plan, rng):
        claim = sentences[place]
        shorter = shorten(claim).text if rng.random() < _SHORTENED else claim
        yield from _claim_and_corruptions(shorter, swaps, contexts, plan, rng)
        if plan.unsupported and rng.random() < plan.unsupported:
            occurrences = [at for at, other in enumerate(sentences) if other == claim]
            context = contexts.text(shorter, plan.sentences, without=occurrences)
            if context:
                yield ClaimItem(shorter, context, "unsupported")


def _claim_and_corruptions(
    claim: str, swaps: Swaps, contexts: Contexts, plan: ClaimPlan, rng: Random
) -> Iterator[ClaimItem]:
    context = contexts.text(claim, plan.sentences)
    if not context:
        return
    yield ClaimItem(claim, context, "original")
    kinds = list(plan.kinds)
    if plan.per_claim is not None:
        rng.shuffle(kinds)
    count = 0
    for kind in kinds:
        if count == plan.per_claim:
            return
        corrupted = swaps.corrupt(claim, kind, rng)
        if corrupted is None:
            continue
        corrupted_context = (
            contexts.text(corrupted.text, plan.sentences) if plan.own_contexts else context
        )
        if corrupted_context:
            count += 1
            yield ClaimItem(corrupted.text, corrupted_context, kind)


def _copied(example: Example, plan: ClaimPlan, rng: Random) -> list[int]:
    """Return the positions of the document's sentences that are used as claims."""
    if not plan.copies:
        return []
    suitable = [
        place
        for place, sentence in enumerate(example.document.sentences)
        if sentence.kind == "prose" and _FEWEST <= len(sentence.text.split()) <= _MOST
    ]
    return sorted(rng.sample(suitable, min(plan.copies, len(suitable))))


def claims_of(example: Example) -> Iterator[str]:
    """Yield the sentences of an example's references that have at least `MIN_WORDS` words."""
    for reference in example.references:
        for line in reference.splitlines():
            for start, end in split_sentences(line):
                if len(line[start:end].split()) >= MIN_WORDS:
                    yield line[start:end]
