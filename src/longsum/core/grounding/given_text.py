"""Summaries of texts that anybody wrote, each sentence with its sources and checked."""

import numpy as np
from numpy.typing import NDArray

from longsum.core.grounding.alignment import Aligner
from longsum.core.grounding.verification import Verifier
from longsum.core.summaries import Budget, Coverage, SourceSpan, Summary, SummarySentence
from longsum.documents.model import Document
from longsum.language.sentences import split_sentences


class Grounding:
    """Gives sentences that anybody wrote their sources in a document, and checks them.

    Only its first `reached` sentences may be sources; None for all.
    """

    def __init__(self, document: Document, reached: int | None = None) -> None:
        texts = [sentence.text for sentence in document.sentences]
        self._document = document
        self._aligner, self._verifier = Aligner(texts[:reached]), Verifier(texts)

    def sentence(
        self, text: str, step: int, attention: NDArray[np.float64] | None = None
    ) -> SummarySentence:
        """Return a sentence at a position of a text, aligned and verified; see `Aligner.align`."""
        found = self._aligner.align(text, attention)
        copied = bool(found) and found[0].method == "copied"
        cited = [each.sentence for each in found]
        return SummarySentence(
            text=text,
            sources=tuple(
                SourceSpan.of(self._document, each.sentence, each.score, each.method)
                for each in found
            ),
            score=found[0].score if found else 0.0,
            reasons=found[0].reasons if found else {},
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
    """Make a summary of a text that says what a document says.

    The text is not cut, and a line break ends a sentence; the system is who wrote it.

    Raises:
        LongsumError: The length is no length.
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
