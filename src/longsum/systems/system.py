"""The one interface of every system, and what is asked of one."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from longsum.documents.model import Document
from longsum.errors import LongsumError
from longsum.summaries import Budget, Ladder, Summary


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a system: see `Summarizer.summarize`."""

    document: Document
    budget: Budget
    focus: str | None = None
    seed: int = 0

    @property
    def named_focus(self) -> dict[str, str]:
        """The focus as the settings of a summary tell it, where there is one."""
        return {} if self.focus is None else {"focus": self.focus}


class Summarizer(Protocol):
    """Whatever makes a summary of a document within a budget."""

    name: str

    def summarize(
        self, document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Summary:
        """Summarize a document.

        Args:
            document: The document.
            budget: The most that the summary may hold; never exceeded.
            focus: What the reader wants to know of, in free words.
            seed: Seed of whatever is random; the same input and seed give the same summary.

        Raises:
            LongsumError: The document has no sentence, or the system takes no focus and one is
                given.
        """
        ...


class System(ABC):
    """A summarizer that tells its settings and can make several lengths at once.

    What a system is capable of stands here, so that nobody has to probe it.

    Attributes:
        name: What the system is called.
        takes_focus: Whether it takes what the reader wants to know of.
        neural: Whether a network reads the document.
        writes: Whether a model writes the sentences, which are then not the document's own.
        nests: Whether the longer summaries of a ladder hold all of the shorter ones.
        reads_references: Whether it reads the reference summary: an upper bound to compare other
            systems with. It summarizes only after `with_references`.
        own_length: A length of its own that it writes, whatever is asked for; None if it has none.
    """

    name: str
    takes_focus: bool = False
    neural: bool = False
    writes: bool = False
    nests: bool = False
    reads_references: bool = False
    own_length: Budget | None = None

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """All that the output depends on, besides document, focus and seed."""

    @property
    def identity(self) -> str:
        """What tells it from a system of the same settings: the hash of weights beside them."""
        return ""

    def ladder(
        self,
        document: Document,
        budgets: Sequence[Budget],
        *,
        start: int = 0,
        focus: str | None = None,
        seed: int = 0,
    ) -> Ladder:
        """Summarize a document at several lengths.

        Args:
            document: The document.
            budgets: The lengths, all in one unit, in any order.
            start: Position in `budgets` of the length asked for.
            focus: What the reader wants to know of.
            seed: Seed of whatever is random.

        Raises:
            LongsumError: The document has no sentence, or the system takes no focus and one is
                given.
        """
        self.check(document, focus)
        asked = self.counting(budgets[start])
        ordered = sorted(map(self.counting, budgets), key=lambda each: each.capacity(document))
        place = ordered.index(asked)
        request = Request(document, asked, focus, seed)
        return Ladder(tuple(self.rungs(request, ordered, place)), place)

    @abstractmethod
    def rungs(self, request: Request, budgets: Sequence[Budget], place: int) -> Iterable[Summary]:
        """Return the summaries of a ladder.

        Args:
            request: What is asked, for one of the lengths.
            budgets: All lengths, in growing order.
            place: Position of that one among them.
        """

    def summarize(
        self, document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Summary:
        """Summarize a document; see `Summarizer.summarize`."""
        if not isinstance(budget, Budget):
            raise TypeError(
                f"a system takes a Budget, not {type(budget).__name__}; Budget.parse('250w') makes "
                "one, and longsum.summarize takes '250w' as it is"
            )
        return self.ladder(document, [budget], focus=focus, seed=seed).rungs[0]

    def with_references(self, references: Sequence[str]) -> Self:  # noqa: ARG002
        """Return the system for one document, given its references, if it reads them."""
        return self

    def words_read(self, document: Document) -> int | None:  # noqa: ARG002
        """Return about how many words of such a document it reads at most; None if all."""
        return None

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted as the system counts them.

        By default they are words and marks of punctuation.
        """
        return budget

    def check(self, document: Document, focus: str | None) -> None:
        """Check that the document has something to summarize, and that a focus is taken if given.

        Raises:
            LongsumError: One of these is not so.
            TypeError: The document is none.
        """
        if not isinstance(document, Document):
            raise TypeError(
                "a system summarizes what longsum.read returns, not "
                f"{type(document).__name__}; longsum.summarize takes texts and paths too"
            )
        if not document.sentences:
            raise LongsumError("The document has no sentence; there is nothing to summarize.")
        if focus is not None and not self.takes_focus:
            raise LongsumError(
                f"The system '{self.name}' takes no focus; leave it out or use --system kernels."
            )
        if focus is not None and not focus.strip():
            raise LongsumError("The focus is empty; say what you want to know of, or leave it out.")
