"""Plain texts in special forms: manual pages and Info files.

Manual pages are as `man` prints them, Info files as `makeinfo` writes them (Texinfo manual,
appendix *Info Format Specification*).
"""

import re
from dataclasses import dataclass, field

from longsum.documents.readers.plain.plain_layout import indent

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
    own = indent(lines[0])
    below = [indent(line) for line in lines[1:]]
    if len(lines[0].split()) > _MOST_WORDS or not all(place > own for place in below):
        return None
    if man_page:
        subsection = own == _SUBHEADING_INDENT and bool(below)
        return _RANK + subsection if own == 0 or subsection else None
    letters = [character for character in lines[0] if character.isalpha()]
    capitals = len(letters) >= _FEWEST_LETTERS and all(map(str.isupper, letters))
    is_item = lines[0].startswith(("* ", "- ", "+ ", "• "))
    return _RANK if capitals and own == 0 and below and not is_item else None


def _is_running(line: str, name: str) -> bool:
    """Return whether a line is a header or footer: it ends in the page's name, after a wide gap."""
    if len(line) > _LONGEST_LINE or not line.rstrip().endswith(name) or line[:1].isspace():
        return False
    return bool(_GAP.search(line))


_NODE = re.compile(r"\A\n?File:\s[^\n]{1,400}?,\s+Node:\s[^\n]*\n")
_SEPARATOR = "\x1f"
_LAST_NODES = ("Tag Table:", "End Tag Table", "Local Variables:", "Indirect:")
_MENU = re.compile(r"^\* Menu:[^\n]*\n?", re.MULTILINE)
_INDEX = "\x00\x08[index\x00\x08]"
_MARKED = re.compile("\x00\x08\\[[^\\]\n]{0,400}\\]")
# Underlines of titles, from chapters down, and those of the same levels in plain text.
_UNDERLINE = re.compile(r"^(?:\*{3,}|={3,}|-{3,}|\.{3,})$", re.MULTILINE)
_LEVELS = str.maketrans("*=-.", "=-~^")
_NOTE = re.compile(
    r"(?P<seen>\b(?:see|See|refer to|Refer to|consult|in|at)\s{1,80})?\*(?P<mark>[Nn])ote\s{1,80}"
    r"(?:\([^()\n]{1,60}\))?(?P<label>[^:]{1,200}?)"
    r"(?:::|:\s{1,80}(?:\([^()]{1,60}\))?[^.,:()]{0,200}(?=[.,:)]))"
)


@dataclass(slots=True)
class InfoFile:
    """The text of an Info file.

    Attributes:
        text: Its nodes as plain text: titles underlined, cross-references as words.
        left_out: Other parts of the file, each with its kind: the notice before the first node,
            menus and indexes.
    """

    text: str
    left_out: list[tuple[str, str]] = field(default_factory=list)


def as_info(text: str) -> InfoFile | None:
    """Return a text as an Info file if it has the nodes of one, else None."""
    before, _, rest = text.partition(_SEPARATOR)
    if not _NODE.match(rest):
        return None
    info = InfoFile("")
    if before.strip():
        info.left_out.append(("notice", before.strip()))
    kept = [_read_node(node, info) for node in rest.split(_SEPARATOR)]
    info.text = "\n\n".join(filter(None, kept))
    return info


def _read_node(node: str, info: InfoFile) -> str:
    """Return the text of a node, without what is left out of it."""
    if node.lstrip().startswith(_LAST_NODES):
        return ""
    body = _NODE.sub("", node)
    menu = _MENU.search(body)
    if menu is not None:
        is_index = _INDEX in body
        listed = _MARKED.sub("", body[menu.end() :]).strip()
        info.left_out.append(("index line" if is_index else "menu", listed))
        # Nothing but its title precedes an index.
        body = "" if is_index else body[: menu.start()]
    titled = _UNDERLINE.sub(lambda rule: rule[0].translate(_LEVELS), _MARKED.sub("", body))
    return _NOTE.sub(_as_words, titled).strip("\n")


def _as_words(found: re.Match[str]) -> str:
    """Return a cross-reference as Info viewers show it: `see Defining Commands`."""
    label = " ".join(found["label"].split())
    if found["seen"]:
        return f"{found['seen']}{label}"
    return f"{'See' if found['mark'] == 'N' else 'see'} {label}"
