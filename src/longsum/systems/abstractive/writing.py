"""What systems share that write their summaries instead of choosing sentences."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from longsum.documents.model import Document
from longsum.summaries import Budget, Ladder, Summary
from longsum.systems.system import System


class WritingSummarizer(System):
    """A system that writes. A ladder's rungs are written each by itself, and need not nest.

    A system is this class with `write`; the order of lengths and the focus stand here, once.
    """

    writes = True

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
