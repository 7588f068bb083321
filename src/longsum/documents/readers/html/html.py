"""Reader of HTML."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.entities import html5

from lxml import etree, html

from longsum.common.errors import LongsumError
from longsum.documents.heading_titles import is_link_mark
from longsum.documents.model import Document, Kind, Source
from longsum.documents.readers.html.elements import (
    BLOCKS,
    DIRECTION,
    HEADINGS,
    LISTINGS,
    NAVIGATION,
    OMITTED,
    OMITTED_WORDS,
    PERSONA,
    PREFORMATTED,
    SKIPPED,
    classes,
    is_unseen,
    kinds,
    lines_of,
    stated_kind,
    unmarked_lines,
)
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.plain.text import add_text
from longsum.documents.readers.structure.contents_and_indexes import (
    ListingsBuilder,
    count_links,
    holds_text,
    is_prose,
    leads_within,
)
from longsum.documents.readers.structure.page_parts import parts_around, title_beside
from longsum.documents.readers.xml.xml_tree import ENCODING, depth
from longsum.language.characters import clean
from longsum.language.words import count_words

_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
# Most words of a term that joins its definition in one sentence; longer ones, such as function
# signatures, become paragraphs.
_LONGEST_TERM = 12
_TERM_ENDS = tuple(":;,.!?–—")
# A document type with an internal subset, and the marks that delimit its parts.
_LONG_TAG = re.compile(r"<(?P<name>[A-Za-z][\w-]*+)\s[^<>]{50000,}")
_MOST_ATTRIBUTES = 10_000
# The parser drops whatever stands below the first of them.
_PAGE_END = re.compile(r"</(?:html|body)\s*+>", re.IGNORECASE)
_DECLARATIONS = re.compile(r"<!DOCTYPE\s[^\[<>]*+\[", re.IGNORECASE)
_DECLARATION_MARK = re.compile(r"<!--|[\"'\]]")
_DECLARATIONS_END = re.compile(r"\s*+>")
_REFERENCE = re.compile(r"&([A-Za-z_][\w.-]*+);")
_LABELS = frozenset(
    {"note", "tip", "warning", "important", "caution", "hint", "danger", "attention", "admonition"}
)
_BYLINE = re.compile(
    r"(?:(?:written|edited|translated|compiled) )?by:?\s+(?:(?-i:[A-Z])[\w.’'-]*,?\s?|and\s){1,8}"
    r"|(?:[\w-]+ ){1,2}edition\.?",
    re.IGNORECASE,
)
_BOLD = frozenset({"b", "strong"})
_BOLD_RANK = 7
_FEWEST_PROSE_WORDS = 30
"""Fewest words of the sentences in a form that is around a page."""
_LONGEST_BOLD = 14
_MOST_BOLD_PARTS = 200
_FEWEST_HEADINGS = 2
"""Fewest headings that a page marks, where lines in bold are none; one may be its title."""
_NO_TITLE_ENDS = tuple(".!;:,")
_TITLE_PATHS = ("head/title", "title")


def read_html(
    text: str,
    source: Source,
    limits: ReadLimits = ReadLimits(),  # noqa: B008
) -> Document:
    """Read HTML: `h1`–`h6` make sections, blocks of text make paragraphs.

    Menus, mastheads, sidebars, footers and hidden parts are left out
    (`longsum.documents.readers.structure.page_parts`), as is everything outside the page's `main`
    or only `article`; so are data tables, code blocks and figures. A warning counts them. Forms
    and scripts are skipped. Nothing is fetched or executed.

    Raises:
        LongsumError: There are no elements, or they are nested deeper than the limits allow.
    """
    # An encoding declaration in text that is already decoded makes lxml refuse it.
    plain = without_entities(ENCODING.sub("", text.replace("\x00", "\ufffd")))
    root = parse_html(plain, source.name or "The input", limits)
    page_title = next(filter(None, map(root.findtext, _TITLE_PATHS)), "")
    body = _main(root)
    parts = parts_around(root, body, page_title)
    walk = HtmlWalk(parts)
    walk.bold = 0 if len([*body.iter(*HEADINGS)]) < _FEWEST_HEADINGS else None
    whole = root.find("body") if body is root else body
    walk.builder.language = stated_language(root if whole is None else whole)
    walk.read(root)
    title = None
    around = {heading for part in parts for heading in part.iter("h1")}
    if clean(page_title) and all(heading in around for heading in body.iter("h1")):
        title = title_beside(parts, page_title) or page_title
    return walk.builder.build(title, source, otherwise=page_title)


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
    """Return a tag without its attributes if it has absurdly many; the parser squares them."""
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


def _main(root: html.HtmlElement) -> html.HtmlElement:
    for path in (".//main", ".//*[@role='main']", ".//article"):
        found = root.xpath(path)
        if len(found) == 1 and len(found[0].text_content().split()) > 50:
            return found[0]
    return root


@dataclass(slots=True)
class _Text:
    """The text of a block, and how many of its letters are in links within the document.

    It is `broken` where a line break is the last of it.
    """

    parts: list[str] = field(default_factory=list)
    letters: int = 0
    linked: int = 0
    links: int = 0
    bold: int = 0
    broken: bool = False

    def add(self, text: str, in_link: bool, in_bold: bool = False) -> None:
        self.parts.append(text)
        letters = sum(map(str.isalpha, text))
        self.letters += letters
        self.linked += letters if in_link else 0
        self.bold += letters if in_bold else 0
        self.broken &= not text.strip()

    def __str__(self) -> str:
        return "".join(self.parts).strip()


class HtmlWalk:
    """Walks the tree once, without recursion, collecting text until a block ends."""

    def __init__(self, parts: Mapping[html.HtmlElement, str] | None = None) -> None:
        """Start a walk.

        Args:
            parts: Elements to leave out, each with what it is.
        """
        self._parts = parts or {}
        self.builder = ListingsBuilder()
        self._text = _Text()
        self._heading: int | None = None
        # How many elements in bold are open; None where the page marks its headings.
        self.bold: int | None = None
        self._links: list[html.HtmlElement] = []
        # Terms of a definition list that wait for their definition, each with its `count_links`.
        self._terms: list[tuple[str, int]] = []
        self._in_term = False
        # Whether the open heading is in a box whose class says what it is, such as a warning.
        self._in_note = False
        # Open stage directions of a play, the innermost last.
        self._directions: list[html.HtmlElement] = []
        # The open elements that say what their text is, the innermost last.
        self._stated: list[tuple[html.HtmlElement, Kind]] = []

    def read(self, root: html.HtmlElement) -> None:
        """Add everything below an element to the builder."""
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            tag = element.tag
            if event == "start":
                self._start(walker, element, tag)
            else:
                self._end(element, tag)
                if element is not root:
                    self._text.add(element.tail or "", bool(self._links), bool(self.bold))
        self._end_part()

    def _start(self, walker: etree.iterwalk, element: html.HtmlElement, tag: str) -> None:
        if tag == "br":
            self._break()
        elif tag in BLOCKS:
            self._flush()
        if part := self._parts.get(element):
            self.builder.omit(part, lines_of(element))
            walker.skip_subtree()
            return
        if is_unseen(element):
            walker.skip_subtree()
            return
        stated = kinds(element)
        if kind := stated_kind(element, stated):
            self._stated.append((element, kind))
        if tag in HEADINGS:
            self._end_terms()
            self._heading = HEADINGS[tag]
            above = element.getparent()
            self._in_note = above is not None and bool(_LABELS.intersection(classes(above)))
        elif tag == "dl":
            self._end_terms()
        if tag in ("dl", "dt", "dd", "td"):
            # Who speaks stands before what is said.
            self._in_term = tag == "dt" or (tag == "td" and PERSONA in stated)
        if DIRECTION in stated:
            self._text.add("[", in_link=False)
            self._directions.append(element)
        if stated & LISTINGS:
            self._end_part()
            self.builder.listing(lines_of(element).split("\n"))
            walker.skip_subtree()
        elif tag in PREFORMATTED and add_text(unmarked_lines(element), self.builder):
            walker.skip_subtree()
        elif tag in OMITTED or (tag == "table" and not _is_layout(element)):
            self.builder.omit(OMITTED.get(tag, "table"), lines_of(element))
            walker.skip_subtree()
        elif tag in OMITTED_WORDS or (tag == "form" and not _is_page(element)):
            if words := lines_of(element):
                self.builder.omit(OMITTED_WORDS.get(tag, "form"), words)
            walker.skip_subtree()
        elif tag in SKIPPED or stated & NAVIGATION or (tag == "a" and self._is_link_mark(element)):
            walker.skip_subtree()
        else:
            if tag == "a" and leads_within(element.get("href")):
                self._links.append(element)
                self._text.links += 1
            if tag in _BOLD and self.bold is not None:
                self.bold += 1
            self._text.add(element.text or "", bool(self._links), bool(self.bold))

    def _break(self) -> None:
        """Break a line: two breaks end a paragraph, and one a title in bold."""
        if self._heading is None and (self._text.broken or self._is_bold_title()):
            self._flush()
        else:
            self._text.add(" ", False)
            self._text.broken = True

    def _is_bold_title(self) -> bool:
        """Return whether the open block is a few words in bold, where no headings are marked."""
        if self.bold is None or self._text.letters != self._text.bold:
            return False
        # Asked at each break of a line: what is long is not joined each time.
        if self._stated or self._in_term or len(self._text.parts) > _MOST_BOLD_PARTS:
            return False
        text = str(self._text)
        brief = count_words(text) <= _LONGEST_BOLD and not text.endswith(_NO_TITLE_ENDS)
        return brief and _is_title(text)

    def _end(self, element: html.HtmlElement, tag: str) -> None:
        """End an element, possibly a skipped one."""
        if self._links and self._links[-1] is element:
            self._links.pop()
        if self._directions and self._directions[-1] is element:
            self._directions.pop()
            self._text.add("]", in_link=False)
        if tag in BLOCKS:
            self._flush()
        if tag in _BOLD and self.bold:
            self.bold -= 1
        if tag in HEADINGS:
            self._heading = None
        elif tag in ("dt", "td"):
            self._in_term = False
        elif tag in ("dd", "dl", "tr"):
            self._end_terms()
        if self._stated and self._stated[-1][0] is element:
            self._stated.pop()

    @property
    def _kind(self) -> Kind | None:
        """What the open elements say of their text."""
        return self._stated[-1][1] if self._stated else None

    def _end_part(self) -> None:
        """End whatever is open, before something that is not part of it."""
        self._flush()
        self._end_terms()

    def _flush(self) -> None:
        """End a block; only the first in a heading is its title, even if a tag is left open."""
        text = str(self._text)
        links = count_links(self._text.letters, self._text.linked, self._text.links)
        titled = self._heading is None and not links and self._is_bold_title()
        # The number of a paragraph may link to it.
        is_number = self._text.links > self._text.letters == 0
        self._text = _Text()
        if not text or is_number:
            return
        if self._heading is not None:
            if _is_title(text) and not (self._in_note and text.casefold() in _LABELS):
                self.builder.heading(self._heading, text)
            else:
                self.builder.paragraph(text, kind=self._kind)
            self._heading = None
        elif titled:
            self.builder.heading(_BOLD_RANK, text)
        elif self._in_term and count_words(text) <= _LONGEST_TERM:
            self._terms.append((text, links))
        else:
            self._block(text, links)

    def _block(self, text: str, links: int) -> None:
        """Add a block of text, with waiting terms in front of it as part of its sentence."""
        terms, self._terms = self._terms, []
        if terms:
            counts = [links, *(link for _, link in terms)]
            links = sum(counts) if all(counts) else 0
            term = ", ".join(term for term, _ in terms)
            mark = "" if term.endswith(_TERM_ENDS) else ":"
            text = f"{term}{mark} {text}"
        if links:
            self.builder.links(text, links)
        else:
            self.builder.paragraph(text, kind=self._kind)

    def _end_terms(self) -> None:
        """Add the terms that got no definition, each by itself."""
        terms, self._terms = self._terms, []
        for term, link in terms:
            self._block(term, link)

    def _is_link_mark(self, link: html.HtmlElement) -> bool:
        """Return whether a link is a mark that only leads to its own heading or term."""
        text = clean("".join(link.itertext()))
        if is_link_mark(text) or (self._heading is None and not self._in_term):
            return is_link_mark(text)
        return bool(text) and not any(map(str.isalnum, text)) and leads_within(link.get("href"))


def stated_language(element: html.HtmlElement) -> str | None:
    """Return the declared language of an element, its own or inherited."""
    for above in (element, *element.iterancestors()):
        for name in ("lang", _XML_LANG, "xml:lang"):
            if stated := above.get(name):
                return str(stated)
    return None


def _is_title(text: str) -> bool:
    """Return whether the text of a heading is a title: no number of a note, byline or edition."""
    return any(map(str.isalpha, text)) and not _BYLINE.fullmatch(text)


def _is_page(form: html.HtmlElement) -> bool:
    """Return whether a form is around text, not around the labels of its controls."""
    prose = filter(is_prose, lines_of(form).split("\n"))
    return sum(map(count_words, prose)) >= _FEWEST_PROSE_WORDS


def _is_layout(table: html.HtmlElement) -> bool:
    """Return whether a table only lays out the page, as in old HTML.

    It has headings or is the box of a note; or it has a single column with prose, paragraphs or
    cells that are paragraphs, and no header or caption of its own.
    """
    around = table.getparent()
    in_note = around is not None and not _LABELS.isdisjoint(classes(around))
    if in_note or next(table.iter(*HEADINGS), None) is not None:
        return True
    heads = (head for head in table.iter("th", "thead", "caption"))
    if any(next(head.iterancestors("table")) is table for head in heads):
        return False
    if next(table.iter("p"), None) is not None:
        return True
    rows = list(table.iter("tr"))
    said = (clean("".join(row.itertext())) for row in rows)
    if all(len(row) == 1 for row in rows) and any(map(is_prose, said)):
        return True
    inner = (cell for cell in table.iter("td") if next(cell.iter("table"), None) is None)
    return holds_text("".join(cell.itertext()) for cell in inner)
