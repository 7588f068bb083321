"""A document as read by a generation model, shared by all texts written from it."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longsum.core.grounding.alignment import Aligner
from longsum.core.grounding.verification import Verifier
from longsum.core.summaries import Notice, SourceSpan, SummarySentence
from longsum.documents.model import Document
from longsum.models.writing.budgeting import Pace, pace
from longsum.models.writing.writer import ReadSource, Writer


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document with its encoding by a model.

    Attributes:
        document: The document.
        reading: The model's encoding.
        pace: Its average token counts.
        aligner: Finds the sources of written sentences among the sentences that were read.
        verifier: Checks written sentences against the document.
        seconds: Time taken to prepare all of this.
    """

    document: Document
    reading: ReadSource
    pace: Pace
    aligner: Aligner
    verifier: Verifier
    seconds: float

    @classmethod
    def by(cls, writer: Writer[Any], document: Document, question: str = "") -> "ReadDocument":
        """Read a document with a writer, after a question if there is one."""
        began = perf_counter()
        reading = writer.read(document, question)
        sentences = [sentence.text for sentence in document.sentences]
        reached = int(reading.sentence_of.max(initial=-1)) + 1
        return cls(
            document,
            reading,
            pace_of(document, reading.sentence_of),
            Aligner(sentences[:reached]),
            Verifier(sentences),
            perf_counter() - began,
        )

    def sentence(
        self, text: str, step: int, attention: NDArray[np.float64] | None = None
    ) -> SummarySentence:
        """Align a sentence with the document and verify it against its sources.

        Args:
            text: The sentence.
            step: Its position in the text.
            attention: See `Aligner.align`.
        """
        found = self.aligner.align(text, attention)
        document = self.document
        cited = [alignment.sentence for alignment in found]
        copied = bool(found) and found[0].method == "copied"
        return SummarySentence(
            text=text,
            sources=tuple(
                SourceSpan.of(document, alignment.sentence, alignment.score, alignment.method)
                for alignment in found
            ),
            score=found[0].score if found else 0.0,
            reasons=found[0].reasons if found else {},
            step=step,
            doubts=() if copied else self.verifier.doubts(text, cited),
        )

    def unread(self, limit: int) -> Iterator[Notice]:
        """Yield a notice if the document exceeds the model's limit, in tokens."""
        total, known = len(self.document.sentences), self.reading.sentences_read
        if known < total:
            yield Notice(
                "reading",
                f"The model reads {limit:,} tokens at most, here the first {known:,} of {total:,} "
                "sentences; the rest was not read.",
            )


def pace_of(document: Document, sentence_of: NDArray[np.int32]) -> Pace:
    """Return the average token counts over the encoded part of a document.

    Args:
        document: The document.
        sentence_of: Sentence of each token, `[n]`, or `NOWHERE`.
    """
    known = sentence_of[sentence_of >= 0]
    last = int(known.max(initial=0))
    # The last sentence may be truncated, so it is left out unless it is the only one.
    whole = known[known < last] if last else known
    texts = [sentence.text for sentence in document.sentences[: max(last, 1)]]
    return pace(texts, max(len(whole), 1))
