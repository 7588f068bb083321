"""The interfaces of systems and of makers of trees."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from longsum.common.errors import LongsumError
from longsum.core.summaries import Budget, Fill, NestedSummaries, Summary
from longsum.core.summaries.summary import Importance
from longsum.documents.model import Document
from longsum.language.characters import clean

if TYPE_CHECKING:
    from longsum.core.summaries.question_summary import QuestionSummary

Progress = Callable[[int, int, int], None]
"""Receives a level, from 1, the number of its finished parts, and their total."""

SHORTEN = "shorten"
"""The setting of every system that copies sentences (`System.shortening`)."""

NEURAL_WORDS = 100_000
"""Words that a neural extractor reads at once, in about 20 seconds on two cores. Time and memory
grow with the text, and progress on a longer one should survive an interruption (docs/books.md)."""
_MARGIN = 0.9
"""Share of a model's estimated word limit that a part may use, as token counts vary."""


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments of `Summarizer.summarize` as one value.

    `known` has the positions of sentences that a reader already knows; an extractor chooses others.
    """

    document: Document
    budget: Budget
    focus: str | None = None
    seed: int = 0
    known: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Clean the focus, since undecodable bytes of a command line become surrogates."""
        if self.focus is not None:
            object.__setattr__(self, "focus", clean(self.focus))

    @property
    def named_focus(self) -> dict[str, str]:
        """The focus as an entry of a summary's settings; empty without a focus."""
        return {} if self.focus is None else {"focus": self.focus}


class Summarizer(Protocol):
    """Makes a summary of a document within a budget."""

    name: str

    def summarize(
        self, document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Summary:
        """Summarize a document.

        Args:
            document: The document.
            budget: The maximum length of the summary; never exceeded.
            focus: What the reader wants to know about, in free text.
            seed: Random seed; the same input and seed give the same summary.

        Raises:
            LongsumError: The document has no sentence, or the system takes no focus and one is
                given.
        """
        ...


class System(ABC):
    """A summarizer that reports its settings and can make several lengths at once.

    A system declares its capabilities as attributes, so that callers need not probe for them.

    Attributes:
        name: Name of the system.
        takes_focus: Whether it accepts a focus.
        neural: Whether a neural network reads the document.
        writes: Whether a model generates the sentences instead of copying the document's.
        nests: Whether each summary contains all shorter ones.
        reads_references: Whether it reads the reference summary, as an upper bound to compare other
            systems with. It summarizes only after `with_references`.
        shortens: Whether it can shorten the sentences that it copies (`shortening`).
        own_length: The fixed length that it generates regardless of the budget; None if it follows
            the budget.
        ends: Whether it knows by itself, sentence by sentence, where a summary ends.
        concurrent: Whether threads may, and benefit from, summarizing with it concurrently.
        divides_by_itself: Whether it has a way of its own to divide long documents.
        keeps_work: Whether it keeps steps of its own for an interrupted run (`resuming_in`).
    """

    name: str
    takes_focus: bool = False
    neural: bool = False
    writes: bool = False
    nests: bool = False
    reads_references: bool = False
    shortens: bool = False
    own_length: Budget | None = None
    ends: bool = False
    concurrent: bool = False
    divides_by_itself: bool = False
    keeps_work: bool = False

    @property
    def spent(self) -> str:
        """What its calls have used so far, for progress displays; empty without any."""
        return ""

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """Everything that the output depends on, besides document, focus and seed."""

    @property
    def identity(self) -> str:
        """A hash of weights that the settings do not include; empty if there are none."""
        return ""

    def at_lengths(
        self,
        document: Document,
        budgets: Sequence[Budget],
        *,
        start: int = 0,
        focus: str | None = None,
        seed: int = 0,
    ) -> NestedSummaries:
        """Summarize a document at several lengths.

        Args:
            document: The document.
            budgets: The lengths, all in the same unit, in any order.
            start: Index in `budgets` of the requested length.
            focus: What the reader wants to know about.
            seed: Random seed.

        Raises:
            LongsumError: The document has no sentence, or the system takes no focus and one is
                given.
        """
        self.check(document, focus)
        resolved = [self.resolved(document, each, focus=focus, seed=seed) for each in budgets]
        requested = self.counting(resolved[start])
        ordered = sorted(map(self.counting, resolved), key=lambda each: each.capacity(document))
        request = Request(document, requested, focus, seed)
        return NestedSummaries(tuple(self.lengths(request, ordered)), ordered.index(requested))

    def resolved(
        self, document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Budget:
        """Return the budget, set to the system's own length if that is left to it.

        Raises:
            LongsumError: The length is left to the system, and it has none of its own.
        """
        if not budget.is_open:
            return budget
        self.check(document, focus)
        return self.own_budget(Request(document, budget, focus, seed))

    def own_budget(self, request: Request) -> Budget:  # noqa: ARG002
        """Return the length that the system itself would give a summary.

        Raises:
            LongsumError: It has no length of its own.
        """
        if self.own_length is None:
            raise LongsumError(
                f"The system '{self.name}' has no length of its own; give one, such as 250w."
            )
        return replace(self.own_length, automatic=True)

    def with_fill(self, fill: Fill) -> Self:
        """Return the system with another way to fill a length.

        Raises:
            LongsumError: It has only one way.
        """
        raise LongsumError(
            f"The system '{self.name}' has no setting for how to fill a length; leave out "
            f"fill='{fill}' or use the system 'stepwise'."
        )

    @abstractmethod
    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterable[Summary]:
        """Return the summaries at several lengths.

        They come in increasing order, the requested one among them.
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
        return self.at_lengths(document, [budget], focus=focus, seed=seed).summaries[0]

    def with_encodings(self, documents: Sequence[Document]) -> Self:  # noqa: ARG002
        """Return the system prepared to summarize documents, or parts of them, faster.

        Their summaries stay the same. Computing things for all of them together takes less time
        than one after the other, and memory until the system is released.
        """
        return self

    def skims(self, document: Document) -> bool:  # noqa: ARG002
        """Return whether it skims a document because of its length."""
        return False

    def skimming(self, on: bool) -> Self:  # noqa: ARG002
        """Return a system that skims all documents, or none, if it can skim."""
        return self

    def resuming_in(self, folder: Path | None, progress: Progress | None) -> Self:  # noqa: ARG002
        """Return a system that stores its steps and reports progress, if it works in steps.

        Args:
            folder: Where it stores steps that an interrupted run need not repeat.
            progress: Called for each finished step.
        """
        return self

    def estimate(self, request: Request) -> object:  # noqa: ARG002
        """Return an estimate of a summary's cost, which prints as a sentence.

        Raises:
            LongsumError: The system has no calls to count.
        """
        raise LongsumError(
            f"The system '{self.name}' makes no calls that could be counted; leave out --estimate."
        )

    def with_references(self, references: Sequence[str]) -> Self:  # noqa: ARG002
        """Return the system for one document with its references, if it reads them."""
        return self

    @property
    def is_shortening(self) -> bool:
        """Whether it shortens the sentences that it copies."""
        return False

    def shortening(self, on: bool) -> Self:
        """Return the system with the sentences it copies shortened, or left as they are.

        Args:
            on: Whether to delete their dispensable parts (`longsum.language.compression`).

        Raises:
            LongsumError: They should be shortened, which the system does not support.
        """
        if on:
            raise LongsumError(
                f"The system '{self.name}' cannot shorten sentences; only those that choose "
                "sentences of the document can. Leave out --shorten."
            )
        return self

    def whole_sentences(self) -> Self:
        """Return the system with the sentences it copies left as they are."""
        return self.shortening(False) if self.is_shortening else self

    def words_read(self, document: Document) -> int | None:  # noqa: ARG002
        """Return approximately how many words of a document it can read; None for all."""
        return None

    def reads_at_once(self, document: Document) -> int | None:
        """Return the maximum words of a document to give it at once; None for no limit."""
        read = self.words_read(document)
        if read is not None:
            return max(1, int(_MARGIN * read))
        return NEURAL_WORDS if self.neural else None

    def counting(self, budget: Budget) -> Budget:
        """Return the budget with tokens counted by the system's own tokenizer.

        By default tokens are words and punctuation marks.
        """
        return budget

    def check(self, document: Document, focus: str | None) -> None:
        """Check that there is something to summarize and that a given focus is supported.

        Raises:
            LongsumError: The document has no sentence, or the focus is empty or not supported.
            TypeError: `document` is not a `Document`.
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
            raise LongsumError(
                "The focus is empty; say what you want to know about, or leave it out."
            )


class TokenTagger(Protocol):
    """Determines the importance of a document's tokens."""

    def importance(self, document: Document) -> Importance:
        """Return the importance of a document's words."""
        ...


@dataclass(frozen=True, slots=True)
class SystemKind:
    """A kind of recipe, registered by its name in the group `longsum.systems`.

    Attributes:
        settings: Dataclass of its settings.
        build: Makes a system from a name and settings.
        title: What it does, in one line; for kinds that are systems without a recipe.
    """

    settings: type[Any]
    build: Callable[[str, Any], System]
    title: str = ""


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """Options of a tree.

    Attributes:
        budget: Maximum length of each node's summary.
        depth: Maximum number of levels, including the root; None for all.
        question: A question about the document, which becomes the root.

    Raises:
        LongsumError: The depth is below 1, or the question is empty.
    """

    budget: Budget
    depth: int | None = None
    question: str | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise LongsumError(
                f"A tree of depth {self.depth} is empty; give 1 for the document alone, "
                "2 for its sections too, or more."
            )
        if self.question is not None:
            object.__setattr__(self, "question", clean(self.question))
            if not self.question:
                raise LongsumError("The question is empty; ask something, or leave it out.")


class QuestionTreeMaker(Protocol):
    """Makes a tree of questions and summaries of a document."""

    @property
    def needs_question(self) -> bool:
        """Whether it makes a tree only for a given question."""
        ...

    def make(self, document: Document, options: TreeOptions) -> "QuestionSummary":
        """Make the tree.

        Raises:
            LongsumError: The maker does not support these options.
        """
        ...
