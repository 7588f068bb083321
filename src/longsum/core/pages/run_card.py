"""The parts of the page about the run: coverage, explanation, and how to reproduce it."""

import json
from collections import Counter
from collections.abc import Iterable
from html import escape
from importlib.metadata import version

from longsum.common.wording import counted
from longsum.core.pages.document_pane import slug
from longsum.core.pages.lengths_view import FINISH_NOTES, LengthsView
from longsum.core.summaries.formats import by_document_lines


def render_coverage(view: LengthsView) -> str:
    """Return a line on how much of the document was read, which is always visible.

    It unfolds to details: unread sections, warnings and omissions.
    """
    coverage = view.summary.coverage
    read, total = coverage.sentences_read, coverage.sentences_total
    warnings = dict.fromkeys((*view.document.warnings, *view.summary.warnings))
    left_out = Counter(part.kind for part in view.document.omitted)
    whole = read >= total and not coverage.unread_sections
    facts = [
        "Read in full" if whole else f"<strong>Read {read:,} of {total:,} sentences</strong>",
        f"{counted(left_out.total(), 'part')} left out" if left_out else "",
        counted(len(warnings), "note") if warnings else "",
    ]
    line = " · ".join(filter(None, facts))
    state = "coverage" if whole and not warnings else "coverage partial"
    details = [
        f"<p>Read: {read:,} of {counted(total, 'sentence')}. <span id='taken'></span></p>",
        _listed(map(escape, by_document_lines(view.summary))),
        _listed(map(escape, warnings)),
        _unread(view),
        _left_out(view, left_out),
    ]
    return (
        f'<details class="{state}" id="coverage"><summary>{line}</summary>'
        f'<div class="sheet">{"".join(details)}</div></details>'
    )


def _listed(items: Iterable[str]) -> str:
    listed = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul>{listed}</ul>" if listed else ""


def _unread(view: LengthsView) -> str:
    unread = view.summary.coverage.unread_sections
    if not unread:
        return ""
    places = ((number, escape(view.place(number))) for number in unread)
    links = _listed(f'<a href="#sec-{number}">{place}</a>' for number, place in places)
    return f"<h3>Not read: {counted(len(unread), 'section')}</h3>{links}"


def _left_out(view: LengthsView, counts: Counter[str]) -> str:
    """Return the kinds of omitted parts, with a link to the first of each kind that is shown."""
    shown = {part.kind for part in view.document.omitted if part.text}
    lines = [
        f'<a href="#left-out-{slug(kind)}">{counted(count, escape(kind))}</a>'
        if kind in shown
        else counted(count, escape(kind))
        for kind, count in sorted(counts.items())
    ]
    return f"<h3>Left out of the text</h3>{_listed(lines)}" if lines else ""


def render_explanation(view: LengthsView) -> str:
    """Return topics, keywords and weights, collapsed by default; empty if unknown."""
    explanation = view.summary.explanation
    if explanation is None:
        return ""
    topics = "".join(f"<li>{escape(', '.join(words))}</li>" for words in explanation.topics)
    keywords = "".join(
        f"<li>{escape(keyword)} <small>{100 * frequency:.2g}%</small></li>"
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
