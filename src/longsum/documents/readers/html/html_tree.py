"""HTML as a tree: parsed however broken, without the entities it declares, and its language."""

import re
from html.entities import html5

from lxml import etree, html

from longsum.common.errors import LongsumError
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.xml.xml_tree import depth

_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_LONG_TAG = re.compile(r"<(?P<name>[A-Za-z][\w-]*+)\s[^<>]{50000,}")
_MOST_ATTRIBUTES = 10_000
# The parser drops whatever follows the first of them.
_PAGE_END = re.compile(r"</(?:html|body)\s*+>", re.IGNORECASE)
# A document type with an internal subset, and the marks that delimit its parts.
_DECLARATIONS = re.compile(r"<!DOCTYPE\s[^\[<>]*+\[", re.IGNORECASE)
_DECLARATION_MARK = re.compile(r"<!--|[\"'\]]")
_DECLARATIONS_END = re.compile(r"\s*+>")
_REFERENCE = re.compile(r"&([A-Za-z_][\w.-]*+);")


def parse_html(text: str, name: str, limits: ReadLimits) -> html.HtmlElement:
    """Parse HTML, however broken, into a tree.

    Args:
        text: The HTML, without an XML declaration.
        name: How messages call it.
        limits: The limit on its depth; the parser has one of its own, of some 2,000.

    Raises:
        LongsumError: Nothing in it can be parsed, or it is nested too deeply.
    """
    parser = html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
    )
    try:
        plain = _PAGE_END.sub("", _LONG_TAG.sub(_without_attributes, text))
        root = html.document_fromstring(plain.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise LongsumError(f"{name} cannot be read as HTML; save the page again.") from error
    # The parser drops whatever exceeds its limits; only its log says so.
    if any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log):
        raise LongsumError(
            f"{name} is HTML nested too deeply to be read in full; convert it to plain text first."
        )
    if depth(root) > limits.html_depth:
        raise limits.refusal(name, "html_depth")
    return root


def _without_attributes(tag: re.Match[str]) -> str:
    """Return a tag without its attributes if it has absurdly many; parsing takes quadratic time."""
    return f"<{tag['name']} " if len(tag[0].split()) > _MOST_ATTRIBUTES else tag[0]


def without_entities(text: str) -> str:
    """Remove the entities that a page declares, and references to them.

    A few lines can declare a text of any length, or a file of this machine. HTML entities keep
    their meaning. A page that declares none keeps everything that looks like a reference.
    """
    declared = _DECLARATIONS.search(text)
    end = _end_of_declarations(text, declared.end()) if declared else None
    if declared is None or end is None:
        return text
    rest = text[: declared.start()] + text[end:]
    if "<!ENTITY" not in text[declared.end() : end]:
        return rest
    return _REFERENCE.sub(lambda found: found[0] if f"{found[1]};" in html5 else "", rest)


def _end_of_declarations(text: str, position: int) -> int | None:
    """Return where a document type ends; None if it does not end or is malformed."""
    while found := _DECLARATION_MARK.search(text, position):
        if found[0] == "]":
            closing = _DECLARATIONS_END.match(text, found.end())
            return closing.end() if closing else None
        mark = "-->" if found[0] == "<!--" else found[0]
        position = text.find(mark, found.end()) + len(mark)
        if position < found.end():
            return None
    return None


def main_part(root: html.HtmlElement) -> html.HtmlElement:
    """Return what a page marks as its main part, if that has text; else the whole page."""
    for path in (".//main", ".//*[@role='main']", ".//article"):
        found = root.xpath(path)
        if len(found) == 1 and len(found[0].text_content().split()) > 50:
            return found[0]
    return root


def stated_language(element: html.HtmlElement) -> str | None:
    """Return the declared language of an element, its own or inherited."""
    for above in (element, *element.iterancestors()):
        for name in ("lang", _XML_LANG, "xml:lang"):
            if stated := above.get(name):
                return str(stated)
    return None
