"""Charts of biases as one self-contained page without a script."""

from collections.abc import Iterator
from html import escape
from typing import get_args

from longsum.core.pages.page import asset, fill, render_page
from longsum.lab.pages.bias_charts import BiasView, SectionPairs
from longsum.lab.pages.bias_layout import Cell, Drawing, Path, Words, lay_out
from longsum.lab.pages.bias_sheets import Heat, Part, Sheet, sheets

_KEY = (
    '<p class="facts"><span class="key more"></span> Blue adds to a score, '
    '<span class="key less"></span> orange subtracts from it; where a cell is blank, no two '
    "sections are so related, or they have no bias.</p>"
)


def render_biases(model: str, views: tuple[BiasView, ...], document: str = "") -> str:
    """Return the biases of a model as one self-contained page.

    It loads nothing and runs nothing, and its content security policy allows neither.

    Args:
        model: The model's name.
        views: The biases of its encoder, its decoder or both.
        document: The name of the document whose sections are shown; empty for the example.
    """
    title = f"Biases learned by {escape(model)}"
    drawn = [sheet for view in views for sheet in sheets(view)]
    body = fill(
        "biases.html",
        title=title,
        facts=f"Sections of {escape(document or 'an example')}" if _pairs(views) else "",
        key=_KEY if any(isinstance(sheet.panels[0][0], Heat) for sheet in drawn) else "",
        sheets="\n".join(_rows(drawn)),
        sections=_sections(views),
    )
    return render_page(title, body, style=asset("base.css") + asset("biases.css"))


def _rows(drawn: list[Sheet]) -> Iterator[str]:
    """Yield rows of figures, one for each part, with encoder and decoder side by side."""
    for part in get_args(Part):
        figures = "\n".join(_figure(sheet) for sheet in drawn if sheet.part == part)
        if figures:
            yield f'<div class="row">\n{figures}\n</div>'


def _figure(sheet: Sheet) -> str:
    note = f"<p>{escape(sheet.note)}</p>" if sheet.note else ""
    return (
        f'<figure id="{sheet.name}"><figcaption><h2>{escape(sheet.title)}</h2>{note}</figcaption>'
        f'<div class="chart" tabindex="0">{_svg(lay_out(sheet), sheet.title)}</div></figure>'
    )


def _svg(drawing: Drawing, title: str) -> str:
    marks = "\n".join(_marks(drawing))
    return (
        f'<svg width="{drawing.width:.0f}" height="{drawing.height:.0f}" role="img" '
        f'aria-label="{escape(title)}">\n{marks}\n</svg>'
    )


def _marks(drawing: Drawing) -> Iterator[str]:
    yield from map(_rectangle, drawing.cells)
    yield from map(_polyline, drawing.paths)
    yield from map(_text, drawing.words)


def _rectangle(cell: Cell) -> str:
    side = "less" if cell.share < 0 else "more"
    tooltip = f"<title>{escape(cell.tooltip)}</title>" if cell.tooltip else ""
    return (
        f'<rect class="{side}" x="{cell.x:.1f}" y="{cell.y:.1f}" width="{cell.width:g}" '
        f'height="{cell.height:g}" fill-opacity="{abs(cell.share):.3f}">{tooltip}</rect>'
    )


def _polyline(path: Path) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in path.points)
    return f'<polyline class="{path.role}" points="{points}"/>'


def _text(words: Words) -> str:
    turned = f' transform="rotate(-90 {words.x:.1f} {words.y:.1f})"' if words.turned else ""
    strong = ' class="strong"' if words.strong else ""
    return (
        f'<text x="{words.x:.1f}" y="{words.y:.1f}" text-anchor="{words.anchor}"{turned}{strong}>'
        f"{escape(words.text)}</text>"
    )


def _sections(views: tuple[BiasView, ...]) -> str:
    """Return a table of the sections with their headings; empty if none has one."""
    pairs = _pairs(views)
    if pairs is None or not any(pairs.titles):
        return ""
    rows = "\n".join(
        f'<tr><th scope="row">§{escape(label)}</th><td><bdi>{escape(title)}</bdi></td></tr>'
        for label, title in zip(pairs.labels, pairs.titles, strict=True)
    )
    return f"<section><h2>The sections</h2><table>\n{rows}\n</table></section>"


def _pairs(views: tuple[BiasView, ...]) -> SectionPairs | None:
    return next((view.pairs for view in views if view.pairs is not None), None)
