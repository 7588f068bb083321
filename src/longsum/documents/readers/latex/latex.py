"""Reader of LaTeX: plain sectioning, paragraphs and lists; no TeX is run."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from longsum.documents.model import Document, Kind, Source
from longsum.documents.readers.latex.latex_commands import (
    ACCENTS,
    BIBLIOGRAPHIES,
    CALLED,
    CITING,
    DROPPED,
    ENVIRONMENTS,
    KEPT,
    LISTS,
    NAMING,
    NO_TEXT,
    NOUNS,
    RANKS,
    REFERRING,
    SIGNS,
    accented,
    formula,
    label_numbers,
    ligatures,
)
from longsum.documents.readers.latex.latex_stream import Token, TokenStream, tokens, written
from longsum.documents.readers.structure.contents_and_indexes import REFERENCE, ListingsBuilder
from longsum.language.characters import LOST, clean

_DEFINING = frozenset({"newcommand", "renewcommand", "providecommand", "DeclareRobustCommand"})
_TABLE_COMMAND = re.compile(
    r"\\(?:begin|end)\s*\{[^{}]*\}(?:\s*\[[^\]]{0,500}\])?(?:\s*\{[^{}]*\})*"
    r"|\\(?:caption|label)\s*(?:\[[^\]]{0,500}\])?\{[^{}]*\}|\\c(?:mid|)(?:rule|line)\s*\{[^{}]*\}"
)
_CELL_END = re.compile(r"(?<!\\)&")
_BEGIN = re.compile(r"^[^%\n]*?\\begin\{document\}", re.MULTILINE)
_DEEPEST = 8
# Characters that all macros together may expand to, besides twice as many as the text has.
_MOST_EXPANDED = 200_000
_LONGEST_MACRO = 500
_BREAK = re.compile(r"\n[ \t]*\n\s*")
_SPACE_BEFORE_MARK = re.compile(r"(?<!\s)\s++(?=[.,;:)\]])")
_PLACE = (
    r"(?:(?:sub)*section|chapter|appendi(?:x|ce)|part|figure|table|listing|equation|algorithm)s?"
)
_UNKNOWN = rf"(?:{_PLACE}\s+)?{re.escape(LOST)}"
_NOTHING_KNOWN = rf"{_UNKNOWN}(?:(?:,\s*+|\s++)(?:(?:and|or|to)\s+)?{_UNKNOWN})*"
_TOLD = (
    r"(?:defined|described|discussed|explained|given|introduced|mentioned|presented|seen|shown)"
    r"\s++in"
)
# Without an aside, or a pointer to its place, a sentence stays complete; not where that is all
# that it says (`The details are given in Section 3.`).
_LOST_ASIDE = re.compile(
    rf",\s++(?:as\s++)?{_TOLD}\s++{_NOTHING_KNOWN},?"
    rf"|(?P<as>\bas(?:\s++we)?\s++\w++)\s++in\s++{_NOTHING_KNOWN}(?=,)"
    rf"|(?<!\s)\s++as\s++{_TOLD}\s++{_NOTHING_KNOWN}"
    rf"|(?<!\s)\s++\((?:(?:see|cf\.)\s+(?:also\s+|e\.g\.,?\s+)?|(?:as\s++)?{_TOLD}\s+)?"
    rf"(?:\w+\.?\s+)?{_NOTHING_KNOWN}\)"
    r"|(?<!\s)(?<!back)(?<!ed)(?<!shown)(?<!given)(?<!found)(?<!seen)(?<!done)(?<!\bto)"
    rf"\s++(?-i:from|in|of)\s+{_NOTHING_KNOWN}",
    re.IGNORECASE,
)
# Without what is cited, the phrase would end there.
_NEEDS_NOUN = re.compile(r"\b(?:by|from|in|of|to|with|than|see)[\s~]*\Z", re.IGNORECASE)
_EMPTY_BRACKETS = re.compile(r"(?<!\s)\s*+(?:\(\s*+(?:[;,]\s*+)?\)|\[\s*+(?:[;,]\s*+)?\])")


def read_latex(text: str, source: Source) -> Document:
    """Read LaTeX: sectioning commands make sections, blank lines divide paragraphs.

    Commands without structure lose their braces, and macros without arguments are expanded.
    Figures, tables, displayed formulas, code, footnotes and bibliographies are left out, each as an
    `Omission`; citations are dropped, and so are references whose number cannot be found by
    counting; if they also name what they refer to, `LOST` is left. Nothing is executed, and no
    other file is read.
    """
    walk = _Walk(text)
    walk.read()
    return walk.builder.build(walk.title or None, source)


class _Walk:
    """Walks the tokens once; groups leave no trace, so nothing is nested."""

    def __init__(self, text: str, depth: int = 0) -> None:
        self.builder = ListingsBuilder()
        self.title = ""
        # How deeply the text is nested in arguments, which are one paragraph each.
        self._depth = depth
        begin = _BEGIN.search(text)
        self._preamble = text[: begin.start()] if begin else ""
        self._stream = TokenStream(text[begin.end() :] if begin else text)
        self._ended = False
        self._parts: list[str] = []
        self._beside: list[tuple[str, str]] = []
        self._lists = 0
        self._macros: dict[str, list[Token]] = {}
        self._labels: Mapping[str, str] = label_numbers(text)
        self._left_to_expand = _MOST_EXPANDED + 2 * len(text)

    def read(self) -> None:
        """Add everything to the builder."""
        self._read_preamble()
        for token in self._stream:
            self._token(token)
            if self._ended:
                break
        self._flush()

    def _read_preamble(self) -> None:
        stream = TokenStream(self._preamble)
        for token in stream:
            if token.kind != "command":
                continue
            name = token.text.rstrip("*")
            if name in _DEFINING or name == "def":
                self._define(stream, name)
            elif name == "title":
                stream.optional()
                self.title = self._plain(stream.argument())

    def _token(self, token: Token) -> None:
        if token.kind == "text":
            self._text(token.text)
        elif token.kind == "math":
            self._formula(token.text)
        elif token.kind == "verbatim":
            if token.environment not in NO_TEXT:
                self._leave_out("code block", token.text)
        elif token.kind == "command":
            self._command(token.text)

    def _text(self, text: str) -> None:
        first, *rest = _BREAK.split(text)
        self._parts.append(first)
        for part in rest:
            self._flush()
            self._parts.append(part)

    def _command(self, command: str) -> None:
        name = command.rstrip("*") or command
        stream = self._stream
        if name in RANKS:
            stream.optional()
            self._heading(RANKS[name], stream.argument())
        elif name == "begin":
            self._begin(written(stream.argument()).strip().rstrip("*"))
        elif name == "end":
            self._end(written(stream.argument()).strip().rstrip("*"))
        elif name == "item":
            self._flush()
            if label := stream.optional():
                self._parts.append(f"{self._plain(list(tokens(label)))} ")
        elif name == "par" or name in ("bigskip", "medskip", "smallskip"):
            self._flush()
        elif name in ("[", "("):
            self._formula(command)
        elif name in _DEFINING or name == "def":
            self._define(stream, name)
        elif name == "title":
            stream.optional()
            self.title = self._plain(stream.argument())
        elif name == "iffalse":
            self._skip_to_fi()
        elif name in ACCENTS:
            self._accent(name)
        elif name in self._macros:
            stream.put_back(self._body(name))
        elif name in SIGNS:
            self._parts.append(SIGNS[name])
            if name == "\\":
                stream.optional()
        else:
            self._other(name)

    def _other(self, name: str) -> None:
        """Drop a command, and its arguments unless they are text."""
        stream = self._stream
        stream.optional()
        if name in REFERRING:
            self._parts.append(self._reference(name, written(stream.argument())))
        elif name == "texorpdfstring":
            title = stream.argument()
            stream.argument()
            stream.put_back(title)
        elif name in NOUNS or (name in CITING and _NEEDS_NOUN.search(self._before())):
            stream.optional()
            self._parts.append(f"[{written(stream.argument())}]")
        elif name in DROPPED:
            arguments = []
            for _ in range(DROPPED[name]):
                stream.optional()
                arguments.append(stream.argument())
            if name == "newtheorem":
                stream.optional()
            if name in KEPT and arguments:
                self._leave_out(KEPT[name], self._plain(arguments[-1]))
        else:
            self._stream.drop_length()

    def _before(self) -> str:
        return self._parts[-1][-20:] if self._parts else ""

    def _reference(self, command: str, labels: str) -> str:
        """Return the text of a reference: the numbers of its labels, as far as they are known."""
        names = [name.strip() for name in labels.split(",")]
        numbers = [number for name in names if (number := self._labels.get(name))]
        shown = ", ".join(numbers)
        if command in ("pageref", "nameref") or not any(names):
            return ""
        shown = shown or LOST
        if command == "eqref":
            return f"({shown})"
        called = CALLED.get(names[0].partition(":")[0]) if command in NAMING else None
        return f"{called} {shown}" if called else shown

    def _accent(self, mark: str) -> None:
        """Put an accent on the letter that follows, in braces or not."""
        letters = self._stream.argument() or list(islice(self._stream, 1))
        text = self._plain(letters[:1], strip=False) if letters else ""
        self._parts.append(accented(mark, text) if text else "")
        self._stream.put_back(letters[1:])

    def _body(self, name: str) -> list[Token]:
        """Return the text of a macro; nothing once recursive macros reach a limit."""
        body = self._macros[name]
        self._left_to_expand -= len(written(body))
        return body if self._left_to_expand >= 0 else []

    def _define(self, stream: TokenStream, name: str) -> None:
        """Note a macro, if it has no arguments."""
        if name == "def":
            names = list(islice(stream, 1))
            stream.skip_parameters()
        else:
            names = stream.argument() or list(islice(stream, 1))
        arguments = stream.optional()
        body = stream.argument()
        usable = names and names[0].kind == "command" and not arguments and body
        if usable and len(written(body)) <= _LONGEST_MACRO and "#" not in written(body):
            self._macros[names[0].text] = body

    def _begin(self, name: str) -> None:
        if name in ENVIRONMENTS:
            self._leave_out_environment(name)
        elif name in BIBLIOGRAPHIES:
            self._bibliography(self._stream.environment(name))
        elif name in LISTS:
            self._flush()
            self._stream.optional()
            self._lists += 1
        elif name == "abstract":
            self._flush()
            self.builder.heading(RANKS["section"], "Abstract")
        elif name == "frame":
            self._flush()
            self._stream.optional()
            if title := self._stream.argument():
                self._heading(RANKS["frametitle"], title)
        else:
            self._flush()
            self._stream.optional()
            self._stream.drop_measures()

    def _end(self, name: str) -> None:
        self._flush()
        self._ended = name == "document"
        if name in LISTS:
            self._lists = max(self._lists - 1, 0)

    def _leave_out_environment(self, name: str) -> None:
        found = self._stream.environment(name)
        kind = ENVIRONMENTS[name]
        said = [*self._captions(found)]
        if kind == "table":
            said.extend(self._rows(found))
        elif kind != "figure":
            said = [written(found)]
        self._leave_out(kind, "\n".join(said))

    def _captions(self, found: list[Token]) -> Iterator[str]:
        """Yield the captions among tokens."""
        stream = TokenStream("")
        stream.put_back(found)
        for token in stream:
            if token.kind == "command" and token.text.rstrip("*") == "caption":
                stream.optional()
                yield self._plain(stream.argument())

    def _rows(self, found: list[Token]) -> Iterator[str]:
        """Yield the rows of a table that have text, with tabs between the cells."""
        plain = _TABLE_COMMAND.sub(" ", written(found))
        for row in plain.replace("\\\\ ", "\n").split("\n"):
            cells = [self._plain(list(tokens(cell))) for cell in _CELL_END.split(row)]
            if any(cells):
                yield "\t".join(cells)

    def _bibliography(self, found: list[Token]) -> None:
        self._flush()
        items = re.split(r"\\bibitem\s*(?:\[[^\]]{0,500}\])?", written(found))
        for item in items[1:]:
            inner = TokenStream(item)
            inner.argument()
            if text := self._plain(list(inner)):
                self.builder.omit(REFERENCE, text)

    def _formula(self, mark: str) -> None:
        """Take a formula: displayed ones are left out, others become plain text."""
        ends = {"[": "]", "(": ")"}
        end = ends.get(mark, mark)
        found: list[Token] = []
        for token in self._stream:
            if token.kind in ("math", "command") and token.text == end:
                break
            if token.kind == "text" and _BREAK.search(token.text):
                # A formula has no paragraphs: the mark was a mistake.
                self._stream.put_back([token])
                break
            found.append(token)
        if mark in ("$$", "["):
            self._leave_out("formula", written(found))
        else:
            self._parts.append(formula(written(self._expanded(found))))

    def _expanded(self, found: list[Token]) -> list[Token]:
        """Return the tokens of a formula with the macros in them expanded."""
        stream = TokenStream("")
        stream.put_back(found)
        done: list[Token] = []
        for token in stream:
            if token.kind == "command" and token.text in self._macros:
                stream.put_back(self._body(token.text))
            else:
                done.append(token)
        return done

    def _skip_to_fi(self) -> None:
        depth = 1
        for token in self._stream:
            if token.kind == "command":
                depth += token.text.startswith("if") - (token.text == "fi")
            if not depth:
                return

    def _heading(self, rank: int, title: list[Token]) -> None:
        self._flush()
        if text := self._plain(title):
            self.builder.heading(rank, text)

    def _leave_out(self, kind: str, text: str) -> None:
        self._beside.append((kind, text))

    def _plain(self, found: list[Token], *, strip: bool = True) -> str:
        """Return tokens as plain text, in a separate walk; what that leaves out is left out."""
        if self._depth == _DEEPEST:
            return clean(written(found))
        inner = _Walk("", self._depth + 1)
        inner._macros = self._macros
        inner._labels = self._labels
        inner._left_to_expand = self._left_to_expand
        inner._stream.put_back(found)
        for token in inner._stream:
            inner._token(token)
        self._left_to_expand = inner._left_to_expand
        self._beside.extend(inner._beside)
        text = _tidied("".join(inner._parts))
        return clean(text) if strip else text

    def _flush(self) -> None:
        """End a paragraph."""
        if self._depth:
            self._parts.append(" ")
            return
        text = clean(_tidied("".join(self._parts)))
        self._parts.clear()
        beside, self._beside = self._beside, []
        if any(map(str.isalnum, text)):
            kind: Kind | None = "list_item" if self._lists else None
            self.builder.paragraph(text, kind=kind)
        for what, said in beside:
            self.builder.omit(what, said)


def _tidied(text: str) -> str:
    """Return a text with TeX's quotes and dashes, without the gaps that citations leave."""
    told = _LOST_ASIDE.sub(r"\g<as>", ligatures(text))
    return _SPACE_BEFORE_MARK.sub("", _EMPTY_BRACKETS.sub("", told))
