"""Manual pages as `man` prints them: headings at the margin, their text indented below."""

import re
from dataclasses import dataclass

_LONGEST_LINE = 300
_HEADER = re.compile(r"(?P<name>\S{1,80}\(\d\w{0,8}\))\s(?:.*\s)?(?P=name)")
_FIRST_LINE = re.compile(r"\s*+(.*)")
_GAP = re.compile(r"\S\s{3,}\S")
# Groff breaks words with the Unicode hyphen, and a broken word continues in lower case.
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])\u2010\n\s*(?=[^\W\d_A-Z])")
_SUBHEADING_INDENT = 3
_MOST_WORDS = 12
_FEWEST_LETTERS = 4
_RANK = 10


@dataclass(frozen=True, slots=True)
class ManPage:
    """A manual page.

    Attributes:
        title: Its name and section, `LS(1)`.
        text: Its text without headers and footers, hyphenated words rejoined.
        running: The header and footer lines left out.
    """

    title: str
    text: str
    running: list[str]


def as_man_page(text: str) -> ManPage | None:
    """Return a text as a manual page if its first line is that of one, else None.

    Such a line has the name on both sides, `LS(1)    User Commands    LS(1)`.
    """
    opening = _FIRST_LINE.match(text)
    first = opening[1].rstrip() if opening else ""
    found = _HEADER.fullmatch(first) if len(first) <= _LONGEST_LINE else None
    if found is None:
        return None
    lines = text.split("\n")
    kept = [line for line in lines if not _is_running(line, found["name"])]
    running = [line.strip() for line in lines if _is_running(line, found["name"])]
    return ManPage(found["name"], _BROKEN_WORD.sub("", "\n".join(kept)), running)


def indented_heading(lines: list[str], *, man_page: bool) -> int | None:
    """Return the rank of the heading that opens a block, judged by indentation; None if none does.

    Args:
        lines: The block; a line in capitals at the margin over indented lines is a heading in any
            text.
        man_page: Whether the text is a manual page, where any line at the margin is a heading, and
            so is one of a subsection, indented by three.
    """
    indent = _indent(lines[0])
    below = [_indent(line) for line in lines[1:]]
    if len(lines[0].split()) > _MOST_WORDS or not all(place > indent for place in below):
        return None
    if man_page:
        subsection = indent == _SUBHEADING_INDENT and bool(below)
        return _RANK + subsection if indent == 0 or subsection else None
    letters = [character for character in lines[0] if character.isalpha()]
    capitals = len(letters) >= _FEWEST_LETTERS and all(map(str.isupper, letters))
    return _RANK if capitals and indent == 0 and below else None


def _is_running(line: str, name: str) -> bool:
    """Return whether a line is a header or footer: it ends in the page's name, after a wide gap."""
    if len(line) > _LONGEST_LINE or not line.rstrip().endswith(name) or line[:1].isspace():
        return False
    return bool(_GAP.search(line))


def _indent(line: str) -> int:
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())
