"""The list of a document's sections, each with its share in the summary."""

from collections.abc import Iterator
from html import escape

from longsum.common.wording import counted
from longsum.core.pages.lengths_view import LengthsView
from longsum.core.pages.section_map import SectionMap


def render_contents(view: LengthsView, layout: SectionMap) -> str:
    """Return the sections as nested lists of links, which the script turns into a tree.

    Empty if the document has no sections.
    """
    if not any(section.title for section in view.tree.sections):
        return ""
    return "".join(_items(view, layout))


def _items(view: LengthsView, layout: SectionMap) -> Iterator[str]:
    depth = 0
    for section in view.tree.sections:
        level = 1 + len(view.tree.ancestors(section.number))
        if level > depth:
            yield "<ul>" * (level - depth)
        else:
            yield "</li>" + "</ul></li>" * (depth - level)
        depth = level
        words = counted(layout.section_words[section.number], "word")
        yield (
            f'<li id="in-{section.number}"><a href="#sec-{section.number}">'
            f"<bdi>{escape(view.heading(section.number))}</bdi> <small>{words}</small></a>"
        )
    yield "</li></ul>" * depth
