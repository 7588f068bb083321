"""The macros and environments that a LaTeX file defines, and their expansion within bounds."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from longsum.documents.readers.latex.latex_stream import Token, TokenStream, tokens, written

DEFINING = frozenset(
    {"newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "def", "gdef", "edef",
     "xdef", "let", "DeclareMathOperator", "DeclarePairedDelimiter", "NewDocumentCommand",
     "RenewDocumentCommand", "newenvironment", "renewenvironment"}
)  # fmt: skip
"""Commands that define others, or environments."""
# Characters that all macros together may expand to, besides twice as many as the text has.
_MOST_EXPANDED = 200_000
_LONGEST_MACRO = 500
_PARAMETER = re.compile(r"#([1-9])")
_UNDELIMITED = re.compile(r"\s*+(?:#[1-9]\s*+)+")
# What needs TeX itself to be expanded: conditions, boxes and definitions within a definition.
_PROGRAM = re.compile(
    r"\\(?:if\w*|else|fi|[A-Za-z]*@\w*|[vh]box|vrule|hrule|[gex]?def|csname|expandafter|setbox)\b|##"
)
_STRUCTURE = re.compile(
    r"\\(?:begin|end|label|tag|nonumber|notag|caption|newtheorem|\\)(?![A-Za-z])"
)


@dataclass(frozen=True, slots=True)
class _Macro:
    """What a command stands for.

    Attributes:
        body: Its text, in which `#1` is the first argument.
        arguments: How many arguments it has.
        default: What the first argument is if it is not given; None if it must be given.
        places: The arguments in their order in the text, from 0.
        structure: Whether it has what is counted, or what begins or ends an environment.
    """

    body: list[Token]
    arguments: int = 0
    default: list[Token] | None = None
    places: tuple[int, ...] = ()
    structure: bool = False


class Macros:
    """Definitions, and how much they may still expand to.

    A macro whose text is long or a program is not expanded; nor is any once all together have
    reached a limit, so that those that contain themselves end.
    """

    def __init__(self, length: int) -> None:
        self._macros: dict[str, _Macro] = {}
        # The macros at the beginning and the end of an environment.
        self._environments: dict[str, tuple[_Macro, _Macro]] = {}
        self._left = _MOST_EXPANDED + 2 * length

    def define(
        self, stream: TokenStream, command: str, known: frozenset[str]
    ) -> tuple[str, list[Token]]:
        """Take a definition; return the command that it defines, and what that stands for.

        What the reader knows keeps its meaning, unless it is defined without arguments.
        """
        if command.endswith("environment"):
            self._define_environment(stream)
            return "", []
        names = [] if command.endswith("def") else stream.argument()
        names = names or list(islice(stream, 1))
        name = names[0].text if names and names[0].kind == "command" else ""
        made = self._definition(stream, command)
        new = command != "providecommand" or name not in self._macros
        if name and made and new and not (made.arguments and name in known):
            for token in made.body:
                # What `\\let` has kept of a command is not its new meaning.
                if token.text in self._macros and self._macros[token.text].body == [names[0]]:
                    del self._macros[token.text]
            self._macros[name] = made
        return name, made.body if made else []

    def _definition(self, stream: TokenStream, command: str) -> _Macro | None:
        if command == "let":
            equals = next(stream, None)
            if equals and equals.text.strip(" ") != "=":
                stream.put_back([equals])
            token = next(iter(stream.undelimited()), None)
            is_command = token is not None and token.kind == "command"
            return self._macros.get(token.text, _Macro([token])) if token and is_command else None
        if command == "DeclareMathOperator":
            return _macro(stream.argument())
        if command == "DeclarePairedDelimiter":
            left, right = stream.argument(), stream.argument()
            return _macro([*left, Token("text", "#1"), *right], 1)
        if command.endswith("DocumentCommand"):
            kinds = "".join(written(stream.argument()).split())
            body = stream.argument()
            return _macro(body, len(kinds)) if not kinds.strip("m") else None
        if command.endswith("def"):
            parameters = stream.parameters()
            body = stream.argument()
            usable = not parameters or _UNDELIMITED.fullmatch(parameters)
            return _macro(body, parameters.count("#")) if usable else None
        number, default = _parameters(stream)
        return _macro(stream.argument(), number, default)

    def _define_environment(self, stream: TokenStream) -> None:
        name = written(stream.argument()).strip()
        number, default = _parameters(stream)
        begin = _macro(stream.argument(), number, default, empty=True)
        end = _macro(stream.argument(), empty=True)
        if begin and end:
            self._environments[name] = (begin, end)

    def __contains__(self, name: str) -> bool:
        return name in self._macros

    def has_environment(self, name: str) -> bool:
        """Return whether an environment is defined."""
        return name in self._environments

    def expand(self, stream: TokenStream, name: str) -> None:
        """Put what a macro stands for before a stream from which its name was taken."""
        self._put_back(stream, self._macros[name])

    def expand_edge(self, stream: TokenStream, edge: str, name: str) -> None:
        """Put what stands at the `begin` or `end` of an environment before the stream."""
        begin, end = self._environments[name]
        self._put_back(stream, begin if edge == "begin" else end)

    def expand_structure(self, stream: TokenStream, command: str, argument: str) -> bool:
        """Expand a command if it may begin or end an environment; return whether it does."""
        if command in ("begin", "end"):
            if argument not in self._environments:
                return False
            self.expand_edge(stream, command, argument)
            return True
        macro = self._macros.get(command)
        if not macro or not macro.structure or self._left <= 0:
            return False
        self._put_back(stream, macro)
        return True

    def _put_back(self, stream: TokenStream, macro: _Macro) -> None:
        if self._left <= 0:
            return
        given: list[list[Token]] = []
        if macro.default is not None:
            first = stream.optional()
            given.append(macro.default if first is None else list(tokens(first)))
        given.extend(stream.undelimited() for _ in range(macro.arguments - len(given)))
        lengths = [1 + _length(argument) for argument in given]
        self._left -= 1 + _length(macro.body)
        self._left -= sum(lengths[place] for place in macro.places if place < len(lengths))
        if self._left > 0:
            stream.put_back(list(_filled(macro.body, given)))
        else:
            stream.put_back([token for argument in given for token in argument])


def _macro(
    body: list[Token],
    arguments: int = 0,
    default: list[Token] | None = None,
    *,
    empty: bool = False,
) -> _Macro | None:
    """Return a macro if it can be expanded; without arguments, one without text is none."""
    text = written(body)
    if len(text) > _LONGEST_MACRO or not (text or arguments or empty):
        return None
    if ("#" in text and (arguments == 0 or "##" in text)) or (arguments and _PROGRAM.search(text)):
        return None
    places = tuple(int(place) - 1 for place in _PARAMETER.findall(text))
    return _Macro(body, arguments, default, places, bool(_STRUCTURE.search(text)))


def _parameters(stream: TokenStream) -> tuple[int, list[Token] | None]:
    """Take how many arguments a definition has, and what the first is if it is not given."""
    number = (stream.optional() or "").strip()
    default = stream.optional() if number else None
    return (
        int(number) if number.isdecimal() and len(number) == 1 else 0,
        None if default is None else list(tokens(default)),
    )


def _length(found: list[Token]) -> int:
    return sum(len(token.text) + 1 for token in found)


def _filled(body: list[Token], given: list[list[Token]]) -> Iterator[Token]:
    """Yield the tokens of a macro with its arguments in their places."""
    for token in body:
        if token.kind != "text" or "#" not in token.text:
            yield token
            continue
        for place, piece in enumerate(_PARAMETER.split(token.text)):
            if place % 2:
                yield from given[int(piece) - 1] if int(piece) <= len(given) else ()
            elif piece:
                yield Token("text", piece)
