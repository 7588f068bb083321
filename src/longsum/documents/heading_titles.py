"""Cleans headings of bullets and link marks."""

import re

_LINK_MARKS = "¶🔗⚓\uf0c1"
"""Marks that documentation generators append to a heading as a link to it (Sphinx: ¶)."""
_BULLETS = "•‣⁃◦●○■□▪▫▶►◆◇◾◽★☆✓✔✦➢➤❖❑·∙\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0fc"
_LEADING = re.compile(rf"\A(?:[{_BULLETS}]\s*|[*+–—-]\s+)+")
# Of a title from its end, where each mark can be read in one way alone.
_TRAILING = re.compile(rf"(?:[{_LINK_MARKS}]\s*|\#\s+)+")


def bare_title(title: str) -> str:
    """Return a heading without leading bullets and trailing link marks.

    `• • • 3. Stream` is `3. Stream`. A heading of nothing but marks stays.
    """
    trailing = _TRAILING.match(title[::-1])
    bare = title[: len(title) - trailing.end()] if trailing else title
    bare = _LEADING.sub("", bare)
    return bare if any(map(str.isalnum, bare)) else title


def is_link_mark(text: str) -> bool:
    """Return whether a text is a mark that links to the heading before it."""
    return bool(text) and set(text) <= set(_LINK_MARKS)
