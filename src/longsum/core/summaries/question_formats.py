"""A tree of questions and summaries as text, Markdown and JSON values."""

from textwrap import fill
from typing import Any

from longsum.core.summaries.citation import section_label
from longsum.core.summaries.formats import escape_markdown, footnote
from longsum.core.summaries.layout import lay_out
from longsum.core.summaries.question_summary import QuestionNode, QuestionSummary
from longsum.core.summaries.result_file import summary_to_json
from longsum.documents.tree import DocumentTree

SCHEMA = "longsum/questions/1"

_WIDTH = 88
_NARROWEST = 40
_INDENT = 2
# Fields of the flat form of a summary that the tree represents differently.
_OF_A_SUMMARY = ("schema", "summary", "budget", "explanation", "finish_reason")


def questions_to_text(tree: QuestionSummary) -> str:
    """Return the tree as text, each level indented further than the one above."""
    places = DocumentTree(tree.document)
    parts = []
    for level, node in tree.root.walk():
        indent = " " * (_INDENT * (level - 1))
        lines = [indent + _named(node, level, places)]
        if node.sentences:
            inner = indent + " " * _INDENT
            blocks = lay_out(node.sentences, tree.document)
            said = (
                "\n".join(_filled(line.text, inner) for line in block.lines) for block in blocks
            )
            lines.append("\n\n".join(said))
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
                "asks": node.asks,
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
    """Return a node's title with its section's label, which the root has not, and our question."""
    label = "" if level == 1 or node.section is None else section_label(places, node.section)
    asks = f"[{node.asks}]" if node.asks else ""
    return " ".join(filter(None, (label, node.title, asks)))


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
