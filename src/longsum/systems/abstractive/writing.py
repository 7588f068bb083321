"""What systems share that write their summaries instead of choosing sentences."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from longsum.documents.model import Document
from longsum.summaries import Budget, Summary
from longsum.systems.system import Request, System


class WritingSummarizer(System):
    """A system that writes. A ladder's rungs are written each by itself, and need not nest.

    A system is this class with `write`; the order of lengths and the focus stand here, once.
    """

    writes = True

    @abstractmethod
    def write(self, document: Document, budgets: Sequence[Budget], seed: int) -> Iterator[Summary]:
        """Yield a summary for each budget; budgets come in the order of their lengths."""

    def rungs(
        self,
        request: Request,
        budgets: Sequence[Budget],
        place: int,  # noqa: ARG002
    ) -> Iterator[Summary]:
        """Write each length by itself."""
        return self.write(request.document, budgets, request.seed)
