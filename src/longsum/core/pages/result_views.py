"""The views of a result: what `longsum.common.views.Views` asks for."""

from typing import Any

from longsum.core.pages.cell import questions_cell, summary_cell
from longsum.core.pages.question_page import render_questions
from longsum.core.pages.summary_pane import render_html
from longsum.core.summaries import NestedSummaries, Summary
from longsum.core.summaries.formats import to_text as summary_to_text
from longsum.core.summaries.question_formats import questions_to_json, questions_to_text
from longsum.core.summaries.question_summary import QuestionSummary
from longsum.core.summaries.result_file import summary_to_json

Result = Summary | QuestionSummary


def to_dict(result: Result) -> dict[str, Any]:
    """Return a result as JSON values, the levels of a divided text among them."""
    if isinstance(result, QuestionSummary):
        return questions_to_json(result)
    return summary_to_json(result, levels=bool(result.levels))


def to_text(result: Result) -> str:
    """Return a result as plain text; a summary without titles, whatever its length."""
    if isinstance(result, QuestionSummary):
        return questions_to_text(result)
    return summary_to_text(result, headings=False).removesuffix("\n")


def to_html(
    result: NestedSummaries | QuestionSummary, *, shaded: bool = False, headings: bool = True
) -> str:
    """Return the page of a result; a tree has no shades, and its nodes are its headings."""
    if isinstance(result, QuestionSummary):
        return render_questions(result)
    return render_html(result, shaded=shaded, headings=headings)


def to_cell(result: Result) -> str:
    """Return what a notebook shows of a result."""
    return questions_cell(result) if isinstance(result, QuestionSummary) else summary_cell(result)
