"""Cleans headings of bullets and link marks, and detects text formatted as a heading."""

import re

from longsum.language.characters import BULLETS
from longsum.language.sentences import CLOSING, ends_as_sentence

_LINK_MARKS = "¶🔗⚓\uf0c1"
"""Marks that documentation generators append to a heading as a link to it (Sphinx: ¶)."""
_MOST_WORDS, _LONG, _FEWEST_WORDS = 40, 25, 12
"""Maximum words of a heading, and of one that ends as a sentence; minimum with a full stop."""
_LEADING = re.compile(rf"\A(?:[{BULLETS}·]\s*|[*+–—-]\s+)+")
# Trailing marks of a title, each of which matches in only one way.
_TRAILING = re.compile(rf"(?:[{_LINK_MARKS}]\s*|\#\s+)+")


def bare_title(title: str) -> str:
    """Return a heading without leading bullets and trailing link marks.

    `• • • 3. Stream` becomes `3. Stream`. A heading of only marks is kept.
    """
    trailing = _TRAILING.match(title[::-1])
    bare = title[: len(title) - trailing.end()] if trailing else title
    bare = _LEADING.sub("", bare)
    return bare if any(map(str.isalnum, bare)) else title


def is_link_mark(text: str) -> bool:
    """Return whether a text is a mark that links to the heading before it."""
    return bool(text) and set(text) <= set(_LINK_MARKS)


def is_statement(title: str) -> bool:
    """Return whether a heading is really text: a long text, or a complete sentence.

    Numbered paragraphs of judgments have outline levels, and some pages use `h4` for paragraphs.
    """
    count = len(title.split())
    stopped = title.rstrip(CLOSING).endswith((".", ";", ":"))
    fewest = _FEWEST_WORDS if stopped else _LONG if ends_as_sentence(title) else _MOST_WORDS
    return count > fewest
