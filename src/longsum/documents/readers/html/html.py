"""Reader of HTML."""

import re
from collections import Counter
from collections.abc import Collection, Mapping

from lxml import etree, html

from longsum.documents.conservation import RUNNING_HEAD
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
    inline_formula,
    is_unseen,
    kinds,
    lines_of,
    stated_kind,
    unmarked_lines,
)
from longsum.documents.readers.html.html_looks import Looks, Pages
from longsum.documents.readers.html.html_tree import (
    main_part,
    parse_html,
    stated_language,
    without_entities,
)
from longsum.documents.readers.html.html_type import BlockText, Typesetting, is_spaced
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.plain.text import add_text
from longsum.documents.readers.structure.contents_and_indexes import (
    ListingsBuilder,
    count_links,
    holds_text,
    is_prose,
    leads_within,
)
from longsum.documents.readers.structure.heading_inference import (
    Block,
    Type,
    joint_type,
)
from longsum.documents.readers.structure.page_parts import parts_around, title_beside
from longsum.documents.readers.xml.xml_tree import ENCODING
from longsum.language.characters import BULLETS, clean
from longsum.language.words import count_words

# Most words of a term that joins its definition in one sentence; longer ones, such as function
# signatures, become paragraphs.
_LONGEST_TERM = 12
_TERM_ENDS = tuple(":;,.!?–—")
_LABELS = frozenset(
    {"note", "tip", "warning", "important", "caution", "hint", "danger", "attention", "admonition"}
)
_BYLINE = re.compile(
    r"(?:(?:written|edited|translated|compiled) )?by:?\s+(?:(?-i:[A-Z])[\w.’'-]*,?\s?|and\s){1,8}"
    r"|(?:[\w-]+ ){1,2}edition\.?",
    re.IGNORECASE,
)
_MARK = re.compile(
    rf"[{BULLETS}*+–—-]|(?:item|note)\s+\d{{1,3}}(?:\.\d{{1,2}})?[a-z]?[.:]?"
    r"|\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{2,5})[.)]",
    re.IGNORECASE,
)
"""Content of a cell before that of the text, in tables that lay out lists and headings."""
# What a page separates without a space: `Item 1A.Risk Factors`.
_GLUED = re.compile(r"\A(?:item|note)\s+\d{1,2}[A-Z]?[.:](?=\w)", re.IGNORECASE)
_INFERRED_RANK = 7
_FEWEST_PROSE_WORDS = 30
"""Fewest words of sentences in a form that surrounds a page."""
_LONGEST_BOLD = 14
_MOST_BOLD_PARTS = 200
_FEWEST_HEADINGS = 2
"""Fewest marked headings with which lines in bold are not headings; one may be the title."""
_REPEATED = 8
"""Fewest identical headings, a quarter of all, that are heads of printed pages."""
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
    body = main_part(root)
    parts = parts_around(root, body, page_title)
    walk = HtmlWalk(parts)
    titles = Counter(clean(heading.text_content()) for heading in body.iter(*HEADINGS))
    walk.repeated = {
        title for title, times in titles.items() if _REPEATED <= times > titles.total() / 4
    }
    if len(titles.keys() - walk.repeated) < _FEWEST_HEADINGS:
        walk.look(root)
    whole = root.find("body") if body is root else body
    walk.builder.language = stated_language(root if whole is None else whole)
    walk.read(root)
    title = None
    around = {heading for part in parts for heading in part.iter("h1")}
    if clean(page_title) and all(heading in around for heading in body.iter("h1")):
        title = title_beside(parts, page_title) or page_title
    return walk.builder.build(title, source, otherwise=page_title)


class HtmlWalk:
    """Walks the tree once, without recursion, collecting text until a block ends."""

    def __init__(self, parts: Mapping[html.HtmlElement, str] | None = None) -> None:
        """Start a walk.

        Args:
            parts: Elements to leave out, each with what it is.
        """
        self._parts = parts or {}
        self.builder = ListingsBuilder()
        # The texts of headings that are heads of printed pages.
        self.repeated: Collection[str] = ()
        self._text = BlockText()
        self._heading: int | None = None
        # How words are set; None if the page marks its headings.
        self._typesetting: Typesetting | None = None
        # The pages of blocks during the first walk, then their roles.
        self._pages: Pages | None = None
        self._looks = Looks()
        self._number = 0
        # The first part of a paragraph that a page break divides, and the mark of an item, or the
        # number of a heading, in a block of its own.
        self._first_part = self._mark = ""
        self._in_row = False
        self._links: list[html.HtmlElement] = []
        # Terms of a definition list that wait for their definition, each with its `count_links`.
        self._terms: list[tuple[str, int]] = []
        self._in_term = False
        # Whether the open heading is in a box whose class states its kind, such as a warning.
        self._in_note = False
        # Open stage directions of a play, the innermost last.
        self._directions: list[html.HtmlElement] = []
        # The open elements that state the kind of their text, the innermost last.
        self._stated: list[tuple[html.HtmlElement, Kind]] = []

    def look(self, root: html.HtmlElement) -> None:
        """Record the looks of blocks, on a page that marks no headings, before reading it."""
        first = HtmlWalk(self._parts)
        first.repeated = self.repeated
        first._typesetting, first._pages = Typesetting(), Pages()
        first.read(root)
        self._looks = first._pages.looks()
        self._typesetting = Typesetting()

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
                    self._add(element.tail)
        self._end_part()
        for rest in filter(None, (self._first_part, self._mark)):
            self._block(rest, 0)

    def _start(self, walker: etree.iterwalk, element: html.HtmlElement, tag: str) -> None:
        if tag == "br":
            self._break()
        elif tag in BLOCKS:
            self._flush()
        if self._pages is not None:
            self._pages.turn(element, "before")
        if tag == "tr":
            self._in_row = True
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
            # The speaker precedes what is said.
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
        elif tag == "math" and element.get("display") != "block":
            self._text.add(inline_formula(element), bool(self._links))
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
            if self._typesetting is not None:
                self._typesetting.start(element)
            self._add(element.text)

    def _add(self, text: str | None) -> None:
        set_as = self._typesetting.current.type if self._typesetting is not None else None
        self._text.add(text or "", bool(self._links), set_as)

    def _break(self) -> None:
        """Break a line: two breaks end a paragraph, and one a title in bold."""
        if self._heading is None and (self._text.broken or self._is_bold_title()):
            self._flush()
        else:
            self._text.add(" ", False)
            self._text.broken = True

    def _is_bold_title(self) -> bool:
        """Return whether the open block is a few words in bold, if no headings are marked."""
        if self._typesetting is None or self._text.letters != self._text.bold:
            return False
        # Checked at each line break: long texts are not joined each time.
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
        if tag == "tr":
            self._in_row = False
            self._end_mark()
        if self._pages is not None:
            self._pages.turn(element, "after")
        if self._typesetting is not None:
            self._typesetting.end(element)
        if tag in HEADINGS:
            self._heading = None
        elif tag in ("dt", "td"):
            self._in_term = False
        elif tag in ("dd", "dl", "tr"):
            self._end_terms()
        if self._stated and self._stated[-1][0] is element:
            self._stated.pop()

    def _end_mark(self) -> None:
        """Add a mark in a cell that has no text beside it as a block of its own."""
        if self._mark:
            mark, self._mark = self._mark, ""
            self._block(mark, 0)

    @property
    def _kind(self) -> Kind | None:
        """The kind that the open elements state for their text."""
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
        runs = self._text.runs
        # The number of a paragraph may link to it.
        is_number = self._text.links > self._text.letters == 0
        self._text = BlockText()
        if not text or is_number:
            return
        if text in BULLETS or (self._in_row and _MARK.fullmatch(text)):
            self._mark = text
            return
        if self._mark and any(map(str.isalpha, text)):
            text, self._mark = f"{self._mark} {text}", ""
        elif self._mark:
            # A dash before a figure, or the number of a note to it.
            self._end_mark()
        number, self._number = self._number, self._number + 1
        if self._pages is not None:
            self._pages.add(self._block_as_set(number, text, runs, apart=bool(links)))
        if number in self._looks.running:
            self.builder.omit(RUNNING_HEAD, text)
            return
        if self._first_part:
            text, self._first_part = f"{self._first_part} {text}", ""
        if number in self._looks.divided:
            self._first_part = text
            return
        if self._heading is not None and clean(text) in self.repeated:
            self.builder.omit(RUNNING_HEAD, text)
            self._heading = None
        elif self._heading is not None:
            if _is_title(text) and not (self._in_note and text.casefold() in _LABELS):
                self.builder.heading(self._heading, text)
            else:
                self.builder.paragraph(text, kind=self._kind)
            self._heading = None
        elif (inferred := self._looks.headings.get(number)) is not None:
            rank, title = _INFERRED_RANK + inferred.level, _GLUED.sub(r"\g<0> ", text)
            self.builder.inferred_heading(rank, title, inferred.evidence)
        elif titled and not self._looks.headings:
            self.builder.heading(_INFERRED_RANK, text)
        elif self._in_term and count_words(text) <= _LONGEST_TERM:
            self._terms.append((text, links))
        else:
            self._block(text, links)

    def _block_as_set(
        self, number: int, text: str, runs: list[tuple[str, Type]], *, apart: bool
    ) -> Block:
        assert self._typesetting is not None
        setting, kind = self._typesetting.current, self._kind
        apart = apart or self._in_term or kind not in (None, "list_item")
        apart = apart or self._heading is not None
        listed = kind == "list_item"
        type_ = joint_type(runs) or setting.type
        return Block(
            number, clean(text), type_, setting.centred, is_spaced(setting), listed, apart, None
        )

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
        """Add the terms without a definition, each by itself."""
        terms, self._terms = self._terms, []
        for term, link in terms:
            self._block(term, link)

    def _is_link_mark(self, link: html.HtmlElement) -> bool:
        """Return whether a link is a mark that only points to its own heading or term."""
        text = clean("".join(link.itertext()))
        if is_link_mark(text) or (self._heading is None and not self._in_term):
            return is_link_mark(text)
        return bool(text) and not any(map(str.isalnum, text)) and leads_within(link.get("href"))


def _is_title(text: str) -> bool:
    """Return whether the text of a heading is a title, not a note number, byline or edition."""
    return any(map(str.isalpha, text)) and not _BYLINE.fullmatch(text)


def _is_page(form: html.HtmlElement) -> bool:
    """Return whether a form surrounds text, not just the labels of its controls."""
    prose = filter(is_prose, lines_of(form).split("\n"))
    return sum(map(count_words, prose)) >= _FEWEST_PROSE_WORDS


def _is_layout(table: html.HtmlElement) -> bool:
    """Return whether a table only lays out the page, as in old HTML.

    It has headings or is the box of a note; or it has a single column with prose, paragraphs or
    cells that are paragraphs, and no header or caption.
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
