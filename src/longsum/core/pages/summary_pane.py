"""The summary in a page, its changes with the length, and the whole page."""

from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby

from longsum.core.pages.document_pane import Mark, marked_text
from longsum.core.pages.lengths_view import (
    FINISH_NOTES,
    LengthsView,
    length_label,
    length_name,
    spoken_length,
)
from longsum.core.pages.page import fill, render_beside, render_menu
from longsum.core.pages.page_data import COLOURS, reason_names
from longsum.core.pages.run_card import render_explanation, render_run_card
from longsum.core.summaries import NestedSummaries, Origin, Summary, SummarySentence
from longsum.core.summaries.formats import MEANINGS
from longsum.core.summaries.layout import speaker_of
from longsum.core.summaries.sentence import Doubt

_ORIGINS: tuple[Origin, ...] = ("copied", "expanded", "generated")


def render_changes(view: LengthsView) -> str:
    """Return a table of the lengths: the origins of their sentences, and the reasons for them.

    It is collapsed by default, and empty if there is only one length. Bars show the share of each
    reason, with negative ones to the left of the line.
    """
    if len(view.nested.summaries) < 2:
        return ""
    parts = [_parts(summary) for summary in view.nested.summaries]
    minimum = min(sum(share for share in shares.values() if share < 0) for shares in parts)
    rows = []
    shorter: Counter[str] = Counter()
    for summary, shares in zip(view.nested.summaries, parts, strict=True):
        texts = Counter(sentence.text for sentence in summary.sentences)
        new, gone = (texts - shorter).total(), (shorter - texts).total()
        cells = [
            _origins(summary),
            f"+{new}",
            f"−{gone}" if gone else "",
            _bar(view, shares, minimum),
        ]
        listed = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f"<tr><th scope='row'>{escape(length_name(summary.budget))}</th>{listed}</tr>")
        shorter = texts
    heads = ("Length", "Sentences", "New", "Gone", "Reasons")
    head = "".join(f"<th scope='col'>{name}</th>" for name in heads)
    return (
        "<details class='fold changes'><summary>What changes with the length</summary>"
        f"{render_legend(view)}<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></details>"
    )


def _origins(summary: Summary) -> str:
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
    shares = ", ".join(f"{name} {100 * parts[name]:.0f}%".replace("-", "−") for name in names)
    zero = f'<rect class="zero" x="{_percent(-minimum, minimum)}" y="-2" width="1" height="12"/>'
    return (
        f'<svg class="bar" role="img" aria-label="{escape(shares)}"><title>{escape(shares)}</title>'
        f"{''.join(drawn)}{zero}</svg>"
    )


def _percent(share: float, minimum: float) -> str:
    return f"{100 * share / (1 - minimum):.2f}%"


def render_summary(view: LengthsView, *, headings: bool) -> str:
    """Return the sentences of all lengths, hiding those that are not in the requested summary.

    Each is a plain link to its source, so that the summary works without a script. It has a line of
    its own at every length, so its speaker is always named.

    With `headings`, groups of sentences have their section's title above them.
    """
    numbers = view.start_numbers
    groups = []
    for section, members in groupby(
        range(len(view.lines)), lambda index: view.lines[index].section
    ):
        indexes = list(members)
        items = "\n".join(render_sentence(view, index, numbers.get(index)) for index in indexes)
        hidden = "" if any(index in numbers for index in indexes) else " hidden"
        caption = _caption(view, section) if headings and section is not None else ""
        groups.append(f'<div class="group"{hidden}>{caption}\n<ul>\n{items}\n</ul></div>')
    return "\n".join(groups)


def render_sentence(view: LengthsView, index: int, number: int | None) -> str:
    """Return the sentence at `index` of all lines, as a link to its source.

    It is hidden if it has no number.
    """
    sentence = view.lines[index].sentence
    speaker = speaker_of(sentence, view.document)
    named = f'<b class="speaker">{escape(speaker)}:</b> ' if speaker else ""
    inner = (
        f'<span class="number">{number or ""}</span> {named}'
        f'<span class="text{"" if sentence.verified else " unsure"}">{_text(sentence)}</span>'
    )
    if sentence.deletions:
        inner += f'<span class="whole">{_struck_through(view, index)}</span>'
    if sentence.origin == "expanded":
        inner += ' <small class="origin">expanded</small>'
    hidden = "" if number else " hidden"
    if not sentence.sources:
        body = f'<span class="say" tabindex="-1">{inner} <small>no sure source</small></span>'
    else:
        page = sentence.sources[0].page
        inner += "" if page is None else f' <span class="page">p. {page}</span>'
        body = f'<a class="say" href="#s-{sentence.sources[0].sentence}">{inner}</a>'
    return f'<li id="k-{index}"{hidden}>{body}{render_doubts(sentence.doubts)}</li>'


def render_doubts(doubts: Iterable[Doubt]) -> str:
    """Return the doubts about a sentence, each with a link to its evidence in the document."""
    items = []
    for doubt in doubts:
        evidence = f' <a class="evidence" href="#s-{doubt.sentence}">Show the evidence</a>'
        items.append(
            f"<li>Check: {escape(str(doubt))}.{evidence if doubt.sentence is not None else ''}</li>"
        )
    return f'<ul class="doubts">{"".join(items)}</ul>' if items else ""


def doubt_marks(doubts: Iterable[Doubt]) -> list[Mark]:
    """Return marks around the words that doubts are about."""
    return [(doubt.start, doubt.end, "<mark>", "</mark>") for doubt in doubts]


def _text(sentence: SummarySentence) -> str:
    """Return the text with marks around doubts, and around insertions with their origin."""
    inserted = [
        (
            insertion.offset,
            insertion.offset + len(insertion.text),
            f'<ins title="as the document says in sentence {insertion.source.sentence + 1}">',
            "</ins>",
        )
        for insertion in sentence.insertions
    ]
    return marked_text(sentence.text, [*inserted, *doubt_marks(sentence.doubts)])


def _struck_through(view: LengthsView, index: int) -> str:
    """Return the whole source of a shortened sentence, with its deleted words marked."""
    sentence = view.lines[index].sentence
    source = sentence.sources[0]
    deleted = ((each.start, each.end, "<del>", "</del>") for each in sentence.deletions)
    return marked_text(view.document.text[source.start : source.end], deleted, source.start)


def render_deletions_button(view: LengthsView) -> str:
    """Return the button that shows deleted words; empty if no sentence was shortened."""
    if not any(line.sentence.deletions for line in view.lines):
        return ""
    return '<button type="button" id="whole" aria-pressed="false">Show deletions</button>'


def render_legend(view: LengthsView) -> str:
    """Return the colours of the reasons that occur."""
    used = {name for line in view.lines for name in line.sentence.reasons}
    items = "".join(
        f'<li title="{escape(MEANINGS.get(name, ""))}"><svg class="swatch" aria-hidden="true">'
        f'<rect class="reason-{place % COLOURS}" width="100%" height="100%"/></svg>'
        f"{escape(name)}</li>"
        for place, name in enumerate(reason_names(view))
        if name in used
    )
    return f"<ul class='legend' aria-label='Colours of the reasons'>{items}</ul>"


def _caption(view: LengthsView, section: int) -> str:
    sentences = view.tree.sections[section].sentences
    page = sentences[0].page if sentences else None
    page_mark = "" if page is None else f' <span class="page">p. {page}</span>'
    return (
        f'<h3 data-section="{section}"><a href="#sec-{section}">'
        f"<bdi>{escape(view.place(section))}</bdi></a>{page_mark}</h3>"
    )


def render_html(nested: NestedSummaries, *, shaded: bool = False, headings: bool = True) -> str:
    """Return one self-contained page: the summary beside its document, at every length.

    The page loads nothing, which its content security policy enforces; it works from a file. All
    text of the document is escaped and included once. Without a script, the summary at the
    requested length and the document remain readable and linked. The same summaries give the same
    bytes, since timings are left out.

    Args:
        nested: At least one summary; all are of one document.
        shaded: Whether importance, if known, is shown initially.
        headings: Whether sentences have their section's title above them.
    """
    view = LengthsView.of(nested)
    summary = view.summary
    pane = fill(
        "summary.html",
        label=escape(length_label(summary)),
        spoken=escape(spoken_length(summary)),
        start=str(nested.start),
        last=str(len(nested.summaries) - 1),
        ticks="".join(f'<option value="{place}">' for place in range(len(nested.summaries))),
        menu=render_menu(render_deletions_button(view)),
        nothing="hidden" if summary.sentences else "",
        language=escape(view.language),
        summary=render_summary(view, headings=headings),
        ends=escape(FINISH_NOTES[summary.finish_reason]),
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
        shaded=shaded,
    )
