"""Cleans headings of bullets, page numbers and link marks."""

import re

_LINK_MARKS = "¶🔗⚓\uf0c1"
"""Marks that documentation generators append to a heading as a link to it (Sphinx: ¶)."""
_BULLETS = "•‣⁃◦●○■□▪▫▶►◆◇◾◽★☆✓✔✦➢➤❖❑·∙\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0fc"
_LEADING = re.compile(rf"(?:[{_BULLETS}]\s*|[*+–—-]\s+)+")
# Of a title from its end, where each mark can be read in one way alone.
_TRAILING = re.compile(rf"(?:[{_LINK_MARKS}]\s*|\#\s+)+")
# A page number before a section number: no title begins with two numbers.
_TWO_NUMBERS = re.compile(
    r"(?P<page>\d{1,4})\s+(?=(?P<chapter>\d{1,2})(?:\.\d{1,2})*[.)]?\s+[^\W\d_])"
)


def bare_title(title: str) -> str:
    """Return a heading without leading bullets and page number and trailing link marks.

    `• • • 3. Stream` is `3. Stream`; `3 1 Introduction` is `1 Introduction`, since a page number is
    never lower than that of the chapter that begins on it. A heading of nothing but marks stays.
    """
    trailing = _TRAILING.match(title[::-1])
    bare = title[: len(title) - trailing.end()] if trailing else title
    while (found := _LEADING.match(bare) or _page_number(bare)) and found.end() < len(bare):
        bare = bare[found.end() :]
    return bare if any(map(str.isalnum, bare)) else title


def is_link_mark(text: str) -> bool:
    """Return whether a text is a mark that links to the heading before it."""
    return bool(text) and set(text) <= set(_LINK_MARKS)


def _page_number(title: str) -> re.Match[str] | None:
    found = _TWO_NUMBERS.match(title)
    return found if found and int(found["page"]) >= int(found["chapter"]) else None
