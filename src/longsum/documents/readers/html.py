"""Reader of HTML."""

import re

from lxml import etree, html

from longsum.documents.builder import DocumentBuilder, clean
from longsum.documents.model import Document, Source
from longsum.documents.readers.omitted import Omitted
from longsum.errors import LongsumError

_HEADINGS = {f"h{rank}": rank for rank in range(1, 7)}
_SKIPPED_INLINE = {
    "script", "style", "template", "noscript", "button", "select", "svg", "math", "iframe",
    "object", "video", "audio", "canvas",
}  # fmt: skip
_SKIPPED = _SKIPPED_INLINE | {"head", "nav", "form", "figure"}
_OMITTED = {"pre": "code block", "figure": "figure", "math": "formula"}
_INLINE = _SKIPPED_INLINE | {
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "img", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup",
    "time", "tt", "u", "var", "wbr",
}  # fmt: skip
ENCODING = re.compile(r"\A\s*<\?xml[^>]*\?>")
"""The declaration of an encoding, which text that is decoded has outlived."""
_TITLE_PATHS = ("head/title", "title")


def read_html(text: str, source: Source, warnings: list[str]) -> Document:
    """Read HTML: `h1`–`h6` make sections, blocks of text make paragraphs.

    The page's `main` (or its only `article`) is read where there is one. Navigation, forms,
    scripts and figures are no text; data tables and code blocks are left out with a warning.
    Nothing is fetched and nothing is executed.

    Raises:
        LongsumError: There is no element, or elements are nested more than 2,000 deep.
    """
    # An encoding declaration in text that is already decoded makes lxml refuse it.
    root = parse_html(ENCODING.sub("", text.replace("\x00", "\ufffd")), source.name or "The input")
    walk = HtmlWalk()
    walk.builder.warnings.extend(warnings)
    body = _main(root)
    walk.read(body)
    walk.builder.warnings.extend(walk.omitted.warnings())
    page_title = next(filter(None, map(root.findtext, _TITLE_PATHS)), "")
    has_title = next(body.iter("h1"), None) is not None or not clean(page_title)
    return walk.builder.build(None if has_title else page_title, source, otherwise=page_title)


def parse_html(text: str, name: str) -> html.HtmlElement:
    """Parse HTML, however broken, into a tree.

    Args:
        text: The HTML, without an XML declaration.
        name: What to call it in a message.

    Raises:
        LongsumError: It holds nothing that can be parsed.
    """
    parser = html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
    )
    try:
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise LongsumError(f"{name} cannot be read as HTML; save the page again.") from error
    # The parser drops what lies beyond its limits and only its log says so.
    if any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log):
        raise LongsumError(
            f"{name} is HTML nested too deep to be read in full; convert it to plain text first."
        )
    return root


def _main(root: html.HtmlElement) -> html.HtmlElement:
    for path in (".//main", ".//*[@role='main']", ".//article"):
        found = root.xpath(path)
        if len(found) == 1 and len(found[0].text_content().split()) > 50:
            return found[0]
    return root


class HtmlWalk:
    """Goes through the tree once, without recursion, gathering text until a block ends."""

    def __init__(self) -> None:
        self.builder = DocumentBuilder()
        self.omitted = Omitted()
        self._text: list[str] = []
        self._heading: int | None = None

    def read(self, root: html.HtmlElement) -> None:
        """Give all below an element to the builder."""
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            tag = element.tag
            if event == "start":
                self._start(walker, element, tag)
            else:
                if tag not in _INLINE and tag != "br":
                    self._flush()
                if tag in _HEADINGS:
                    self._heading = None
                if element is not root:
                    self._text.append(element.tail or "")
        self._flush()

    def _start(self, walker: etree.iterwalk, element: html.HtmlElement, tag: str) -> None:
        if tag == "br":
            self._text.append(" ")
        elif tag not in _INLINE:
            self._flush()
        if tag in _HEADINGS:
            self._heading = _HEADINGS[tag]
        if tag in _OMITTED or (tag == "table" and not _is_layout(element)):
            self.omitted.count(_OMITTED.get(tag, "table"))
            walker.skip_subtree()
        elif tag in _SKIPPED or not isinstance(tag, str):
            walker.skip_subtree()
        else:
            self._text.append(element.text or "")

    def _flush(self) -> None:
        """End a block; the first in a heading is its title, whatever an open tag lets follow."""
        text = "".join(self._text).strip()
        self._text.clear()
        if not text:
            return
        if self._heading is None:
            self.builder.paragraph(text)
        else:
            self.builder.heading(self._heading, text)
            self._heading = None


def _is_layout(table: html.HtmlElement) -> bool:
    """Tell whether a table only places the text of the page, as old pages do."""
    return next(table.iter("p", *_HEADINGS), None) is not None
