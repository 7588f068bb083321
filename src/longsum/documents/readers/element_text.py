"""The words of an element that is left out of the text, as lines and cells."""

import re

from lxml import etree, html

from longsum.documents.readers.elements import BLOCKS
from longsum.documents.readers.plain_layout import tabbed

_CODE = frozenset({"pre", "listing", "xmp", "plaintext", "textarea"})
_CELLS = frozenset({"td", "th"})
_SILENT = frozenset({"script", "style", "template", "noscript", "noembed", "noframes"})
_SPACE = re.compile(r"\s+")


def lines_of(element: html.HtmlElement) -> str:
    """Return what an element says: blocks on lines of their own, cells between tabs.

    Code keeps its line breaks, and its indentation as tabs.
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
    return "\n".join(filter(str.strip, tabbed("".join(parts)).split("\n")))


def _spaced(text: str | None, code: int) -> str:
    return (text or "") if code else _SPACE.sub(" ", text or "")
