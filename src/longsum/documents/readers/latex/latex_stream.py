"""LaTeX as a stream of tokens that gives arguments of commands and contents of environments."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

TokenKind = Literal["command", "open", "close", "math", "text", "verbatim"]
_VERBATIM = (
    "verbatim|Verbatim|lstlisting|minted|alltt|comment|filecontents|BVerbatim|sourcecode|code"
    "|semiverbatim|spverbatim|Highlighting|CodeInput|CodeOutput|Sinput|Soutput"
)
_TOKEN = re.compile(
    rf"(?P<comment>(?<!\\)%[^\n]*+(?:\n[ \t]*+)?)"
    rf"|\\begin\{{(?P<name>(?:{_VERBATIM})\*?)\}}"
    r"|\\(?:verb\*?|lstinline(?:\[[^\]\n]{0,200}\])?)"
    r"(?P<mark>[^A-Za-z*\s\[{])(?P<verb>[^\n]{0,1000}?)(?P=mark)"
    r"|\\(?P<linking>url|path|nolinkurl|href)[ \t]*+\{(?P<address>[^{}\n]*+)\}"
    r"|\\(?P<command>[A-Za-z@]++\*?)[ \t]*+|\\(?P<sign>.)"
    r"|(?P<math>\$\$?)"
    r"|(?P<open>\{)|(?P<close>\})"
    r"|(?P<text>[^\\%${}]++)"
    r"|(?P<rest>.)",
    re.DOTALL,
)
_MARKED_WORD = re.compile(r"\\[A-Z][A-Za-z]{1,20}Tok\{((?>(?:[^{}\\]|\\.|\{\})*))\}")
_KINDS: dict[str, TokenKind] = {
    **dict.fromkeys(("text", "rest"), "text"),
    **dict.fromkeys(("command", "sign"), "command"),
    "math": "math",
    "open": "open",
    "close": "close",
}
VERBATIM = "verb"
"""What marks text in which no character has a meaning of its own."""
_LENGTH = re.compile(
    r"\A\s*+(?:=\s*+)?-?(?:\d++(?:\.\d++)?|\.\d++)\s*(?:pt|em|ex|cm|mm|in|pc|sp|bp)\b"
)
# The slides that show something, as in `\item<2->`.
_OVERLAY = re.compile(r"\A<(?=[a-z.,|:-]{0,20}[\d+])[\w.,|:+-]{1,40}+>")
_WIDTH = r"\\(?:(?:text|line|column|paper|page)(?:width|height)|hsize)\s*+"
_MEASURE = re.compile(rf"\s*+-?[\d.]*+\s*+(?:{_WIDTH}|pt|em|ex|cm|mm|in|pc)?\s*+")
_COORDINATES = re.compile(r"\A\([\d.,\s-]++\)")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
# Tokens that may be searched in vain for the ends of arguments and environments. After that no
# environment is searched for, and arguments are names and short titles.
_MOST_IN_VAIN = 300_000
_FEW = 32
# Tokens of an argument that only measures: its braces, a number, a length.
_LONGEST_MEASURE = 4


@dataclass(frozen=True, slots=True)
class Token:
    """A token.

    Attributes:
        kind: What it is.
        text: The name of a command without its backslash, the marks of a math shift, the text, or
            the content of a verbatim environment.
        environment: The environment of a verbatim token; `VERBATIM` for text as it stands.
    """

    kind: TokenKind
    text: str
    environment: str = ""


def tokens(text: str) -> Iterator[Token]:
    r"""Yield the tokens of a LaTeX file in order.

    Comments are dropped with the line break after them, as TeX does; `\verb` and addresses are
    text as it stands, and a verbatim environment is one token.
    """
    position = 0
    while found := _TOKEN.match(text, position):
        position = found.end()
        kind = found.lastgroup
        if kind == "name":
            position, token = _verbatim(text, position, found["name"])
            yield token
        elif kind in ("verb", "address"):
            # The address of words that are a link does not appear in print.
            if found["linking"] != "href":
                yield Token("text", found[kind], VERBATIM)
        elif kind is not None and kind != "comment":
            yield Token(_KINDS[kind], found[kind])


def _verbatim(text: str, position: int, name: str) -> tuple[int, Token]:
    """Return where a verbatim environment ends, and its token."""
    mark = f"\\end{{{name}}}"
    end = text.find(mark, position)
    stop = len(text) if end < 0 else end
    after = stop + (len(mark) if end >= 0 else 0)
    content = text[position:stop]
    if name == "Highlighting":
        # Pandoc marks each word of a program by its kind.
        content = _MARKED_WORD.sub(r"\1", content)
    return after, Token("verbatim", content, name.rstrip("*"))


class TokenStream:
    """Tokens that can be put back, and the arguments they form.

    `expand_structure` puts back what a command with its argument stands for if that may begin or
    end an environment.
    """

    def __init__(
        self, text: str, expand_structure: Callable[["TokenStream", str, str], bool] | None = None
    ) -> None:
        self._tokens = tokens(text)
        self._expand_structure = expand_structure
        self._back: deque[Token] = deque()
        self._in_vain = 0

    def __iter__(self) -> Iterator[Token]:
        return self

    def __next__(self) -> Token:
        return self._back.popleft() if self._back else next(self._tokens)

    def put_back(self, found: list[Token]) -> None:
        """Make tokens the next ones again."""
        self._back.extendleft(reversed(found))

    def optional(self) -> str | None:
        """Take an argument in square brackets, if there is one; return its text.

        A bracket still open at the end of the paragraph is text. Which slides are meant is
        dropped.
        """
        token = next(self, None)
        if token is None:
            return None
        if token.kind == "text":
            token = Token("text", _OVERLAY.sub("", token.text))
        if token.kind != "text" or not token.text.lstrip(" ").startswith("["):
            self.put_back([token])
            return None
        self.put_back([token])
        found: list[Token] = []
        depth = 0
        for token in self._ahead():
            depth += (token.kind == "open") - (token.kind == "close")
            inside, bracket, rest = token.text.partition("]")
            if token.kind == "text" and bracket and depth <= 0:
                if rest:
                    self.put_back([Token("text", rest)])
                return f"{written(found)}{inside}".strip().lstrip("[")
            found.append(token)
            if token.kind == "text" and _BLANK_LINE.search(token.text):
                break
        self.give_up(found)
        return None

    def argument(self) -> list[Token]:
        """Take the argument in braces that comes next, after white space; else nothing."""
        token = self._after_space()
        if token is None:
            return []
        if token.kind != "open":
            self.put_back([token])
            return []
        return self._until_closed()

    def undelimited(self) -> list[Token]:
        """Take the argument of a macro: in braces, or else one character or command."""
        token = self._after_space()
        if token is None or token.kind == "open":
            return self._until_closed() if token else []
        if token.kind == "text":
            text = token.text.lstrip()
            self.put_back([Token("text", text[1:])] if text[1:] else [])
            return [Token("text", text[0])]
        if token.kind != "command":
            self.put_back([token])
            return []
        return [token]

    def _after_space(self) -> Token | None:
        return next((token for token in self if token.kind != "text" or token.text.strip()), None)

    def environment(self, name: str) -> list[Token]:
        """Take everything up to the end of an environment; nothing if it does not end."""
        found: list[Token] = []
        depth = 1
        for token in () if self._in_vain > _MOST_IN_VAIN else self:
            edge = token.kind == "command" and token.text in ("begin", "end")
            argument = self.argument() if edge else []
            inner = written(argument).strip()
            if token.kind == "command" and self._is_expanded(token.text, inner):
                continue
            if edge:
                if inner.rstrip("*") == name:
                    depth += 1 if token.text == "begin" else -1
                if not depth:
                    return found
                found += [token, Token("open", "{"), *argument, Token("close", "}")]
            else:
                found.append(token)
        self.give_up(found)
        return []

    def _is_expanded(self, command: str, argument: str) -> bool:
        return bool(self._expand_structure and self._expand_structure(self, command, argument))

    def parameters(self) -> str:
        r"""Take the parameters between the name and the body of a definition: `\def\ket#1{…}`."""
        token = next(self, None)
        if token is not None and token.kind == "text" and "#" in token.text:
            return token.text
        self.put_back([token] if token else [])
        return ""

    def drop_length(self) -> None:
        r"""Drop the length that is set to a parameter without braces: `\parindent=0pt`."""
        token = next(self, None)
        if token is None:
            return
        rest = _LENGTH.sub("", token.text) if token.kind == "text" else token.text
        if rest or token.kind != "text":
            self.put_back([Token(token.kind, rest, token.environment)])

    def drop_measures(self) -> None:
        r"""Drop the arguments that only measure: `{0.4\textwidth}`, `{2}`, `{5}(1.5,2)`."""
        while True:
            found = list(islice(self, _LONGEST_MEASURE))
            kinds = [token.kind for token in found]
            inner = kinds.index("close") if kinds[:1] == ["open"] and "close" in kinds else 0
            if not inner or not _MEASURE.fullmatch(written(found[1:inner])):
                self.put_back(found)
                return
            self.put_back(found[inner + 1 :])
            if (token := next(self, None)) is not None:
                rest = _COORDINATES.sub("", token.text) if token.kind == "text" else token.text
                self.put_back([Token(token.kind, rest, token.environment)])

    def _until_closed(self) -> list[Token]:
        """Take everything up to the closing brace; nothing if there is none."""
        found: list[Token] = []
        depth = 1
        for token in self._ahead():
            depth += (token.kind == "open") - (token.kind == "close")
            if not depth:
                return found
            found.append(token)
        self.give_up(found)
        return []

    def _ahead(self) -> Iterator[Token]:
        """Return the tokens to search: only a few after too many were searched in vain."""
        return islice(self, _FEW) if self._in_vain > _MOST_IN_VAIN else iter(self)

    def give_up(self, found: list[Token]) -> None:
        """Make tokens the next ones again; they count as searched in vain."""
        self._in_vain += len(found)
        self.put_back(found)


def written(found: list[Token]) -> str:
    """Return tokens as they were written."""
    return "".join(map(_written, found))


def _written(token: Token) -> str:
    if token.kind == "command":
        return f"\\{token.text} "
    return token.text.replace("%", r"\%") if token.environment == VERBATIM else token.text
