"""What systems share that write their summaries instead of choosing sentences."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from longsum.documents.model import Document
from longsum.summaries import Budget, Coverage, Ladder, SourceSpan, Summary, SummarySentence
from longsum.systems.extractive.summarizer import System


class WritingSummarizer(System):
    """A system that writes. A ladder's rungs are written each by itself, and need not nest.

    A system is this class with `write`; the order of lengths and the focus stand here, once.
    """

    @abstractmethod
    def write(self, document: Document, budgets: Sequence[Budget], seed: int) -> Iterator[Summary]:
        """Yield a summary for each budget; budgets come in the order of their lengths."""

    def ladder(
        self,
        document: Document,
        budgets: Sequence[Budget],
        *,
        start: int = 0,
        focus: str | None = None,
        seed: int = 0,
    ) -> Ladder:
        """Summarize a document at several lengths; see `System.ladder`."""
        self.check(document, focus)
        ordered = sorted(map(self.counting, budgets), key=lambda found: found.capacity(document))
        rungs = tuple(self.write(document, ordered, seed))
        return Ladder(rungs, ordered.index(budgets[start]))


def coverage_of(document: Document, read: Iterable[int]) -> Coverage:
    """Return what was read, given the sentences that were; a section is unread if none of its was.

    Sections without sentences of their own count as read.
    """
    sentences = set(read)
    unread = []
    place = 0
    for section in document.walk():
        own = range(place, place + len(section.sentences))
        place = own.stop
        if own and sentences.isdisjoint(own):
            unread.append(section.number)
    return Coverage(len(sentences), len(document.sentences), tuple(unread))


def lifted(
    sentence: SummarySentence, document: Document, positions: Sequence[int], step: int
) -> SummarySentence:
    """Return a sentence on part of a document as one on the whole.

    Args:
        sentence: The sentence.
        document: The whole.
        positions: Where each sentence of the part stands in the whole.
        step: Its place in the whole summary.
    """
    return replace(
        sentence,
        sources=tuple(
            SourceSpan.of(document, positions[source.sentence], source.score, source.method)
            for source in sentence.sources
        ),
        step=step,
        runner_up=None if sentence.runner_up is None else positions[sentence.runner_up],
        rivals=tuple(
            replace(rival, sentences=tuple(positions[place] for place in rival.sentences))
            for rival in sentence.rivals
        ),
    )


def doubtful(sentences: Sequence[SummarySentence]) -> tuple[str, ...]:
    """Return the warning that some sentences could not be verified, if some could not."""
    count, total = sum(not sentence.verified for sentence in sentences), len(sentences)
    if not count:
        return ()
    some = "The only sentence" if total == 1 else f"{count} of {total} sentences"
    return (f"{some} could not be verified: not all of it was found in the sources.",)
