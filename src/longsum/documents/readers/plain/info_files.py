"""Info files as `makeinfo` writes them: nodes with menus, cross-references and underlined titles.

The form is described in the Texinfo manual, appendix *Info Format Specification*.
"""

import re
from dataclasses import dataclass, field

_NODE = re.compile(r"\A\n?File:\s[^\n]{1,400}?,\s+Node:\s[^\n]*\n")
_SEPARATOR = "\x1f"
_LAST_NODES = ("Tag Table:", "End Tag Table", "Local Variables:", "Indirect:")
_MENU = re.compile(r"^\* Menu:[^\n]*\n?", re.MULTILINE)
_INDEX = "\x00\x08[index\x00\x08]"
_MARKED = re.compile("\x00\x08\\[[^\\]\n]{0,400}\\]")
# What a title is underlined with, from chapters down, and the same level of plain text.
_UNDERLINE = re.compile(
    r"^(?P<title>[^\n]{1,300})\n(?P<mark>\*|=|-|\.)(?P=mark){2,}$", re.MULTILINE
)
_LEVELS = {"*": "=", "=": "-", "-": "~", ".": "^"}
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
        left_out: What else the file has, each with its kind: the notice before the first node,
            menus and indexes.
    """

    text: str
    left_out: list[tuple[str, str]] = field(default_factory=list)


def as_info(text: str) -> InfoFile | None:
    """Return a text as an Info file if it has nodes of one, else None."""
    before, separator, rest = text.partition(_SEPARATOR)
    if not separator or not _NODE.match(rest):
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
        # Nothing but its title stands before an index.
        body = "" if is_index else body[: menu.start()]
    titled = _UNDERLINE.sub(_with_plain_underline, _MARKED.sub("", body))
    return _NOTE.sub(_as_words, titled).strip("\n")


def _with_plain_underline(found: re.Match[str]) -> str:
    if not found["title"].strip():
        return found[0]
    return f"\n{found['title'].strip()}\n{_LEVELS[found['mark']] * 5}\n"


def _as_words(found: re.Match[str]) -> str:
    """Return a cross-reference as readers of Info show it: `see Defining Commands`."""
    label = " ".join(found["label"].split())
    if found["seen"]:
        return f"{found['seen']}{label}"
    return f"{'See' if found['mark'] == 'N' else 'see'} {label}"
