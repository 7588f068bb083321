"""The left pane: the summary, grouped by the sections that its sentences come from."""

from html import escape
from itertools import groupby

from longsum.reports.ladder_view import LadderView


def render_summary(view: LadderView) -> str:
    """Return the sentences of all rungs; those that the starting rung lacks are hidden.

    Each is a plain link to its source, so that the summary reads and leads to the document without
    a script.
    """
    numbers = view.start_numbers
    groups = []
    for section, members in groupby(
        range(len(view.lines)), lambda index: view.lines[index].section
    ):
        indexes = list(members)
        items = "\n".join(_item(view, index, numbers.get(index)) for index in indexes)
        hidden = "" if any(index in numbers for index in indexes) else " hidden"
        caption = "" if section is None else _caption(view, section)
        groups.append(f'<div class="group"{hidden}>{caption}\n<ul>\n{items}\n</ul></div>')
    return "\n".join(groups)


def _caption(view: LadderView, section: int) -> str:
    own = view.tree.sections[section].sentences
    page = own[0].page if own else None
    page_mark = "" if page is None else f' <span class="page">p. {page}</span>'
    return (
        f'<h3><a href="#sec-{section}"><bdi>{escape(view.place(section))}</bdi></a>{page_mark}</h3>'
    )


def _item(view: LadderView, index: int, number: int | None) -> str:
    sentence = view.lines[index].sentence
    inner = (
        f'<span class="number">{number or ""}</span> '
        f'<span class="text{"" if sentence.verified else " unsure"}">{escape(sentence.text)}</span>'
    )
    hidden = "" if number else " hidden"
    if not sentence.sources:
        body = f'<span class="say" tabindex="-1">{inner} <small>no sure source</small></span>'
    else:
        body = f'<a class="say" href="#s-{sentence.sources[0].sentence}">{inner}</a>'
    doubts = f'<p class="doubts">Check: {escape("; ".join(sentence.doubts))}.</p>'
    return f'<li id="k-{index}"{hidden}>{body}{doubts if sentence.doubts else ""}</li>'
