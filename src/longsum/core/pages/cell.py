"""Views of results: HTML without scripts or style sheets for notebooks, text, JSON and pages."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby, islice
from typing import Any

from longsum.common.wording import counted
from longsum.core.pages.question_page import render_questions
from longsum.core.pages.summary_pane import render_html
from longsum.core.summaries import NestedSummaries, Summary, SummarySentence
from longsum.core.summaries.formats import section_place
from longsum.core.summaries.formats import to_text as summary_to_text
from longsum.core.summaries.question_summary import (
    QuestionSummary,
    questions_to_json,
    questions_to_text,
)
from longsum.core.summaries.result_file import summary_to_json
from longsum.documents.tree import DocumentTree

MAX_SHOWN = 100
"""Most sentences, or nodes of a tree, that a cell shows; it says how many more there are."""

# Notebooks typeset text between dollar signs or after a backslash; MathJax skips these classes,
# and marks in an element of their own.
_OPEN = '<div class="tex2jax_ignore mathjax_ignore" style="max-width: 48em; line-height: 1.45">'
_FAINT = "opacity: 0.7; font-size: 0.9em"
_MATHS = re.compile(r"[$\\]")
_DOUBTFUL = "border-bottom: 1px dashed currentColor"


def summary_cell(summary: Summary) -> str:
    """Return a summary's sentences under the sections that they come from.

    A sentence that could not be verified is marked, and shows its doubts on hover.
    """
    title = summary.document.title or summary.document.source.name or "the document"
    tree = DocumentTree(summary.document)
    facts = [f"{counted(summary.words, 'word')} of at most {summary.budget}", summary.system]
    groups = groupby(islice(summary.sentences, MAX_SHOWN), key=_home)
    return _cell(
        f"Summary of {title}",
        facts,
        (_group(list(members), home, tree) for home, members in groups),
        len(summary.sentences) - MAX_SHOWN,
        summary.warnings,
    )


def questions_cell(tree: QuestionSummary) -> str:
    """Return a tree's titles and summaries, indented by depth."""
    shown = (
        f'<div style="margin: 0.4em 0 0 {1.5 * (level - 1):g}em"><b>{_text(node.title)}</b>'
        f'<div style="margin: 0">{" ".join(map(_sentence, node.sentences))}</div></div>'
        for level, node in islice(tree.root.walk(), MAX_SHOWN)
    )
    count = sum(1 for _ in tree.root.walk())
    return _cell("", [tree.made_by], shown, count - MAX_SHOWN, tree.warnings)


def _cell(
    title: str, facts: Sequence[str], body: Iterator[str], more: int, warnings: Sequence[str]
) -> str:
    heading = f"<b>{_text(title)}</b> " if title else ""
    parts = [
        f'<div>{heading}<span style="{_FAINT}">{_text(" · ".join(facts))}</span></div>',
        *body,
        *([f'<div style="{_FAINT}">… and {more:,} more</div>'] if more > 0 else []),
        *(f'<div style="{_FAINT}">Note: {_text(warning)}</div>' for warning in warnings),
    ]
    return f"{_OPEN}{''.join(parts)}</div>"


def _home(sentence: SummarySentence) -> tuple[int, int | None] | None:
    """Return the section and page of a sentence's first source."""
    if not sentence.sources:
        return None
    return sentence.sources[0].section, sentence.sources[0].page


def _group(
    sentences: Sequence[SummarySentence], home: tuple[int, int | None] | None, tree: DocumentTree
) -> str:
    place = ""
    if home is not None:
        section, page = home
        page_mark = "" if page is None else f"p. {page}"
        place = ", ".join(filter(None, (section_place(tree, section), page_mark)))
    caption = f'<div style="{_FAINT}; margin-top: 0.6em">{_text(place)}</div>' if place else ""
    text = " ".join(map(_sentence, sentences))
    return f'{caption}<div style="margin: 0.1em 0 0 1em">{text}</div>'


def _sentence(sentence: SummarySentence) -> str:
    if sentence.verified:
        return _text(sentence.text)
    doubts = "; ".join(map(str, sentence.doubts)) or "no sure source"
    return f'<span style="{_DOUBTFUL}" title="{escape(doubts)}">{_text(sentence.text)}</span>'


def _text(text: str) -> str:
    """Return text as HTML that shows it verbatim, in its own writing direction."""
    shown = _MATHS.sub(r"<span>\g<0></span>", escape(text))
    return f"<bdi>{shown}</bdi>"


Result = Summary | QuestionSummary


def to_dict(result: Result) -> dict[str, Any]:
    """Return a result as JSON values, including the levels of a divided text."""
    if isinstance(result, QuestionSummary):
        return questions_to_json(result)
    return summary_to_json(result, levels=bool(result.levels))


def to_text(result: Result) -> str:
    """Return a result as plain text; summaries have no titles, whatever their length."""
    if isinstance(result, QuestionSummary):
        return questions_to_text(result)
    return summary_to_text(result, headings=False).removesuffix("\n")


def to_html(
    result: NestedSummaries | QuestionSummary, *, shaded: bool = False, headings: bool = True
) -> str:
    """Return the page of a result; a tree has no shades, and its nodes serve as headings."""
    if isinstance(result, QuestionSummary):
        return render_questions(result)
    return render_html(result, shaded=shaded, headings=headings)


def to_cell(result: Result) -> str:
    """Return a notebook's view of a result."""
    return questions_cell(result) if isinstance(result, QuestionSummary) else summary_cell(result)
