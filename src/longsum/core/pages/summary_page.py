"""The summary page: a ladder of summaries beside its document, in one file."""

from html import escape

from longsum.core.pages.changes import render_changes
from longsum.core.pages.ladder_view import LadderView
from longsum.core.pages.page import asset, fill, render_beside
from longsum.core.pages.page_wording import rung_label, rung_name
from longsum.core.pages.run_card import render_explanation, render_run_card
from longsum.core.pages.summary_pane import render_deletions_button, render_legend, render_summary
from longsum.core.summaries import Ladder


def render_html(ladder: Ladder, *, shaded: bool = False, headings: bool = True) -> str:
    """Return one self-contained page: the summary beside its document, at every rung's length.

    The page loads nothing, and its content security policy forbids it; it works from a file. All
    text of the document is escaped and included once. Without a script, the summary at the
    requested length and the document remain readable and linked. The same ladder gives the same
    bytes, since timings are left out.

    Args:
        ladder: At least one rung; all rungs are of one document.
        shaded: Whether importance, if known, is shown initially.
        headings: Whether the sentences stand under the titles of their sections.
    """
    view = LadderView.of(ladder)
    names = [rung_name(rung.budget) for rung in ladder.rungs]
    pane = fill(
        "summary.html",
        label=escape(rung_label(view.summary)),
        start=str(ladder.start),
        last=str(len(ladder.rungs) - 1),
        ticks="".join(f'<option value="{rung}">' for rung in range(len(names))),
        shortest=names[0],
        longest=names[-1],
        legend=render_legend(view),
        deletions=render_deletions_button(view),
        nothing="hidden" if view.summary.sentences else "",
        language=escape(view.language),
        summary=render_summary(view, headings),
        changes=render_changes(view),
        explanation=render_explanation(view),
        card=render_run_card(view),
    )
    return render_beside(
        view,
        pane,
        title="Summary of",
        shown="Summary",
        share="summary",
        style=asset("viewer.css"),
        script=asset("viewer.js"),
        shaded=shaded,
    )
