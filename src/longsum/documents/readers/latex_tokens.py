"""Tokens of LaTeX: commands, groups, math shifts and text, without comments."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

TokenKind = Literal["command", "open", "close", "math", "text", "verbatim"]


@dataclass(frozen=True, slots=True)
class Token:
    """A token.

    Attributes:
        kind: What it is.
        text: The name of a command without its backslash, the marks of a math shift, the text, or
            the content of a verbatim environment.
        environment: The environment that a verbatim token is of.
    """

    kind: TokenKind
    text: str
    environment: str = ""


_VERBATIM = "verbatim|Verbatim|lstlisting|minted|alltt|comment|filecontents|BVerbatim|sourcecode"
_TOKEN = re.compile(
    rf"(?P<comment>(?<!\\)%[^\n]*+(?:\n[ \t]*+)?)"
    rf"|\\begin\{{(?P<name>(?:{_VERBATIM})\*?)\}}"
    r"|\\verb\*?(?P<mark>[^A-Za-z*\s])(?P<verb>.*?)(?P=mark)"
    r"|\\(?P<command>[A-Za-z@]++\*?)[ \t]*+|\\(?P<sign>.)"
    r"|(?P<math>\$\$?)"
    r"|(?P<open>\{)|(?P<close>\})"
    r"|(?P<text>[^\\%${}]++)"
    r"|(?P<rest>.)",
    re.DOTALL,
)


def tokens(text: str) -> Iterator[Token]:
    r"""Yield the tokens of a LaTeX file in order.

    Comments are dropped with the line break after them, as TeX does; `\verb` is text, and a
    verbatim environment is one token.
    """
    position = 0
    while found := _TOKEN.match(text, position):
        position = found.end()
        kind = found.lastgroup
        if kind == "name":
            position, token = _verbatim(text, position, found["name"])
            yield token
        elif kind == "verb":
            yield Token("text", found["verb"])
        elif kind == "command":
            yield Token("command", found["command"])
        elif kind == "sign":
            yield Token("command", found["sign"])
        elif kind == "math":
            yield Token("math", found["math"])
        elif kind == "open":
            yield Token("open", "{")
        elif kind == "close":
            yield Token("close", "}")
        elif kind in ("text", "rest"):
            yield Token("text", found[kind])


def _verbatim(text: str, position: int, name: str) -> tuple[int, Token]:
    """Return where a verbatim environment ends, and its token."""
    mark = f"\\end{{{name}}}"
    end = text.find(mark, position)
    stop = len(text) if end < 0 else end
    after = stop + (len(mark) if end >= 0 else 0)
    return after, Token("verbatim", text[position:stop], name.rstrip("*"))
