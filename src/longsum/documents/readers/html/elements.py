"""What the elements of HTML mean: blocks, headings, parts without text, and kinds of text."""

import re
from collections.abc import Iterable

from lxml import etree, html

from longsum.documents.conservation import tabbed
from longsum.documents.model import Kind

HEADINGS = {f"h{rank}": rank for rank in range(1, 7)}
"""Ranks of headings."""
# Block elements of the HTML standard (§15.3). All others are inline, as in a browser: phrasing
# content, obsolete elements and custom elements.
BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "col", "colgroup",
    "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
    "footer", "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup",
    "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p",
    "plaintext", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "ul", "xmp",
}  # fmt: skip
SKIPPED = {
    "applet", "audio", "button", "canvas", "datalist", "embed", "figure", "head", "iframe",
    "math", "nav", "noembed", "noframes", "noscript", "object", "rp", "rt", "rtc", "script",
    "search", "select", "style", "svg", "template", "textarea", "video",
}  # fmt: skip
"""Elements without running text."""
PREFORMATTED = ("pre", "listing", "xmp")
"""Elements of code."""
OMITTED = {
    **dict.fromkeys(PREFORMATTED, "code block"),
    "figure": "figure",
    "math": "formula",
    # The pronunciation of the word before; without ruby markup it would appear twice.
    "rt": "ruby annotation",
}
"""Elements that are counted if they are left out, with names for them."""
OMITTED_WORDS = {
    **dict.fromkeys(("button", "select", "textarea"), "form control"),
    "noscript": "script fallback",
    "template": "template",
}
"""The same for those that are counted only if they contain words."""
NAVIGATION = frozenset({"navigation", "search", "menu", "menubar", "doc-pagelist", "page-list"})
"""Roles and types of menus and the like."""
LISTINGS = frozenset(
    {"toc", "index", "landmarks", "loi", "lot", "loa", "lov", "doc-toc", "doc-index"}
)
"""Roles and types of tables of contents and indexes."""
# Elements, roles (DPUB-ARIA 1.1) and `epub:type`s that state the kind of their text.
_NOTES = (
    *("footnote", "footnotes", "endnote", "endnotes", "rearnotes"),
    *("doc-footnote", "doc-endnote", "doc-endnotes"),
)
_PUBLICATION = (
    *("copyright-page", "colophon", "doc-colophon", "acknowledgments", "doc-acknowledgments"),
    "contentinfo",
)
_STATED: dict[str, Kind] = {
    **dict.fromkeys(("li", "dd"), "list_item"),
    "address": "contact",
    **dict.fromkeys(("caption", "figcaption"), "caption"),
    **dict.fromkeys(_NOTES, "footnote"),
    **dict.fromkeys(("bibliography", "doc-bibliography", "doc-biblioentry"), "reference"),
    **dict.fromkeys(_PUBLICATION, "boilerplate"),
}
# Classes that mean the same in the output of several generators.
_CLASSES: dict[str, Kind] = {
    **dict.fromkeys(("footnote", "footnotes", "footnotes-segment"), "footnote"),
    **dict.fromkeys(("endnotes", "footnotetext"), "footnote"),
    **dict.fromkeys(("citation", "bibliography", "references"), "reference"),
    **dict.fromkeys(("legalnotice", "copyright"), "boilerplate"),
    "caption": "caption",
}
PERSONA, DIRECTION = "z3998:persona", "z3998:stage-direction"
"""The values of `epub:type` for speakers and stage directions in a play."""
EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
"""The attribute `epub:type`, as parsed XML names it."""
_UNSEEN_CLASSES = frozenset(
    {"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "skip-link", "skiplink",
     "mw-editsection", "mw-jump-link", "headerlink", "copiable-anchor"}
)  # fmt: skip
_UNSEEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_CODE = frozenset({*PREFORMATTED, "plaintext", "textarea"})
_CELLS = frozenset({"td", "th"})
_SILENT = frozenset({"script", "style", "template", "noscript", "noembed", "noframes"})
_SPACE = re.compile(r"\s+")


def kinds(element: html.HtmlElement) -> frozenset[str]:
    """Return the declared types of an element: its role and `epub:type`."""
    if not isinstance(element.tag, str):
        return frozenset()
    stated = (element.get(EPUB_TYPE), element.get("epub:type"), element.get("role"))
    return frozenset(word for words in stated if words for word in words.split())


def classes(element: html.HtmlElement) -> list[str]:
    """Return the classes of an element."""
    return (element.get("class") or "").split()


def stated_kind(element: html.HtmlElement, stated: Iterable[str]) -> Kind | None:
    """Return the kind that an element states for its text.

    `stated` are its `kinds`.
    """
    for name in stated:
        if kind := _STATED.get(name):
            return kind
    if element.tag in BLOCKS:
        for name in classes(element):
            if kind := _CLASSES.get(name):
                return kind
    return _STATED.get(element.tag)


def is_unseen(element: html.HtmlElement) -> bool:
    """Return whether an element is hidden, or shown only to screen readers.

    The panels of tabs are not hidden: one click shows them.
    """
    if element.get("role") == "tabpanel":
        return False
    if "hidden" in element.attrib or element.get("aria-hidden") == "true":
        return True
    if _UNSEEN_STYLE.search(element.get("style") or ""):
        return True
    return not _UNSEEN_CLASSES.isdisjoint(classes(element))


def inline_formula(element: html.HtmlElement) -> str:
    """Return a formula within a sentence as plain text, from its LaTeX if that is given."""
    from longsum.documents.readers.latex.latex_commands import formula

    given = element.get("alttext") or element.findtext(".//annotation") or ""
    if not given:
        return "".join(element.itertext())
    return formula(given.replace("\\displaystyle", ""))


def lines_of(element: html.HtmlElement) -> str:
    """Return the text of an element: blocks on separate lines, cells separated by tabs.

    Code keeps its line breaks, and its indentation as tabs; an element of code also its blank
    lines.
    """
    parts: list[str] = []
    code = sum(above.tag in _CODE for above in element.iterancestors())
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, inner in walker:
        tag = inner.tag
        if event == "start":
            code += tag in _CODE
            if tag in _SILENT and inner is not element:
                walker.skip_subtree()
            elif tag == "br":
                parts.append("\n")
            else:
                parts.append("\n" if tag in BLOCKS and tag not in _CELLS else "")
                parts.append(_spaced(inner.text, code))
            continue
        code -= tag in _CODE
        parts.append("\t" if tag in _CELLS else "\n" if tag in BLOCKS else "")
        if inner is not element:
            parts.append(_spaced(inner.tail, code))
    text = tabbed("".join(parts))
    return text if element.tag in _CODE else "\n".join(filter(str.strip, text.split("\n")))


def _spaced(text: str | None, code: int) -> str:
    return (text or "") if code else _SPACE.sub(" ", text or "")


def unmarked_lines(element: html.HtmlElement) -> str:
    """Return the lines of an element's text; none if part of it is marked as code."""
    marked = next(element.iter("code"), None) is not None
    return "" if marked else "".join(element.itertext())
