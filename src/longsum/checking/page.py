"""A check as one page: the text on the left, its sources in the document on the right."""

from html import escape
from importlib.metadata import version

from longsum.checking.formats import verdict_line
from longsum.checking.text_check import WORDS, CheckedSentence, TextCheck
from longsum.core.pages.document_pane import marked_text
from longsum.core.pages.lengths_view import LengthsView
from longsum.core.pages.page import fill, render_beside, render_menu
from longsum.core.pages.summary_pane import doubt_marks, render_doubts
from longsum.core.summaries import Budget, Coverage, NestedSummaries, Summary, SummarySentence


def render_check(check: TextCheck) -> str:
    """Return one self-contained page, with the guarantees of `longsum.core.pages`' others.

    It loads nothing; every sentence links to its source and states its verdict in words.
    """
    view = LengthsView.of(NestedSummaries((_as_summary(check),), 0))
    items = "\n".join(_item(index, each, check.judge) for index, each in enumerate(check.sentences))
    pane = fill(
        "check.html",
        label=escape(verdict_line(check)),
        menu=render_menu(),
        nothing="hidden" if check.sentences else "",
        language=escape(check.text.language or ""),
        sentences=f'<div class="group"><ul>\n{items}\n</ul></div>',
        version=version("longsum"),
        sha=check.document.sha256,
    )
    return render_beside(
        view,
        pane,
        title="Check against",
        shown="Text",
        share="text",
        own="check",
    )


def _as_summary(check: TextCheck) -> Summary:
    """Return the text in the viewer's form: sentences with sources in a document."""
    return Summary(
        document=check.document,
        sentences=tuple(
            SummarySentence(
                text=each.text,
                sources=each.sources,
                score=each.sources[0].score if each.sources else 0.0,
                reasons={},
                step=place,
                doubts=each.findings,
            )
            for place, each in enumerate(check.sentences)
        ),
        budget=Budget(max(len(check.sentences), 1), "sentences"),
        coverage=Coverage.whole(check.document),
        system="check",
    )


def _item(index: int, sentence: CheckedSentence, judge: str) -> str:
    verdict = f'<span class="verdict">{WORDS[sentence.verdict]}</span>'
    text = marked_text(sentence.text, doubt_marks(sentence.findings))
    inner = f'<span class="number">{index + 1}</span> <span class="text">{text}</span> {verdict}'
    if sentence.sources:
        body = f'<a class="say" href="#s-{sentence.sources[0].sentence}">{inner}</a>'
    else:
        body = f'<span class="say" tabindex="-1">{inner}</span>'
    doubts = render_doubts(sentence.findings)
    if sentence.unmatched:
        doubts += f'<p class="unmatched">{escape(sentence.unmatched_note)}</p>'
    if sentence.opinion:
        doubts += f'<p class="opinion">{escape(judge)}: {sentence.opinion}</p>'
    return f'<li id="k-{index}" class="{sentence.verdict}">{body}{doubts}</li>'
