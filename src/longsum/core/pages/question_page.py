"""The question page: a tree of questions and summaries beside the document, in one file."""

from collections.abc import Iterator
from html import escape

from longsum.common.wording import counted
from longsum.core.pages.lengths_view import LengthsView, length_name
from longsum.core.pages.page import fill, render_beside, render_menu
from longsum.core.pages.run_card import render_run_card
from longsum.core.pages.summary_pane import render_sentence
from longsum.core.summaries import NestedSummaries
from longsum.core.summaries.formats import section_label
from longsum.core.summaries.question_summary import QuestionNode, QuestionSummary

_OPEN_LEVELS = 1
"""Levels that are expanded initially."""


def render_questions(tree: QuestionSummary) -> str:
    """Return one self-contained page, with the guarantees of `render_html`.

    Nodes expand and collapse without a script, and every sentence links to its source.
    """
    view = LengthsView.of(NestedSummaries((tree.as_summary(),), 0))
    pane = fill(
        "questions.html",
        label=escape(_label(tree)),
        menu=render_menu(),
        made=escape(tree.made_by),
        nothing="hidden" if view.lines else "",
        language=escape(view.language),
        tree="\n".join(_nodes(tree, view)),
        card=render_run_card(view),
    )
    return render_beside(
        view,
        pane,
        title="Questions and summaries of",
        shown="Questions",
        share="summaries",
        own="questions",
    )


def _label(tree: QuestionSummary) -> str:
    """Return the size of the tree: `19 summaries · at most 50 words each`."""
    filled = sum(bool(node.sentences) for _, node in tree.root.walk())
    noun = "summary" if filled == 1 else "summaries"
    return f"{filled:,} {noun} · at most {length_name(tree.budget)} each"


def _nodes(tree: QuestionSummary, view: LengthsView) -> Iterator[str]:
    """Yield the markup of the tree, depth first."""
    shown = 0
    open_levels = 0
    for level, node in tree.root.walk():
        yield _closed(open_levels - level + 1)
        open_levels = level
        opened = " open" if level <= _OPEN_LEVELS else ""
        yield f'<details class="node"{opened}>{_title(node, level, view)}'
        yield _sentences(node, view, shown)
        shown += len(node.sentences)
        yield '<div class="below">'
    yield _closed(open_levels)


def _closed(levels: int) -> str:
    return "</div></details>" * levels


def _title(node: QuestionNode, level: int, view: LengthsView) -> str:
    # If the root's title is the document's, the page already shows it.
    label = "" if level == 1 or node.section is None else section_label(view.tree, node.section)
    label_mark = f'<span class="label">{label}</span> ' if label else ""
    asks = f" <small>[{escape(node.asks)}]</small>" if node.asks else ""
    return (
        f'<summary><span class="asks {node.kind}">{label_mark}{escape(node.title)}{asks}</span>'
        f"<small>{counted(node.words, 'word')}</small></summary>"
    )


def _sentences(node: QuestionNode, view: LengthsView, first: int) -> str:
    """Return a node's sentences; `first` is the position of the first among all lines."""
    numbers = view.start_numbers
    items = "\n".join(
        render_sentence(view, index, numbers.get(index))
        for index in range(first, first + len(node.sentences))
    )
    place = (
        ""
        if node.section is None
        else f'<p class="in-document"><a href="#sec-{node.section}">In the document</a></p>'
    )
    cut = f'<p class="cut">{node.cut} more below</p>' if node.cut else ""
    return f'<div class="group"><ul>\n{items}\n</ul></div>{place}{cut}'
