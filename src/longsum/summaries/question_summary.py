"""A tree of questions or headings, each with a summary that answers it (HIBRIDS, §4)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import fill
from typing import Any, Literal

from longsum.documents.citation import section_label
from longsum.documents.model import Document
from longsum.documents.tree import DocumentTree
from longsum.language.spacing import join_pieces
from longsum.language.words import count_words
from longsum.summaries.budget import Budget
from longsum.summaries.cell import questions_cell
from longsum.summaries.formats import escape_markdown, footnote
from longsum.summaries.page import questions_page
from longsum.summaries.result_file import summary_to_json
from longsum.summaries.summary import Coverage, Summary, SummarySentence
from longsum.wording import counted, quote

SCHEMA = "longsum/questions/1"

Kind = Literal["heading", "question"]
"""What a node's title is: a heading as the document has it, or a question."""

Maker = Literal["sections", "model"]
"""What a tree follows: the document's sections, or what a model wrote."""

_WIDTH = 88
_NARROWEST = 40
_INDENT = 2
_QUESTION_MARKS = ("?", "？", "؟")
_CLOSING = "\"'”’»)]"
# What the flat forms of the tree need not say of it.
_OF_A_SUMMARY = ("schema", "summary", "budget", "explanation", "finish_reason")


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
        warnings: What the reader should know, a sentence each.
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
    warnings: tuple[str, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict, compare=False)

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
            warnings=self.warnings,
            timings=self.timings,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as JSON values; see `questions_to_json`."""
        return questions_to_json(self)

    def to_html(self) -> str:
        """Return one page that loads nothing: the tree beside its document."""
        return questions_page(self)

    def _repr_html_(self) -> str:
        return questions_cell(self)

    def __str__(self) -> str:
        return questions_to_text(self)

    def __repr__(self) -> str:
        document = quote(self.document.title or self.document.source.name)
        nodes = counted(sum(1 for _ in self.root.walk()), "node")
        return f"<QuestionSummary of {document} by {self.system}: {nodes}>"


def questions_to_text(tree: QuestionSummary) -> str:
    """Return the tree as text, each level indented further than the one above."""
    places = DocumentTree(tree.document)
    parts = []
    for level, node in tree.root.walk():
        indent = " " * (_INDENT * (level - 1))
        lines = [indent + _named(node, level, places)]
        if node.sentences:
            inner = indent + " " * _INDENT
            lines.append(_filled(node.text, inner))
        if note := _cut(node):
            lines.append(f"{indent}{' ' * _INDENT}({note})")
        parts.append("\n".join(lines))
    return "\n\n".join([*parts, tree.made_by]) + "\n"


def questions_to_markdown(tree: QuestionSummary) -> str:
    """Return the tree as a nested Markdown list, with a footnote for each sentence's source."""
    places = DocumentTree(tree.document)
    notes: list[str] = []
    parts = []
    for level, node in tree.root.walk():
        name = escape_markdown(_named(node, level, places))
        marked = []
        for sentence in node.sentences:
            mark = f"[^{len(notes) + 1}]"
            marked.append(f"{escape_markdown(sentence.text)}{mark}")
            notes.append(f"{mark}: {footnote(sentence, places, tree.document)}")
        said = [" ".join(marked), f"*{note}*" if (note := _cut(node)) else ""]
        indent = " " * (_INDENT * (level - 1))
        first = f"# {name}" if level == 1 else f"{indent[_INDENT:]}- **{name}**"
        parts += [first, *(f"{indent}{line}" for line in said if line)]
    parts.append(f"*{escape_markdown(tree.made_by)}*")
    return "\n\n".join([*parts, *(["\n".join(notes)] if notes else [])]) + "\n"


def questions_to_json(tree: QuestionSummary) -> dict[str, Any]:
    """Return the tree as JSON values (schema in `docs/schema/questions-1.json`).

    Nodes are a list in reading order, each with its parent's position in it, so that no depth is
    too deep for a reader. Numbers are as in `summary_to_json`.
    """
    flat = summary_to_json(tree.as_summary())
    sentences = iter(flat["summary"]["sentences"])
    nodes: list[dict[str, Any]] = []
    lineage: list[int] = []
    for level, node in tree.root.walk():
        del lineage[level - 1 :]
        nodes.append(
            {
                "parent": lineage[-1] if lineage else None,
                "level": level,
                "kind": node.kind,
                "title": node.title,
                "section": node.section,
                "text": node.text,
                "words": node.words,
                "sentences": [next(sentences) for _ in node.sentences],
                "cut": node.cut,
            }
        )
        lineage.append(len(nodes) - 1)
    kept = {name: value for name, value in flat.items() if name not in _OF_A_SUMMARY}
    return {
        "schema": SCHEMA,
        "document": kept.pop("document"),
        "maker": tree.maker,
        "made_by": tree.made_by,
        "question": tree.question,
        "depth": tree.depth,
        "budget": {"asked": tree.budget.amount, "unit": tree.budget.unit},
        "nodes": nodes,
        **kept,
    }


def _named(node: QuestionNode, level: int, places: DocumentTree) -> str:
    """Return a node's title with its section's label, which the root does without."""
    if level == 1 or node.section is None:
        return node.title
    return " ".join(filter(None, (section_label(places, node.section), node.title)))


def _cut(node: QuestionNode) -> str:
    if not node.cut:
        return ""
    return f"{node.cut} more below"


def _filled(text: str, indent: str) -> str:
    return fill(
        text,
        max(_WIDTH, len(indent) + _NARROWEST),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
