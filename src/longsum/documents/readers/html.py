"""Reader of HTML."""

import re

from lxml import etree, html

from longsum.documents.builder import DocumentBuilder, clean
from longsum.documents.model import Document, Source
from longsum.documents.readers.omitted import Omitted
from longsum.errors import LongsumError

_HEADINGS = {f"h{rank}": rank for rank in range(1, 7)}
_SKIPPED = {
    "script", "style", "template", "noscript", "head", "nav", "form", "button", "select", "svg",
    "math", "iframe", "object", "video", "audio", "canvas", "figure",
}  # fmt: skip
_OMITTED = {"pre": "code block", "figure": "figure", "math": "formula"}
_INLINE = {
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "img", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup",
    "time", "tt", "u", "var", "wbr",
}  # fmt: skip
_ENCODING = re.compile(r"\A\s*<\?xml[^>]*\?>")


def read_html(text: str, source: Source, warnings: list[str]) -> Document:
    """Read HTML: `h1`–`h6` make sections, blocks of text make paragraphs.

    The page's `main` (or its only `article`) is read where there is one. Navigation, forms,
    scripts and figures are no text; data tables and code blocks are left out with a warning.
    Nothing is fetched and nothing is executed.
    """
    # An encoding declaration in text that is already decoded makes lxml refuse it.
    text = _ENCODING.sub("", text.replace("\x00", "\ufffd"))
    try:
        root = html.document_fromstring(
            text.encode("utf-8", "replace"),
            parser=html.HTMLParser(encoding="utf-8", remove_comments=True, huge_tree=True),
        )
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise LongsumError(
            f"{source.name or 'The input'} cannot be read as HTML; save the page again."
        ) from error
    walk = _Walk()
    walk.builder.warnings.extend(warnings)
    body = _main(root)
    walk.read(body)
    walk.builder.warnings.extend(walk.omitted.warnings())
    has_heading = next(body.iter("h1"), None) is not None
    page_title = clean(root.findtext(".//title") or "")
    return walk.builder.build(None if has_heading or not page_title else page_title, source)


def _main(root: html.HtmlElement) -> html.HtmlElement:
    for path in (".//main", ".//*[@role='main']", ".//article"):
        found = root.xpath(path)
        if len(found) == 1 and len(found[0].text_content().split()) > 50:
            return found[0]
    return root


class _Walk:
    """Goes through the tree once, without recursion, gathering text until a block ends."""

    def __init__(self) -> None:
        self.builder = DocumentBuilder()
        self.omitted = Omitted()
        self._text: list[str] = []

    def read(self, root: html.HtmlElement) -> None:
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            tag = element.tag
            if event == "start":
                self._start(walker, element, tag)
            else:
                if tag in _HEADINGS:
                    self.builder.heading(_HEADINGS[tag], self._take())
                elif tag not in _INLINE and tag != "br":
                    self._flush()
                if element is not root:
                    self._text.append(element.tail or "")
        self._flush()

    def _start(self, walker: etree.iterwalk, element: html.HtmlElement, tag: str) -> None:
        if tag == "br":
            self._text.append(" ")
        elif tag not in _INLINE:
            self._flush()
        if tag in _OMITTED or (tag == "table" and not _is_layout(element)):
            self.omitted.count(_OMITTED.get(tag, "table"))
            walker.skip_subtree()
        elif tag in _SKIPPED or not isinstance(tag, str):
            walker.skip_subtree()
        else:
            self._text.append(element.text or "")

    def _take(self) -> str:
        text = "".join(self._text)
        self._text.clear()
        return text

    def _flush(self) -> None:
        if text := self._take().strip():
            self.builder.paragraph(text)


def _is_layout(table: html.HtmlElement) -> bool:
    """Tell whether a table only places the text of the page, as old pages do."""
    return next(table.iter("p", *_HEADINGS), None) is not None
