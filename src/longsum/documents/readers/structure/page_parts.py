"""Tells the text of a web page from what surrounds it: menus, mastheads, sidebars, footers.

Four signs decide: what the markup states (landmarks and roles), what names mean (`class` and `id`),
how much of a part is links (Kohlschütter et al. 2010, "Boilerplate Detection using Shallow Text
Features", §4), and where it is: outside the smallest element that contains nearly all prose.
Whatever contains much of the prose is text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lxml import etree, html

from longsum.documents.readers.html.elements import (
    BLOCKS,
    HEADINGS,
    NAVIGATION,
    SKIPPED,
    classes,
    is_unseen,
    kinds,
)
from longsum.documents.readers.structure.contents_and_indexes import is_prose
from longsum.language.characters import clean
from longsum.language.words import count_words

_MENU, _HEADER, _FOOTER, _HIDDEN = "menu", "page header", "page footer", "hidden part"

_LEAST_PROSE = 50
"""Fewest words of prose for position to be evidence; on shorter pages only statements count."""
_NEARLY_ALL = 0.8
_MUCH = 1 / 3
_FEWEST_LINKS = 3
_NO_RANK = 7

_HEADERS = frozenset({"banner", "doc-pageheader"})
_FOOTERS = frozenset({"contentinfo", "doc-pagefooter"})
_MENUS = NAVIGATION | {"tablist", "toolbar"}
_SKIPPED = SKIPPED - {"nav"}
_SECTIONING = ("article", "aside", "main", "nav", "section")
_UNDIVIDED = frozenset({"p", "ul", "ol", "dl", "li", "table", *HEADINGS})
"""Elements whose siblings are text next to them."""

_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# What the words in names mean: `class="page-footer"`, `id="navBar"`.
_NAMES = {
    _MENU: frozenset(
        {"nav", "navbar", "navigation", "navheader", "navfooter", "navlinks", "menu",
         "mainmenu", "submenu", "breadcrumb", "breadcrumbs", "crumbs", "toplang", "bottomlang",
         "pager", "pagination", "sidebar", "sphinxsidebar", "related", "toolbar", "share",
         "social", "switcher", "skip", "path"}
    ),
    _HEADER: frozenset({"header", "masthead", "banner", "topbar", "hd", "logo"}),
    _FOOTER: frozenset({"footer", "ft", "bottom", "copyright", "colophon"}),
}  # fmt: skip


# Parts within a text, mostly in sentences: readers' comments, or requests of the page.
_NOTICES = {
    "reader comment": frozenset({"comment", "comments", "disqus"}),
    "page notice": frozenset(
        {"ambox", "consent", "cookie", "cookies", "gdpr", "hatnote", "newsletter", "noprint",
         "onetrust", "promo"}
    ),
}  # fmt: skip


@dataclass(slots=True)
class _Measure:
    """The contents of an element and everything below it.

    `linked` are letters in links, `prose` words in blocks of running text, and `rank` is that of
    the highest heading.
    """

    letters: int = 0
    linked: int = 0
    links: int = 0
    prose: int = 0
    rank: int = _NO_RANK

    def add(self, other: "_Measure") -> None:
        self.letters += other.letters
        self.linked += other.linked
        self.links += other.links
        self.prose += other.prose
        self.rank = min(self.rank, other.rank)

    @property
    def is_links(self) -> bool:
        """Whether it consists mostly of links."""
        return self.links > 0 and 2 * self.linked >= self.letters


def parts_around(
    root: html.HtmlElement, main: html.HtmlElement, title: str
) -> dict[html.HtmlElement, str]:
    """Return the elements of a page that are not its text, each with what it is.

    An element within another of them is not listed.

    Args:
        root: The page.
        main: The part that the page marks as its text, `root` if it marks none.
        title: The title in the page's head.
    """
    return dict(_Page(root, main, clean(title).casefold()).parts())


def title_beside(parts: dict[html.HtmlElement, str], title: str) -> str:
    """Return the heading in a part around the text that is the page's title, or an empty string.

    It equals the title in the page's head; if that also names the site, the heading's text comes
    first.
    """
    whole = clean(title).casefold()
    for part in parts:
        for heading in part.iter("h1"):
            text = clean(heading.text_content())
            if text and whole.startswith(text.casefold()):
                return text
    return ""


class _Page:
    """A page whose elements are measured once."""

    def __init__(self, root: html.HtmlElement, main: html.HtmlElement, title: str) -> None:
        self._root = root
        self._main = main
        self._title = title
        self._measures = _measured(root)
        self._prose = self._measures[main].prose
        notices = (element for element in self._measures if _name(element, _NOTICES))
        # If comments are much of the prose, as in a forum, they are the text.
        self._noticed = sum(
            self._measures[element].prose
            for element in notices
            if not any(_name(above, _NOTICES) for above in element.iterancestors())
        )
        self._path = [*reversed(list(main.iterancestors())), *self._path_to_text()]

    def parts(self) -> Iterator[tuple[html.HtmlElement, str]]:
        """Yield the parts around the text, from top to bottom."""
        text = self._path[-1]
        on_path = set(self._path)
        place, within_main, opened = _HEADER, False, False
        walker = etree.iterwalk(self._root, events=("start", "end"))
        for event, element in walker:
            if event == "end":
                place = _FOOTER if element is text else place
                within_main &= element is not self._main
                continue
            within_main |= element is self._main
            if element in on_path:
                place = "" if element is text else place
            elif element.tag in _SKIPPED or element not in self._measures:
                walker.skip_subtree()
            elif not within_main:
                yield element, self._surrounding(element, place)
                walker.skip_subtree()
            elif kind := self._kind(element, place, opened=opened):
                yield element, kind
                walker.skip_subtree()
            elif not place:
                opened |= element.tag in HEADINGS or self._is_paragraph(element)

    def _surrounding(self, element: html.HtmlElement, place: str) -> str:
        """Return what an element outside the page's main part is."""
        return self._stated(element) or _name(element) or place

    def _kind(self, element: html.HtmlElement, place: str, *, opened: bool) -> str:
        """Return what an element is if it is not text, or an empty string.

        `place` is the verdict by position, empty within the text; the text is `opened` after its
        first heading or paragraph.
        """
        if self._measures[element].prose > _MUCH * self._prose:
            return ""
        kind = self._stated(element) or self._named(element, outside=bool(place))
        if not kind and place:
            return self._by_place(element, place)
        return kind or ("" if opened else self._before_text(element))

    def _is_paragraph(self, element: html.HtmlElement) -> bool:
        return element.tag == "p" and self._measures[element].prose > 0

    def _path_to_text(self) -> Iterator[html.HtmlElement]:
        """Yield the elements from the main part down to the smallest with nearly all prose."""
        element = self._main
        while True:
            yield element
            inner = [child for child in element if child in self._measures]
            if not inner or self._prose < _LEAST_PROSE:
                return
            most = max(inner, key=lambda child: self._measures[child].prose)
            beside = [child for child in inner if child is not most]
            if (
                self._measures[most].prose < _NEARLY_ALL * self._prose
                or most.tag in _UNDIVIDED
                or any(self._is_heading_of(child, most) for child in beside)
            ):
                return
            element = most

    def _is_heading_of(self, element: html.HtmlElement, text: html.HtmlElement) -> bool:
        """Return whether an element contains a heading that belongs to the adjacent text."""
        own = self._measures[element]
        if own.rank == _NO_RANK or _name(element) or own.is_links:
            return False
        return own.rank < self._measures[text].rank or own.prose > 0 or not own.links

    def _stated(self, element: html.HtmlElement) -> str:
        """Return what the markup says that an element is."""
        if is_unseen(element):
            return _HIDDEN
        stated = kinds(element)
        if element.tag == "nav" or stated & _MENUS:
            return _MENU
        of_page = next(element.iterancestors(*_SECTIONING), None) is None
        if stated & _HEADERS or (element.tag == "header" and of_page):
            return _HEADER
        return _FOOTER if stated & _FOOTERS or (element.tag == "footer" and of_page) else ""

    def _named(self, element: html.HtmlElement, *, outside: bool) -> str:
        """Return what an element is by its names; within the text it must consist of links."""
        if self._noticed <= _MUCH * self._prose and (name := _name(element, _NOTICES)):
            return name
        name = _name(element)
        own = self._measures[element]
        links = own.links > 0 and own.prose == 0 and own.rank == _NO_RANK
        return name if outside or links else ""

    def _by_place(self, element: html.HtmlElement, place: str) -> str:
        """Return what an element beside the text is: without prose, it is not text."""
        own = self._measures[element]
        if self._prose < _LEAST_PROSE or own.prose:
            return ""
        return _MENU if own.is_links and own.links >= _FEWEST_LINKS else place

    def _before_text(self, element: html.HtmlElement) -> str:
        """Return what an element at the start of the text is: a menu, or the title again."""
        own = self._measures[element]
        if self._prose < _LEAST_PROSE or own.prose or own.rank < _NO_RANK:
            return ""
        if own.is_links and own.links >= _FEWEST_LINKS and element.tag not in _UNDIVIDED:
            return _MENU
        if not self._title or own.letters > len(self._title):
            return ""
        return _HEADER if clean(element.text_content()).casefold() == self._title else ""


def _name(element: html.HtmlElement, names_of: Mapping[str, frozenset[str]] = _NAMES) -> str:
    """Return what an element is by its names, or an empty string."""
    names = [*classes(element), element.get("id") or ""]
    words = {word.lower() for name in names for word in _NAME_WORD.findall(name)}
    return next((kind for kind, meant in names_of.items() if words & meant), "")


@dataclass(slots=True)
class _Open:
    """A block being measured: its text since the last block inside it."""

    measure: _Measure = field(default_factory=_Measure)
    parts: list[str] = field(default_factory=list)
    letters: int = 0
    linked: int = 0

    def flush(self) -> None:
        text = clean("".join(self.parts))
        if text and 2 * self.linked < self.letters and is_prose(text):
            self.measure.prose += count_words(text)
        self.measure.letters += self.letters
        self.measure.linked += self.linked
        self.parts.clear()
        self.letters = self.linked = 0


def _measured(root: html.HtmlElement) -> dict[html.HtmlElement, _Measure]:
    """Return the measures of all blocks below an element, and its own."""
    found: dict[html.HtmlElement, _Measure] = {}
    stack = [_Open()]
    links = 0

    def add(text: str | None) -> None:
        if text:
            letters = sum(map(str.isalpha, text))
            stack[-1].parts.append(text)
            stack[-1].letters += letters
            stack[-1].linked += letters if links else 0

    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        tag = element.tag
        # Custom elements may contain blocks.
        is_block = element is root or tag in BLOCKS or "-" in tag
        if event == "start":
            if is_block:
                stack[-1].flush()
                stack.append(_Open())
            if tag in _SKIPPED:
                walker.skip_subtree()
                continue
            links += tag == "a"
            stack[-1].measure.links += tag == "a"
            add(element.text)
            continue
        if is_block:
            done = stack.pop()
            done.flush()
            done.measure.rank = min(done.measure.rank, HEADINGS.get(tag, _NO_RANK))
            found[element] = done.measure
            stack[-1].measure.add(done.measure)
        links -= tag == "a"
        if element is not root:
            add(element.tail)
    return found
