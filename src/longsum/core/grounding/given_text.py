"""Summaries of texts that anybody wrote, each sentence with its sources and checked."""

import numpy as np
from numpy.typing import NDArray

from longsum.core.grounding.alignment import Aligner
from longsum.core.grounding.verification import Verifier
from longsum.core.summaries import Budget, Coverage, SourceSpan, Summary, SummarySentence
from longsum.documents.model import Document
from longsum.language.sentences import split_sentences


def grounded(
    document: Document,
    text: str,
    step: int,
    aligner: Aligner,
    verifier: Verifier,
    attention: NDArray[np.float64] | None = None,
) -> SummarySentence:
    """Align a sentence with a document and verify it against its sources.

    Args:
        document: The document.
        text: The sentence.
        step: Its position in the text.
        aligner: Of the document's sentences, or of the first of them.
        verifier: Of the document's sentences.
        attention: See `Aligner.align`.
    """
    found = aligner.align(text, attention)
    copied = bool(found) and found[0].method == "copied"
    return SummarySentence(
        text=text,
        sources=tuple(
            SourceSpan.of(document, each.sentence, each.score, each.method) for each in found
        ),
        score=found[0].score if found else 0.0,
        reasons=found[0].reasons if found else {},
        step=step,
        doubts=() if copied else verifier.doubts(text, [each.sentence for each in found]),
    )


def summary_of(
    document: Document,
    text: str,
    length: str | int | Budget = "medium",
    *,
    system: str = "given",
    seed: int = 0,
) -> Summary:
    """Make a summary of a text that says what a document says.

    Args:
        document: The document.
        text: The text, which is not cut; a line break ends a sentence.
        length: The length that was asked for.
        system: Who wrote it.
        seed: With which seed.

    Raises:
        LongsumError: The length is no length.
    """
    budget = length if isinstance(length, Budget) else Budget.parse(str(length))
    sentences = [sentence.text for sentence in document.sentences]
    aligner, verifier = Aligner(sentences), Verifier(sentences)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    parts = [line[start:end] for line in lines for start, end in split_sentences(line)]
    return Summary(
        document=document,
        sentences=tuple(
            grounded(document, part, step, aligner, verifier) for step, part in enumerate(parts)
        ),
        budget=budget,
        coverage=Coverage.whole(document),
        system=system,
        seed=seed,
        finish_reason="model_end",
    )
