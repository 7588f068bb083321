"""Reader of XML in vocabularies that no other reader knows."""

from typing import Any

from lxml import etree

from longsum.common.errors import LongsumError
from longsum.documents.model import Document, Source
from longsum.documents.readers.html.elements import BLOCKS, HEADINGS, OMITTED, SKIPPED
from longsum.documents.readers.html.html import HtmlWalk
from longsum.documents.readers.html.html_tree import stated_language
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.structure.contents_and_indexes import is_prose
from longsum.documents.readers.xml.sectioned_xml import parse_whole
from longsum.language.characters import clean

_TITLES = ("title", "head", "topic")
"""Elements, or attributes, that name what is around them."""
# What other vocabularies call elements of HTML, or call like those of HTML that have no text.
_SAME = {
    **dict.fromkeys(SKIPPED - OMITTED.keys() - {"script", "style"}, "span"),
    **dict.fromkeys(("artwork", "programlisting", "screen", "sourcecode"), "pre"),
    **dict.fromkeys(("item", "listitem"), "li"),
}


def read_other_xml(text: str, source: Source, limits: ReadLimits) -> Document:
    """Read XML by how its elements are used, as a page whose tags say no more.

    An element within text is inline; any other is a block, and a title makes a section of what is
    around it. Elements that are called as in HTML mean what they mean there.

    Raises:
        LongsumError: It is not well formed, nested too deeply, or has no sentence.
    """
    root = parse_whole(text, source, limits)
    walk = HtmlWalk()
    walk.builder.language = stated_language(root)
    walk.builder.warnings.append(
        f"No reader knows this kind of XML ({root.tag}); what is a section or a paragraph is told "
        "by how its elements stand in one another."
    )
    around = [element for element in root.iter("*") if not _has_words(element)]
    for element in around:
        if name := next(filter(None, map(element.get, _TITLES)), ""):
            title = etree.Element("title")
            title.text = name
            element.insert(0, title)
    blocks = [each for block in around for each in block]
    if not any(is_prose(clean("".join(each.itertext()))) for each in blocks if _has_words(each)):
        raise LongsumError(
            "This is XML of a kind that longsum does not know, without any sentence in it; "
            "convert it to HTML, Markdown or plain text first."
        )
    titled = {title.getparent() for title in root.iter(*_TITLES)}
    for element in blocks:
        if element.tag in _TITLES:
            above = sum(each in titled for each in element.iterancestors())
            element.tag = f"h{min(above, len(HEADINGS))}"
        elif element.tag not in BLOCKS and element.tag not in _SAME:
            element.tag = "div"
    for element in root.iter("*"):
        element.tag = _SAME.get(element.tag, element.tag)
    walk.read(root)
    return walk.builder.build(None, source)


def _has_words(element: Any) -> bool:
    """Return whether text stands directly in an element."""
    texts = [element.text, *(child.tail for child in element)]
    return any(text and text.strip() for text in texts)
