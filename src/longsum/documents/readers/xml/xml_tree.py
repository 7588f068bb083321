"""XML of untrusted files as trees: no entities, nothing fetched, limited depth."""

import re
from collections.abc import Iterator
from html.entities import html5
from typing import Any

from lxml import etree

from longsum.documents.readers.limits import ReadLimits
from longsum.language.characters import clean

ENCODING = re.compile(r"\A\s*<\?xml[^>]*\?>")
"""An encoding declaration, which is obsolete once the text is decoded."""
_DEPTH_OF_XML = 256
"""The depth that libxml2 allows unless told that a tree is huge."""
_MOST_DIGITS = 6
# A named reference, or a bare ampersand.
_REFERENCE = re.compile(r"&(?:([A-Za-z][A-Za-z0-9]{1,31});|(?!#?\w+;))")
# Of an attribute that an element states twice, nothing is lost that is read.
_DOUBLED = etree.ErrorTypes.ERR_ATTRIBUTE_REDEFINED
# Text around the rows of a table; identifiers are not text.
_NOT_SHOWN = frozenset({"tr", "row", "object-id"})
_CDATA = re.compile(r"(<!\[CDATA\[.*?(?:\]\]>|\Z))", re.DOTALL)
# The document element: after the declaration, comments, instructions and the document type.
_ROOT = re.compile(
    r"\s*+(?><\?.*?\?>\s*+|<!--.*?-->\s*+"
    r"|<!DOCTYPE(?>[^\[>\"']|\"[^\"]*\"|'[^']*')*(?:\[.*?\]\s*+(?=>))?>\s*+)*"
    r"<(?P<name>[A-Za-z_][\w.:-]*+)(?P<attributes>[^<>]*+)>",
    re.DOTALL | re.IGNORECASE,
)


def parse_xml(text: str, limits: ReadLimits = ReadLimits()) -> Any:  # noqa: B008
    """Parse XML into its root element, tags without namespaces.

    Returns None if it is not well formed, or exceeds limits of depth and size. Nothing is
    fetched, and entities that a document defines are dropped. HTML entities, bare ampersands and
    undeclared prefixes are accepted, since many files have them.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=limits.xml_depth > _DEPTH_OF_XML,
        # Recovers from undeclared prefixes, and from fatal errors too, which the log shows.
        recover=True,
        encoding="utf-8",
    )
    plain = "".join(_numbered(ENCODING.sub("", text)))
    try:
        root = etree.fromstring(plain.encode("utf-8", "replace"), parser=parser)
        fatal = (e for e in parser.error_log.filter_from_fatals() if e.type != _DOUBLED)
        if root is None or next(fatal, None) is not None:
            return None
        if depth(root) > limits.xml_depth:
            return None
        etree.strip_tags(root, etree.Entity)
        for element in root.iter("*"):
            element.tag = re.split("[}:]", element.tag)[-1]
    except (etree.XMLSyntaxError, ValueError):
        return None
    return root


def root_of(text: str) -> tuple[str, str]:
    """Return the local name and the attributes of the document element as written.

    Both are empty if the text does not open like XML.
    """
    found = _ROOT.match(text)
    if found is None:
        return "", ""
    return found["name"].rpartition(":")[2], found["attributes"]


def attribute(element: Any, name: str) -> str | None:
    """Return an attribute by its name without namespace, None if there is none."""
    # Names alone are listed in linear time; with values the time is squared.
    for key in element.keys():  # noqa: SIM118
        if key == name or key.endswith((f"}}{name}", f":{name}")):
            return str(element.get(key))
    return None


def whole_number(value: str | None) -> int | None:
    """Return the number that an attribute states; None for none, or one too large for documents."""
    stated = value is not None and value.isdecimal() and len(value) <= _MOST_DIGITS
    return int(value) if value is not None and stated else None


def shown(element: Any) -> str:
    """Return an element's content: the rows of its tables on separate lines, or its text."""
    rows = [
        "\t".join(clean(" ".join(cell.itertext())) for cell in row.iter("td", "th", "cell"))
        for row in element.iter("tr", "row")
        # Rows of tables within cells belong to the cells.
        if next(row.iterancestors("td", "th", "cell"), None) is None
    ]
    around = clean(" ".join(outside(element, _NOT_SHOWN)))
    return "\n".join(filter(None, [around, *rows]))


def below(element: Any, tag: str, through: frozenset[str]) -> Iterator[Any]:
    """Yield the elements of a tag below another with only some tags between, as cells in a row."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in through:
            yield from below(child, tag, through)


def outside(element: Any, tags: frozenset[str]) -> Iterator[str]:
    """Yield the texts of an element that are not within elements of some tags, in order."""
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, inner in walker:
        if event == "start" and inner.tag in tags:
            walker.skip_subtree()
        elif event == "start":
            yield inner.text or ""
        elif inner is not element:
            yield inner.tail or ""


def _numbered(text: str) -> Iterator[str]:
    """Yield the text with named references as numbers, except in CDATA, which has none."""
    for part in _CDATA.split(text):
        yield part if part.startswith("<![CDATA[") else _REFERENCE.sub(_by_number, part)


def _by_number(found: re.Match[str]) -> str:
    characters = "&" if found[1] is None else html5.get(f"{found[1]};")
    if characters is None:
        return found[0]
    return "".join(f"&#{ord(character)};" for character in characters)


def depth(root: Any) -> int:
    """Return the depth of nested elements, including the root."""
    deepest = here = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        here += 1 if event == "start" else -1
        deepest = max(deepest, here)
    return deepest
