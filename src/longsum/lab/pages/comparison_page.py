"""The page of a comparison of systems: tables, charts, and examples side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from longsum.common.wording import counted
from longsum.core.pages.page import asset, fill, render_page
from longsum.lab.pages.comparison_charts import (
    colour_of,
    render_by_length,
    render_positions,
    render_spread,
)
from longsum.lab.pages.comparison_examples import common_limit, render_examples, text_sizes
from longsum.lab.pages.comparison_view import SIGNIFICANT, ComparisonView, Grid, Lead, ScoreView

LARGEST = 3_000_000
"""Bytes of a page; texts are cut so that it is no larger, and the page says so."""
_BETTER = {"higher": "higher is better", "lower": "lower is better", "neither": ""}
_ARROWS = {"higher": " ↑", "lower": " ↓", "neither": ""}


def render_comparison(view: ComparisonView) -> str:
    """Return a comparison as one self-contained page.

    It loads nothing, which its content security policy enforces; without a script, tables, charts
    and texts remain readable. The same comparison gives the same bytes.
    """
    page = _render(view)
    if len(page.encode()) <= LARGEST or not view.examples:
        return page
    fewer = _fitting(view)
    room = LARGEST - len(_render(fewer, 0).encode())
    return _render(fewer, common_limit(text_sizes(fewer), max(0, room)))


def _fitting(view: ComparisonView) -> ComparisonView:
    """Return the comparison with so few examples that their texts have half of the room."""
    bare = len(_render(replace(view, examples=()), 0).encode())
    size = (len(_render(view, 0).encode()) - bare) / len(view.examples)
    most = int((LARGEST - bare) / (2 * size))
    return replace(view, examples=view.examples[: max(0, most)])


def _render(view: ComparisonView, longest: int | None = None) -> str:
    """Return the page, with each text cut to at most `longest` bytes."""
    count = len(view.lengths)
    script = asset("comparison.js")
    body = fill(
        "comparison.html",
        title=escape(view.title),
        facts=escape(
            f"{counted(count, view.unit)} · {counted(len(view.systems), 'system')} · "
            f"{counted(len(view.scores), 'score')}"
        ),
        against=_against(view),
        scores=_score_table(view),
        left_out=_left_out(view),
        tests="\n".join(map(_grid, view.tests)),
        legend=_legend(view),
        charts="\n".join(_charts(view)),
        note=escape(_note(view, cut=longest is not None)),
        systems=_options(view.systems),
        second=_options(view.systems, chosen=1),
        order=_options([score.name for score in view.scores], chosen=None),
        examples=render_examples(view, LARGEST if longest is None else longest),
        card=_card(view),
        script=script,
    )
    style = asset("base.css") + asset("comparison.css")
    return render_page(f"Comparison: {escape(view.title)}", body, style=style, script=script)


def _against(view: ComparisonView) -> str:
    """Return a sentence or more on what the numbers of the table mean."""
    sentences = [f"Means over {view.unit}s with 95 % bootstrap intervals."]
    if len(view.systems) > 1:
        sentences.append(
            f"Below: the difference from {view.systems[0]}, with the p-value of approximate "
            f"randomization; the tests below have them corrected for the number of systems, too. "
            f"Bold: p < {SIGNIFICANT}."
        )
    if any(score.letters for score in view.scores):
        sentences.append("Systems that share a letter do not differ (Tukey, 0.05).")
    return escape(" ".join(sentences))


def _score_table(view: ComparisonView) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in view.systems)
    bodies = "\n".join(
        _metric_rows(metric, list(scores), len(view.systems))
        for metric, scores in groupby(view.scores, key=lambda score: score.metric)
    )
    return (
        f'<div class="scroll" tabindex="0"><table id="scores"><thead><tr><th scope="col">Score</th>'
        f"{head}</tr></thead>\n{bodies}</table></div>"
    )


def _metric_rows(metric: str, scores: Sequence[ScoreView], systems: int) -> str:
    rows = "\n".join(map(_score_row, scores))
    return (
        f'<tbody><tr><th class="metric" colspan="{systems + 1}" scope="rowgroup">{escape(metric)}'
        f"</th></tr>\n{rows}</tbody>"
    )


def _score_row(score: ScoreView) -> str:
    description = ", ".join(filter(None, (score.measures, _BETTER[score.better])))
    cells = "".join(_score_cell(score, place) for place in range(len(score.estimates)))
    return (
        f'<tr><th scope="row">{escape(score.name)}{_ARROWS[score.better]}'
        f"<small>{escape(description)}</small></th>{cells}</tr>"
    )


def _score_cell(score: ScoreView, place: int) -> str:
    estimate, lead = score.estimates[place], score.leads[place]
    letters = f" <sup>{escape(score.letters[place])}</sup>" if score.letters else ""
    interval = f"[{_number(estimate.low)}, {_number(estimate.high)}]"
    return (
        f"<td>{_number(estimate.mean)}{letters} <small>{interval}</small>"
        f"{'' if lead is None else _lead(lead)}</td>"
    )


def _lead(lead: Lead) -> str:
    text = f"{_number(lead.difference, '+')}, p = {lead.p_value:.4f}"
    return f"<small>{f'<b>{text}</b>' if lead.p_value < SIGNIFICANT else text}</small>"


def _number(value: float, sign: str = "") -> str:
    return f"{value:{sign}.2f}".replace("-", "−")


def _left_out(view: ComparisonView) -> str:
    if not view.left_out:
        return ""
    listed = "".join(
        f"<li>{escape(name)}: {escape(reason)}</li>" for name, reason in view.left_out.items()
    )
    return f'<div class="note"><p>Metrics left out:</p><ul>{listed}</ul></div>'


def _grid(grid: Grid) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in grid.head)
    rows = "\n".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in grid.rows
    )
    return (
        f'<details class="fold"><summary>{escape(grid.caption)}</summary>'
        f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{rows}</tbody></table></div></details>"
    )


def _legend(view: ComparisonView) -> str:
    shown = [(colour_of(place), name) for place, name in enumerate(view.systems)]
    shown += [("even", name) for name in view.positions if name not in view.systems]
    return "".join(
        f'<li><svg class="swatch" aria-hidden="true"><rect class="{colour}" width="10" '
        f'height="10"/></svg>{escape(name)}</li>'
        for colour, name in shown
    )


def _charts(view: ComparisonView) -> Iterator[str]:
    """Yield the charts: positions of salient content, then a fold for each metric."""
    if view.positions:
        yield (
            '<figure class="wide"><figcaption><b>positions</b> where in the documents the pairs of '
            "words first occur that they share with references and summaries, in per cent (HEPOS, "
            f"Figure 2)</figcaption>{render_positions(view)}</figure>"
        )
    grouped = groupby(view.scores, key=lambda score: score.metric)
    for place, (metric, scores) in enumerate(grouped):
        figures = "\n".join(_figure(view, score) for score in scores)
        yield (
            f'<details class="fold"{" open" if place == 0 else ""}><summary>{escape(metric)}'
            f'</summary><div class="charts">\n{figures}\n</div></details>'
        )


def _figure(view: ComparisonView, score: ScoreView) -> str:
    return (
        f"<figure><figcaption><b>{escape(score.name)}</b> {escape(score.measures)}</figcaption>"
        f"{render_spread(view, score)}{render_by_length(view, score)}</figure>"
    )


def _note(view: ComparisonView, *, cut: bool) -> str:
    """Return which parts of the examples the page leaves out."""
    count, shown = len(view.lengths), len(view.examples)
    sentences = []
    if shown < count:
        sentences.append(f"Shown are the first {shown:,} of {counted(count, view.unit)}.")
    if cut:
        sentences.append(
            f"Long texts are cut, so that the page is no larger than {LARGEST / 1e6:g} MB; each "
            "says how many words it lacks."
        )
    return " ".join(sentences)


def _options(names: Sequence[str], chosen: int | None = 0) -> str:
    return "".join(
        f'<option value="{place}"{" selected" if place == chosen else ""}>{escape(name)}</option>'
        for place, name in enumerate(names)
    )


def _card(view: ComparisonView) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in view.card)
    variants = "".join(f"<li>{escape(variant)}</li>" for variant in view.variants)
    return f'<dl class="card">{rows}<dt>Metrics</dt><dd><ul>{variants}</ul></dd></dl>'
