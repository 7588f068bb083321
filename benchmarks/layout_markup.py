"""Layouts of HTML, RTF, LaTeX and Markdown, for `layouts.py`."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape

from layout_works import NONE, Block, Layout, Work, wrap

_PAGE = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{}</title></head>\n'
    "<body>\n{}\n</body></html>\n"
)
_RTF = (
    "{{\\rtf1\\ansi\\ansicpg1252\\deff0{{\\fonttbl{{\\f0 Times New Roman;}}}}"
    "{{\\stylesheet{{\\s0 Normal;}}{{\\s15 Title;}}{}}}\n{}}}\n"
)
_LATEX = (
    "\\documentclass{{article}}\n\\usepackage[utf8]{{inputenc}}\n\\title{{{}}}\n"
    "\\begin{{document}}\n\\maketitle\n{}\n\\end{{document}}\n"
)
_LATEX_HEADINGS = ("section", "subsection", "subsubsection", "paragraph")


def html_of(work: Work) -> str:
    """Return a page of headings and paragraphs."""
    return _page(work, [_element(each) for each in _with_title(work)])


def markdown_of(work: Work) -> str:
    """Return Markdown."""
    return "\n\n".join(_markdown(each) for each in _with_title(work)) + "\n"


def _with_title(work: Work) -> list[Block]:
    return [Block(work.title, 1), *(_lower(each) for each in work.blocks)]


def _lower(block: Block) -> Block:
    return Block(block.text, block.level + 1, block.speaker) if block.level else block


def _markdown(block: Block) -> str:
    if block.level:
        return f"{'#' * block.level} {block.text}"
    speaker = f"**{block.speaker}:** " if block.speaker else ""
    # A star or a number at the start would make a list.
    return speaker + block.text.replace("*", "\\*")


def _page(work: Work, parts: Iterable[str]) -> str:
    return _PAGE.format(escape(work.title), "\n".join(parts))


def _inner(block: Block) -> str:
    speaker = f"<b>{escape(block.speaker)}:</b> " if block.speaker else ""
    return speaker + escape(block.text)


def _element(block: Block) -> str:
    name = f"h{block.level}" if block.level else "p"
    return f"<{name}>{_inner(block)}</{name}>"


def _bold(block: Block, name: str) -> str:
    inner = f"<b>{_inner(block)}</b>" if block.level else _inner(block)
    return f"<{name}>{inner}</{name}>"


def _lines(blocks: Iterable[Block]) -> str:
    """Return paragraphs separated by two breaks, with headings in bold on lines of their own."""
    return "\n".join(
        f"<b>{_inner(each)}</b><br>" if each.level else f"{_inner(each)}<br><br>" for each in blocks
    )


def _table(rows: Iterable[Sequence[str]], more: str = ' border="0" cellpadding="4"') -> str:
    written = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return f"<table{more}>\n" + "\n".join(f"<tr>{row}</tr>" for row in written) + "\n</table>"


def _preformatted(work: Work) -> list[str]:
    lines = [line for each in _with_title(work) for line in ["", *wrap(each.spoken, 76)]]
    return ["<pre>", *map(escape, lines), "</pre>"]


def _rows(work: Work) -> list[str]:
    return [_table([f"<b>{_inner(b)}</b>" if b.level else _inner(b)] for b in _with_title(work))]


def _halves(work: Work, write: Callable[[list[Block]], str]) -> list[str]:
    """Return a page of three columns: links, and the two halves of the text."""
    blocks = _with_title(work)
    middle = next(n for n in range(len(blocks) // 2, len(blocks)) if not blocks[n - 1].level)
    links = "<br>".join(f'<a href="{name}.html">{name}</a>' for name in ("Home", "News", "Contact"))
    return [_table([[links, write(blocks[:middle]), write(blocks[middle:])]])]


def _nested(work: Work) -> list[str]:
    """Return a table in a table in a table, a row for each section."""
    rows = [
        [_table([[_lines([Block(each.title, 2)])], [_table([[_lines(each.blocks)]])]])]
        for each in work.sections()
    ]
    return [_table(rows)]


def _form(work: Work) -> list[str]:
    """Return a table of two columns: headings, and the paragraphs below them."""
    rows, label = [], escape(work.title)
    for block in work.blocks:
        if block.level:
            rows += [[label, ""]] if label else []
            label = escape(block.text)
        else:
            rows.append([label, _inner(block)])
            label = ""
    return [_table(rows, ' border="1"')]


def _html(parts: Callable[[Work], Iterable[str]]) -> Callable[[Work], bytes]:
    return lambda work: _page(work, parts(work)).encode()


def _each(write: Callable[[Block], str]) -> Callable[[Work], bytes]:
    return _html(lambda work: map(write, _with_title(work)))


def _rtf_text(text: str) -> str:
    signs = (
        f"\\{sign}" if sign in "\\{}" else sign if sign < "\x80" else f"\\u{ord(sign)}?"
        for sign in text
    )
    return "".join(signs)


def _rtf(work: Work, styled: bool) -> bytes:
    styles = "".join(f"{{\\s{n}\\outlinelevel{n - 1} heading {n};}}" for n in range(1, 7))
    parts = []
    for block in (Block(work.title, 9), *work.blocks):
        opening = "\\pard\\plain "
        if styled and block.level:
            opening += "\\s15 " if block.level == 9 else f"\\s{block.level} "
        if block.level:
            opening += "\\b "
        parts.append(f"{opening}{_rtf_text(block.spoken)}\\par")
    return _RTF.format(styles if styled else "", "\n".join(parts)).encode("ascii")


def _latex_text(text: str) -> str:
    signs = {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}
    return "".join(signs.get(sign, f"\\{sign}" if sign in "#$%&_{}" else sign) for sign in text)


def _latex(work: Work) -> bytes:
    parts = []
    for block in work.blocks:
        if block.level:
            name = _LATEX_HEADINGS[min(block.level, 4) - 1]
            parts.append(f"\\{name}{{{_latex_text(block.text)}}}")
        else:
            speaker = f"\\textbf{{{block.speaker}:}} " if block.speaker else ""
            parts.append(speaker + "\n".join(wrap(_latex_text(block.text), 78)))
    return _LATEX.format(_latex_text(work.title), "\n\n".join(parts)).encode()


def _asciidoc(work: Work) -> bytes:
    parts = [f"{'=' * each.level} {each.text}" if each.level else each.spoken
             for each in _with_title(work)]  # fmt: skip
    return ("\n\n".join(parts) + "\n").encode()


def markup_layouts() -> Sequence[Layout]:
    """Return all layouts of marked text, Markdown first."""
    columns, columns_p = (
        _html(partial(_halves, write=write))
        for write in (_lines, lambda blocks: "\n".join(map(_element, blocks)))
    )
    return [
        Layout("Markdown", ".md", lambda work: markdown_of(work).encode()),
        Layout("HTML: <p>", ".html", lambda work: html_of(work).encode()),
        Layout("HTML: <p>, bold headings", ".html", _each(partial(_bold, name="p"))),
        Layout("HTML: <div>", ".html", _each(partial(_bold, name="div")), lossy=True),
        Layout("HTML: <br><br>", ".html", _html(lambda w: [_lines(_with_title(w))]), lossy=True),
        Layout("HTML: <pre>", ".html", _html(_preformatted)),
        Layout("HTML: table by rows", ".html", _html(_rows)),
        Layout("HTML: table by columns", ".html", columns, lossy=True),
        Layout("HTML: table by columns, <p>", ".html", columns_p),
        Layout("HTML: nested tables", ".html", _html(_nested), lossy=True),
        Layout("HTML: form", ".html", _html(_form), marks=NONE),
        Layout("RTF: styles", ".rtf", partial(_rtf, styled=True)),
        Layout("RTF: bold", ".rtf", partial(_rtf, styled=False)),
        Layout("LaTeX", ".tex", _latex, marks=range(5)),
        Layout("AsciiDoc", ".adoc", _asciidoc),
    ]
