"""A document that a writing model has read, and what is known of it once for all that it writes."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from longsum.documents.model import Document
from longsum.summaries import Notice, SourceSpan, SummarySentence
from longsum.systems.abstractive.budgeting import Pace, pace
from longsum.systems.abstractive.writer import Reading, Writer
from longsum.systems.grounding.alignment import Aligner
from longsum.systems.grounding.verification import doubts


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What a model has read.

    Attributes:
        document: The document.
        reading: What the model made of it.
        pace: Its tokens by word and by sentence.
        aligner: Finds the sources of what is written, among the sentences that were reached.
        seconds: How long all of this took.
    """

    document: Document
    reading: Reading
    pace: Pace
    aligner: Aligner
    seconds: float

    @classmethod
    def by(cls, writer: Writer, document: Document, question: str = "") -> "ReadDocument":
        """Let a writer read a document, after a question where there is one."""
        began = perf_counter()
        reading = writer.read(document, question)
        reached = int(reading.sentence_of.max(initial=-1)) + 1
        return cls(
            document,
            reading,
            pace_of(document, reading.sentence_of),
            Aligner([sentence.text for sentence in document.sentences[:reached]]),
            perf_counter() - began,
        )

    def sentence(
        self, text: str, step: int, attention: NDArray[np.float64] | None = None
    ) -> SummarySentence:
        """Align a sentence with the document and check it against its sources.

        Args:
            text: The sentence, as written.
            step: Its position among those written.
            attention: As of `Aligner.align`.
        """
        found = self.aligner.align(text, attention)
        document = self.document
        cited = [document.sentences[alignment.sentence].text for alignment in found]
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
            doubts=() if copied else doubts(text, cited),
        )

    def unread(self, most: int) -> Iterator[Notice]:
        """Say what was not read, if anything, of a model that reads so many tokens at most."""
        total, known = len(self.document.sentences), self.reading.sentences_read
        if known < total:
            yield Notice(
                "reading",
                f"The model reads {most:,} tokens at most, here the first {known:,} of {total:,} "
                "sentences; the rest was not read.",
            )


def pace_of(document: Document, sentence_of: NDArray[np.int32]) -> Pace:
    """Measure the pace on all that was encoded of a document.

    Args:
        document: The document.
        sentence_of: Sentence of each token, `[n]`, or `NOWHERE`.
    """
    known = sentence_of[sentence_of >= 0]
    last = int(known.max(initial=0))
    # The last one may be cut short, and so is left out where there are others.
    whole = known[known < last] if last else known
    texts = [sentence.text for sentence in document.sentences[: max(last, 1)]]
    return pace(texts, max(len(whole), 1))
