"""The report: a ladder of summaries and its document as one page that needs nothing else."""

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template

from longsum.reports.document_pane import render_document
from longsum.reports.ladder_view import LadderView
from longsum.reports.page_data import COLOURS, embed_json, page_data, reason_names
from longsum.reports.run_card import render_coverage, render_explanation, render_run_card
from longsum.reports.section_map import lay_out, render_map
from longsum.reports.summary_pane import render_summary
from longsum.reports.wording import counted, rung_label, rung_name
from longsum.summaries.summary import Ladder


def render_html(ladder: Ladder) -> str:
    """Return one self-contained page: the summary beside its document, at every rung's length.

    The page loads nothing and, by its content security policy, could not; it opens from a file. All
    text of the document is escaped and stands in the page once. Without a script, the summary at
    the asked length and the document remain readable and linked. The same ladder gives the same
    bytes: timings are left out.

    Args:
        ladder: At least one rung; all rungs are of one document.
    """
    view = LadderView.of(ladder)
    layout = lay_out(view)
    style, script = _asset("viewer.css"), _asset("viewer.js")
    names = [rung_name(rung.budget) for rung in ladder.rungs]
    return Template(_asset("page.html")).substitute(
        policy=_policy(script, style),
        style=style,
        script=script,
        data=embed_json(page_data(view, layout)),
        title=escape(view.title),
        facts=escape(_facts(view, layout.words)),
        coverage=render_coverage(view),
        label=escape(rung_label(view.summary)),
        start=str(ladder.start),
        last=str(len(ladder.rungs) - 1),
        ticks="".join(f'<option value="{rung}">' for rung in range(len(names))),
        shortest=names[0],
        longest=names[-1],
        legend=_legend(view),
        nothing="hidden" if view.summary.sentences else "",
        summary=render_summary(view),
        explanation=render_explanation(view),
        card=render_run_card(view),
        map=render_map(view, layout),
        document=render_document(view),
    )


def _asset(name: str) -> str:
    return files("longsum.reports").joinpath("assets", name).read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src '{_fingerprint(script)}'; "
        f"style-src '{_fingerprint(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _fingerprint(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _facts(view: LadderView, words: int) -> str:
    document = view.document
    facts = [
        document.source.name if document.title else "",
        counted(words, "word"),
        counted(len(document.sentences), "sentence"),
        counted(len(view.tree.sections), "section"),
    ]
    return " · ".join(filter(None, facts))


def _legend(view: LadderView) -> str:
    used = {name for line in view.lines for name in line.sentence.reasons}
    return "".join(
        f'<li><svg class="swatch" aria-hidden="true"><rect class="reason-{place % COLOURS}" '
        f'width="100%" height="100%"/></svg>{escape(name)}</li>'
        for place, name in enumerate(reason_names(view))
        if name in used
    )
