"""Cleans headings of bullets and link marks, and tells them from text that is set as one."""

import re

from longsum.language.characters import BULLETS
from longsum.language.sentences import CLOSING, ends_as_sentence

_LINK_MARKS = "¶🔗⚓\uf0c1"
"""Marks that documentation generators append to a heading as a link to it (Sphinx: ¶)."""
_MOST_WORDS, _LONG, _FEWEST_WORDS = 40, 25, 12
"""Most words of a heading, of one that ends as a sentence, and fewest of one with a full stop."""
_LEADING = re.compile(rf"\A(?:[{BULLETS}·]\s*|[*+–—-]\s+)+")
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


def is_statement(title: str) -> bool:
    """Return whether a heading is text that is set as one: a long text, or a sentence with its end.

    Numbered paragraphs of judgments have outline levels, and pages set paragraphs in `h4`.
    """
    count = len(title.split())
    stopped = title.rstrip(CLOSING).endswith((".", ";", ":"))
    fewest = _FEWEST_WORDS if stopped else _LONG if ends_as_sentence(title) else _MOST_WORDS
    return count > fewest
