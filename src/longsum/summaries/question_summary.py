"""A tree of questions or headings, each with a summary that answers it (HIBRIDS, §4)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from longsum.documents.model import Document
from longsum.language.spacing import join_pieces
from longsum.language.words import count_words
from longsum.summaries.budget import Budget
from longsum.summaries.notices import Notice
from longsum.summaries.sentence import SummarySentence
from longsum.summaries.summary import Coverage, Summary
from longsum.views import views
from longsum.wording import counted, quote

Kind = Literal["heading", "question"]
"""What a node's title is: a heading as the document has it, or a question."""

Maker = Literal["sections", "model"]
"""What a tree follows: the document's sections, or what a model wrote."""

_QUESTION_MARKS = ("?", "？", "؟")
_CLOSING = "\"'”’»)]"


def kind_of(title: str) -> Kind:
    """Return what a title is: a question if it ends with a question mark, else a heading.

    No heading is turned into a question: "What is Introduction?" is no question that a reader has.
    """
    asks = title.rstrip().rstrip(_CLOSING).endswith(_QUESTION_MARKS)
    return "question" if asks else "heading"


@dataclass(frozen=True, slots=True)
class QuestionNode:
    """A question or heading, the summary that answers it, and what follows from it.

    Attributes:
        title: The question, or the heading as the document has it.
        kind: Which of the two it is.
        section: Number of the section that it stands for; None where it stands for none.
        sentences: The summary, in the order in which it is read.
        children: What lies below it.
        cut: Nodes below it that the depth asked for leaves out.
    """

    title: str
    kind: Kind
    section: int | None
    sentences: tuple[SummarySentence, ...]
    children: tuple["QuestionNode", ...] = ()
    cut: int = 0

    @property
    def text(self) -> str:
        """The summary as running text."""
        return join_pieces(sentence.text for sentence in self.sentences)

    @property
    def words(self) -> int:
        """Words of the summary, counted as the budget counts them."""
        return sum(count_words(sentence.text) for sentence in self.sentences)

    def walk(self) -> Iterator[tuple[int, "QuestionNode"]]:
        """Yield this node and all below it, depth first, each with its level, from 1."""
        pending = [(1, self)]
        while pending:
            level, node = pending.pop()
            yield level, node
            pending.extend((level + 1, child) for child in reversed(node.children))

    def __repr__(self) -> str:
        return (
            f"<QuestionNode {quote(self.title)}: {counted(self.words, 'word')}, "
            f"{counted(len(self.children), 'node')} below>"
        )


@dataclass(frozen=True, slots=True)
class QuestionSummary:
    """A tree of questions and summaries, with all that is needed to show and to check it.

    `str(tree)` is the tree as text; a notebook shows it as a list.

    Attributes:
        document: The document it is of.
        root: What stands for the whole document, or the question asked of it.
        budget: The length asked for, of each node.
        maker: What the tree follows.
        coverage: What was read.
        system: Name of what made it.
        settings: Its settings, all that the tree depends on besides document, length and question.
        question: The question asked; None where none was.
        depth: The most levels asked for; None for all.
        notices: What the reader should know.
        timings: Seconds by stage; the only part that differs between two runs.
    """

    document: Document
    root: QuestionNode
    budget: Budget
    maker: Maker
    coverage: Coverage
    system: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    question: str | None = None
    depth: int | None = None
    notices: tuple[Notice, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict, compare=False)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notices as sentences."""
        return tuple(notice.text for notice in self.notices)

    @property
    def made_by(self) -> str:
        """Who made the tree, a sentence."""
        if self.maker == "model":
            return f"Written by {self.system}."
        return f"Built from the document's sections by {self.system}."

    def as_summary(self) -> Summary:
        """Return the sentences of all nodes, depth first, as one summary."""
        asked = {"question": self.question, "depth": self.depth}
        return Summary(
            document=self.document,
            sentences=tuple(
                sentence for _, node in self.root.walk() for sentence in node.sentences
            ),
            budget=self.budget,
            coverage=self.coverage,
            system=self.system,
            settings={
                **self.settings,
                **{name: value for name, value in asked.items() if value is not None},
            },
            notices=self.notices,
            timings=self.timings,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as JSON values; see `docs/schema/questions-1.json`."""
        return views().to_dict(self)

    def to_html(self) -> str:
        """Return one page that loads nothing: the tree beside its document."""
        return views().to_html(self)

    def _repr_html_(self) -> str:
        return views().to_cell(self)

    def __str__(self) -> str:
        return views().to_text(self)

    def __repr__(self) -> str:
        document = quote(self.document.title or self.document.source.name)
        nodes = counted(sum(1 for _ in self.root.walk()), "node")
        return f"<QuestionSummary of {document} by {self.system}: {nodes}>"
