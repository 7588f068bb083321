"""The table of changes from one length to the next, one row each."""

from collections import Counter
from collections.abc import Mapping
from html import escape

from longsum.core.pages.lengths_view import LengthsView
from longsum.core.pages.page_data import COLOURS, reason_names
from longsum.core.pages.page_wording import length_name
from longsum.core.summaries import Origin, Summary

_ORIGINS: tuple[Origin, ...] = ("copied", "expanded", "generated")


def render_changes(view: LengthsView) -> str:
    """Return a table of the lengths: the origins of their sentences, and the reasons for them.

    Collapsed by default; empty if there is only one. Bars show the share of each reason, with
    negative ones to the left of the line.
    """
    if len(view.nested.summaries) < 2:
        return ""
    parts = [_parts(summary) for summary in view.nested.summaries]
    minimum = min(sum(share for share in found.values() if share < 0) for found in parts)
    rows = []
    shorter: Counter[str] = Counter()
    for summary, found in zip(view.nested.summaries, parts, strict=True):
        held = Counter(sentence.text for sentence in summary.sentences)
        came, went = (held - shorter).total(), (shorter - held).total()
        cells = [_made(summary), f"+{came}", f"−{went}" if went else "", _bar(view, found, minimum)]
        listed = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f"<tr><th scope='row'>{escape(length_name(summary.budget))}</th>{listed}</tr>")
        shorter = held
    heads = ("Length", "Sentences", "New", "Gone", "Reasons")
    head = "".join(f"<th scope='col'>{name}</th>" for name in heads)
    return (
        "<details class='fold changes'><summary>What changes with the length</summary>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></details>"
    )


def _made(summary: Summary) -> str:
    counts = Counter(sentence.origin for sentence in summary.sentences)
    return " · ".join(f"{counts[name]} {name}" for name in _ORIGINS if counts[name]) or "none"


def _parts(summary: Summary) -> dict[str, float]:
    """Return the share of each reason in the total of absolute reasons."""
    sums: Counter[str] = Counter()
    for sentence in summary.sentences:
        sums.update(sentence.reasons)
    total = sum(map(abs, sums.values())) or 1.0
    return {name: share / total for name, share in sums.items()}


def _bar(view: LengthsView, parts: Mapping[str, float], minimum: float) -> str:
    names = [name for name in reason_names(view) if parts.get(name)]
    left = right = -minimum
    drawn = []
    for name in names:
        share = parts[name]
        start = left + share if share < 0 else right
        left, right = min(left, start), max(right, start + abs(share))
        colour = reason_names(view).index(name) % COLOURS
        drawn.append(
            f'<rect class="reason-{colour}" x="{_percent(start, minimum)}" '
            f'width="{_percent(abs(share), minimum)}" height="8"/>'
        )
    told = ", ".join(f"{name} {100 * parts[name]:.0f}%".replace("-", "−") for name in names)
    zero = f'<rect class="zero" x="{_percent(-minimum, minimum)}" y="-2" width="1" height="12"/>'
    return (
        f'<svg class="bar" role="img" aria-label="{escape(told)}"><title>{escape(told)}</title>'
        f"{''.join(drawn)}{zero}</svg>"
    )


def _percent(share: float, minimum: float) -> str:
    return f"{100 * share / (1 - minimum):.2f}%"
