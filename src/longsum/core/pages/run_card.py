"""The parts of the page about the run: coverage, explanation, and how to reproduce it."""

import json
from html import escape
from importlib.metadata import version

from longsum.core.pages.lengths_view import FINISH_NOTES, LengthsView, counted


def render_coverage(view: LengthsView) -> str:
    """Return the coverage of the document, unread sections and all warnings."""
    coverage = view.summary.coverage
    read, total = coverage.sentences_read, coverage.sentences_total
    if read >= total and not coverage.unread_sections:
        line = f"<p>Read in full: {counted(total, 'sentence')}.</p>"
    else:
        line = f"<p><strong>Read: {read:,} of {counted(total, 'sentence')}.</strong></p>"
    warnings = dict.fromkeys((*view.document.warnings, *view.summary.warnings))
    listed = "".join(f"<li>{escape(warning)}</li>" for warning in warnings)
    complete = read >= total and not coverage.unread_sections and not warnings
    return (
        f'<div class="coverage{"" if complete else " partial"}" role="note" aria-label="Coverage">'
        f"{line}{f'<ul>{listed}</ul>' if listed else ''}{_unread(view)}</div>"
    )


def _unread(view: LengthsView) -> str:
    unread = view.summary.coverage.unread_sections
    if not unread:
        return ""
    listed = "".join(
        f'<li><a href="#sec-{number}">{escape(view.place(number))}</a></li>' for number in unread
    )
    count = counted(len(unread), "section")
    return f"<details><summary>Not read: {count}</summary><ul>{listed}</ul></details>"


def render_explanation(view: LengthsView) -> str:
    """Return topics, keywords and weights, collapsed by default; empty if unknown."""
    explanation = view.summary.explanation
    if explanation is None:
        return ""
    topics = "".join(f"<li>{escape(', '.join(words))}</li>" for words in explanation.topics)
    keywords = "".join(
        f"<li>{escape(keyword)} <small>{_frequency(frequency)}</small></li>"
        for keyword, frequency in explanation.keywords
    )
    weights = "".join(
        f"<tr><th scope='row'>{escape(name)}</th><td>{f'{weight:g}'.replace('-', '−')}</td></tr>"
        for name, weight in explanation.weights.items()
    )
    parts = [
        topics and f"<h3>Topics, largest first</h3><ol class='topics'>{topics}</ol>",
        keywords and f"<h3>Keywords</h3><ul class='keywords'>{keywords}</ul>",
        weights and f"<h3>Weight of each reason</h3><table>{weights}</table>",
    ]
    return (
        "<details class='fold'><summary>What the choices rest on</summary>"
        f"{''.join(filter(None, parts))}</details>"
    )


def _frequency(frequency: float) -> str:
    return f"{100 * frequency:.2g}%"


def render_run_card(view: LengthsView) -> str:
    """Return everything needed to reproduce the summary; timings are left out."""
    summary = view.summary
    rows = [
        ("System", summary.system),
        ("Length", str(summary.budget)),
        ("Seed", str(summary.seed)),
        ("Ends because", FINISH_NOTES[summary.finish_reason]),
        ("Document", view.document.source.name or "not named"),
        ("Text SHA-256", view.document.sha256),
        ("Made by", f"longsum {version('longsum')}"),
    ]
    rows[2:2] = [
        (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for name, value in summary.settings.items()
    ]
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows)
    return (
        "<details class='fold'><summary>How this was made</summary>"
        f"<dl class='card'>{listed}</dl></details>"
    )
