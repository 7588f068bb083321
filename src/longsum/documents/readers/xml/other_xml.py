"""Reader of XML in vocabularies that no other reader knows."""

import re
from itertools import islice, pairwise
from typing import Any

from lxml import etree

from longsum.common.errors import LongsumError
from longsum.documents.model import Document, Source
from longsum.documents.readers.html.elements import BLOCKS, HEADINGS, OMITTED, SKIPPED
from longsum.documents.readers.html.html import HtmlWalk
from longsum.documents.readers.html.html_tree import parse_html, stated_language
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.structure.contents_and_indexes import is_prose
from longsum.documents.readers.xml.sectioned_xml import parse_whole
from longsum.documents.readers.xml.xml_tree import root_of
from longsum.language.characters import clean

_TITLES = ("title", "head", "topic", "heading", "header", "titletext", "marginalnote")
"""Elements, or attributes, that are the title of what surrounds them."""
_NUMBERS = ("num", "enum", "label", "no", "number", "pnumber")
"""Elements that number what they precede."""
_LONGEST_NUMBER = 40
_BESIDE = {"indexterm": "index entry", "prolog": "front matter", "titlealts": "front matter"}
_LEFT_OUT = {
    **_BESIDE,
    **dict.fromkeys(("draft-comment", "remark", "revremark"), "comment"),
    **dict.fromkeys(("meta", "metadata"), "front matter"),
    **dict.fromkeys(("footnote", "fn", "authorialnote"), "footnote"),
}
# A part of a section: its title opens its first line.
_PART = re.compile(r"\s*[\[“\"‘]*\(\w{1,5}\)")
_RUN_IN = ("—", "–", ".-")
_CELLS = ("entry", "stentry", "td")
_SHOWN = ("fig", "figure", "informaltable", "simpletable", "table")
# What DocBook puts around the title of a part, with other metadata.
_ABOUT = ("articleinfo", "bookinfo", "chapterinfo", "info", "sectioninfo")
# Feeds have HTML as text.
_FEED = ("content", "description", "encoded", "summary")
_MARKUP = re.compile(r"\s*<[a-z]")
_PROGRAMS = ("artwork", "codeblock", "programlisting", "screen", "sourcecode")
_ADMONITIONS = ("caution", "important", "note", "tip", "warning")
# Other vocabularies' names of HTML elements, or of elements without text in HTML.
_SAME = {
    **dict.fromkeys(SKIPPED - OMITTED.keys() - {"script", "style"}, "span"),
    **dict.fromkeys((*_PROGRAMS, "literallayout", "msgblock"), "pre"),
    **dict.fromkeys(("item", "listitem"), "li"),
    **dict.fromkeys(("informaltable", "simpletable"), "table"),
    **dict.fromkeys(("row", "strow", "sthead"), "tr"),
    **dict.fromkeys(_CELLS, "td"),
    **dict.fromkeys(("parml", "variablelist"), "dl"),
    **dict.fromkeys(("pt", "term of varlistentry", "glossterm of glossentry"), "dt"),
    **dict.fromkeys(("pd", "listitem of varlistentry", "glossdef"), "dd"),
    **dict.fromkeys((f"title of {each}" for each in _SHOWN), "caption"),
    **dict.fromkeys((f"title of {each}" for each in _ADMONITIONS), "p"),
}


def read_other_xml(text: str, source: Source, limits: ReadLimits) -> Document:
    """Read XML by how its elements are used, as their names are mostly unknown.

    An element within text is inline; any other is a block, and a title makes a section of what
    surrounds it. Elements named as in HTML have their meaning there.

    Raises:
        LongsumError: It is not well formed, nested too deeply, or has no sentence.
    """
    root = parse_whole(text, source, limits)
    for element in root.iter("*"):
        element.tag = element.tag.lower()
        if element.tag == "toc":
            element.set("role", "doc-toc")
    etree.strip_tags(root, *_ABOUT)
    walk = HtmlWalk(
        {
            part: _LEFT_OUT[part.tag]
            for part in root.iter(*_LEFT_OUT)
            if part.tag not in _BESIDE or not is_prose(clean(" ".join(part.itertext())))
        }
    )
    walk.builder.language = stated_language(root)
    walk.builder.warnings.append(
        f"No reader knows this kind of XML ({root_of(text)[0]}); its sections and paragraphs are "
        "inferred from how its elements are nested."
    )
    written: set[Any] = set()
    for element in list(root.iter(*_FEED)):
        if not len(element) and _MARKUP.match(element.text or ""):
            page = parse_html(element.text, source.name or "The input", limits)
            element.text = None
            element.extend([page] if page.find("body") is None else page.find("body"))
            written.update(element.iterdescendants("*"))
    for element in root.iter(*_PROGRAMS):
        # In HTML, preformatted text without it may be prose.
        etree.SubElement(element, "code")
    for element in root.iter("*"):
        within = f"{element.tag} of {element.getparent().tag}" if element is not root else ""
        element.tag = _SAME.get(within, element.tag)
    beside = _within_text(root)
    around = [
        each
        for each in root.iter("*")
        if not _has_words(each) and each not in written and each not in beside
    ]
    for element in around:
        if name := next(filter(None, map(element.get, _TITLES[:3])), ""):
            title = etree.Element("title")
            title.text = name
            element.insert(0, title)
    blocks = [each for block in around for each in block]
    said = filter(_has_words, (*blocks, *written))
    if not any(is_prose(clean("".join(each.itertext()))) for each in said):
        raise LongsumError(
            "This is XML of a kind that longsum does not know, without any sentence in it; "
            "convert it to HTML, Markdown or plain text first."
        )
    for element in blocks:
        if element.tag in _NUMBERS:
            _join(element)
    titles = {each for each in blocks if each.tag in _TITLES and _is_title(each)}
    in_cells = {each for cell in root.iter(*_CELLS) for each in cell}
    titled = {title.getparent() for title in titles}
    # Elements that are headings and no more: what stands beside them is below them.
    alone = {each for each in titled if all(c in titles or c.tag == "span" for c in each)}
    divided = {each.getparent() for each in alone}
    for element in blocks:
        if element in titles:
            over = list(element.iterancestors())
            above = sum(each in titled for each in over)
            above += sum(up in divided and each not in alone for each, up in pairwise(over))
            element.tag = f"h{min(above, len(HEADINGS))}"
            if not len(element):
                # A full stop does not make a sentence of what is marked as a title.
                element.text = (element.text or "").rstrip().removesuffix(".")
        elif element not in in_cells and (
            element.tag in _TITLES or element.tag not in BLOCKS | _SAME.keys() | {"span"}
        ):
            element.tag = "div"
    for element in root.iter("*"):
        element.tag = _SAME.get(element.tag, element.tag)
    walk.read(root)
    return walk.builder.build(None, source)


def _within_text(root: Any) -> set[Any]:
    """Return elements that only mark words of a text, such as the one around a link in italics."""
    found: set[Any] = set()
    # Of each element once: one may have many children.
    texts = {each for each in root.iter("*") if _has_words(each)}
    for element in root.iter("*"):
        above = element.getparent()
        if above is None or element.tag in BLOCKS | _SAME.keys() or element in texts:
            continue
        if (above in found or above in texts) and not is_prose(clean("".join(element.itertext()))):
            found.add(element)
    return found


def _join(number: Any) -> None:
    """Move a number into the title it stands beside, or the text that it stands in front of."""
    text = clean("".join(number.itertext()))
    below = list(islice(number.itersiblings("*"), 2))
    if not below or below[0].tag in _NUMBERS or not 0 < len(text) <= _LONGEST_NUMBER:
        return
    beside = (each for each in (*below, number.getprevious()) if each is not None)
    place = next((each for each in beside if each.tag in _TITLES), below[0])
    while len(place) and not _has_words(place):
        place = place[0]
    place.text = f"{text} {(place.text or '').lstrip()}"
    number.clear()
    number.tag = "span"


def _is_title(element: Any) -> bool:
    """Return whether an element is a title, not a part of that name or the start of a line."""
    if any(each.tag in _TITLES for each in element.iterdescendants()):
        return False
    text = "".join(element.itertext())
    return not _PART.match(text) and not text.rstrip().endswith(_RUN_IN)


def _has_words(element: Any) -> bool:
    """Return whether an element directly contains text."""
    texts = [element.text, *(child.tail for child in element)]
    return any(text and text.strip() for text in texts)
