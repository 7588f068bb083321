"""The way from a summary to its page, which a room further down makes.

Pages are made in `longsum.reports`, which knows summaries; so that a summary in hand can be asked
for its page, the functions here call back down, when called and not before. No other module does
this (`tests/test_import_direction.py`).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from longsum.summaries.question_summary import QuestionSummary
    from longsum.summaries.summary import Ladder


def ladder_page(ladder: "Ladder", *, shaded: bool) -> str:
    """Return the page of a ladder of summaries; see `longsum.reports.summary_page.render_html`."""
    from longsum.reports.summary_page import render_html

    return render_html(ladder, shaded=shaded)


def questions_page(tree: "QuestionSummary") -> str:
    """Return the page of a tree; see `longsum.reports.question_page.render_questions`."""
    from longsum.reports.question_page import render_questions

    return render_questions(tree)
