"""Summaries by any author, with each sentence traced to its sources and checked."""

import numpy as np
from numpy.typing import NDArray

from longsum.core.grounding.alignment import Aligner
from longsum.core.grounding.verification import Verifier
from longsum.core.summaries import Budget, Coverage, SourceSpan, Summary, SummarySentence
from longsum.documents.model import Document
from longsum.language.sentences import split_sentences


class Grounding:
    """Finds the sources of sentences in a document, and checks the sentences against them.

    Only the document's first `reached` sentences may be sources; None for all.
    """

    def __init__(self, document: Document, reached: int | None = None) -> None:
        texts = [sentence.text for sentence in document.sentences]
        self._document = document
        self._aligner, self._verifier = Aligner(texts[:reached]), Verifier(texts)

    def sentence(
        self, text: str, step: int, attention: NDArray[np.float64] | None = None
    ) -> SummarySentence:
        """Align and verify a sentence, the one at position `step` of its text.

        See `Aligner.align` for the attention.
        """
        alignments = self._aligner.align(text, attention)
        copied = bool(alignments) and alignments[0].method == "copied"
        cited = [alignment.sentence for alignment in alignments]
        return SummarySentence(
            text=text,
            sources=tuple(
                SourceSpan.of(self._document, alignment.sentence, alignment.score, alignment.method)
                for alignment in alignments
            ),
            score=alignments[0].score if alignments else 0.0,
            reasons=alignments[0].reasons if alignments else {},
            step=step,
            doubts=() if copied else self._verifier.doubts(text, cited),
        )


def summary_of(
    document: Document,
    text: str,
    length: str | int | Budget = "medium",
    *,
    system: str = "given",
    seed: int = 0,
) -> Summary:
    """Make a summary out of a text that summarizes a document.

    The text is not cut, and a line break ends a sentence; `system` names its author.

    Raises:
        LongsumError: The length is invalid.
    """
    budget = length if isinstance(length, Budget) else Budget.parse(str(length))
    grounding = Grounding(document)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    parts = [line[start:end] for line in lines for start, end in split_sentences(line)]
    return Summary(
        document=document,
        sentences=tuple(grounding.sentence(part, step) for step, part in enumerate(parts)),
        budget=budget,
        coverage=Coverage.whole(document),
        system=system,
        seed=seed,
        finish_reason="model_end",
    )
