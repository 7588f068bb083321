"""Reader of LaTeX: plain sectioning, paragraphs and lists; no TeX is run."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from longsum.documents.model import Document, Kind, Source
from longsum.documents.readers.latex.latex_commands import (
    ACCENTS,
    BIBLIOGRAPHIES,
    CITING,
    DROPPED,
    ENVIRONMENTS,
    KEPT,
    LISTS,
    NO_TEXT,
    NOUNS,
    RANKS,
    REFERRING,
    SIGNS,
    accented,
    formula,
    ligatures,
)
from longsum.documents.readers.latex.latex_gaps import tidied
from longsum.documents.readers.latex.latex_macros import DEFINING, Macros
from longsum.documents.readers.latex.latex_numbers import Numbers
from longsum.documents.readers.latex.latex_stream import (
    VERBATIM,
    Token,
    TokenStream,
    tokens,
    written,
)
from longsum.documents.readers.structure.contents_and_indexes import REFERENCE, ListingsBuilder
from longsum.language.characters import clean

# What the reader knows keeps its meaning if a file defines it with arguments.
_KNOWN = frozenset((*DROPPED, *REFERRING, *NOUNS))
_KNOWN_ENVIRONMENTS = frozenset((*ENVIRONMENTS, *BIBLIOGRAPHIES, *LISTS, "abstract", "frame"))
_TABLE_COMMAND = re.compile(
    r"\\(?:begin|end)\s*\{[^{}]*\}(?:\s*\[[^\]]{0,500}\])?(?:\s*\{[^{}]*\})*"
    r"|\\(?:caption|label)\s*(?:\[[^\]]{0,500}\])?\{[^{}]*\}|\\c(?:mid|)(?:rule|line)\s*\{[^{}]*\}"
)
_CELL_END = re.compile(r"(?<!\\)&")
_BEGIN = re.compile(r"^[^%\n]*?(\\begin\{document\})", re.MULTILINE)
_DEEPEST = 8
_BREAK = re.compile(r"\n[ \t]*\n\s*")
# Without what is cited, the phrase would end there.
_NEEDS_NOUN = re.compile(r"\b(?:by|from|in|of|to|with|than|see)[\s~]*\Z", re.IGNORECASE)
_LABEL = re.compile(r"[\w.:-]{1,80}")


def read_latex(text: str, source: Source) -> Document:
    """Read LaTeX: sectioning commands make sections, blank lines divide paragraphs.

    Commands without structure lose their braces, and macros are expanded. Figures, tables,
    displayed formulas, code, footnotes and bibliographies are left out, each as an `Omission`;
    citations are dropped. References are the numbers that LaTeX prints; `LOST` is left where those
    cannot be known. Nothing is executed, and no other file is read.
    """
    walk = _Walk(text)
    return walk.read().build(walk.title or None, source)


class _Walk:
    """Walks the tokens once; groups leave no trace, so nothing is nested."""

    def __init__(self, text: str, around: "_Walk | None" = None) -> None:
        self.title = ""
        # How deeply the text is nested in arguments, which are one paragraph each.
        self._depth: int = around._depth + 1 if around else 0
        begin = _BEGIN.search(text)
        self._preamble = text[: begin.start(1)] if begin else ""
        self._macros: Macros = around._macros if around else Macros(len(text))
        self._numbers: Numbers = (
            around._numbers if around else Numbers(self._preamble, text, whole=begin is not None)
        )
        self._stream = self._stream_of(text[begin.end() :] if begin else text)
        self._ended = False
        self._parts: list[str] = []
        self._beside: list[tuple[str, str]] = []
        self._lists = 0
        # What is added to the document once the numbers of all labels are known, in order.
        self._added: list[tuple[Callable[[str], None], str]] = []
        self._builder = ListingsBuilder()

    def read(self) -> ListingsBuilder:
        """Read everything; return the builder to which it is added."""
        self._read_preamble()
        for token in self._stream:
            self._token(token)
            if self._ended:
                break
        self._flush()
        for add, text in self._added:
            add(self._numbers.resolve_references(text))
        self.title = clean(tidied(self._numbers.resolve_references(self.title)))
        return self._builder

    def _stream_of(self, text: str = "", found: Iterable[Token] = ()) -> TokenStream:
        stream = TokenStream(text, self._macros.expand_structure)
        stream.put_back(list(found))
        return stream

    def _read_preamble(self) -> None:
        stream = self._stream_of(self._preamble)
        for token in stream:
            if token.kind != "command":
                continue
            name = token.text.rstrip("*")
            if name in DEFINING:
                self._define(stream, name)
            elif name == "title":
                stream.optional()
                self.title = self._plain(stream.argument())
            elif name in ("input", "include"):
                self._numbers.leave_out_definitions(written(stream.argument()))
            elif name in DROPPED:
                self._dropped(stream, token.text)
            else:
                self._macros.expand_structure(stream, name, "")

    def _token(self, token: Token) -> None:
        if token.kind == "text":
            verbatim = token.environment == VERBATIM
            self._text(token.text if verbatim else ligatures(token.text))
        elif token.kind == "math":
            self._formula(token.text)
        elif token.kind == "verbatim":
            if token.environment == "lstlisting":
                self._numbers.listing(token.text)
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
            self._heading(command, stream.argument())
        elif name == "begin":
            self._begin(written(stream.argument()).strip())
        elif name == "end":
            self._end(written(stream.argument()).strip())
        elif name == "item":
            self._flush()
            if (label := stream.optional()) is None:
                self._numbers.item()
            elif label:
                self._parts.append(f"{self._plain(list(tokens(label)))} ")
        elif name == "par" or name in ("bigskip", "medskip", "smallskip"):
            self._flush()
        elif name in ("[", "("):
            self._formula(command)
        elif name in DEFINING:
            self._define(stream, name)
        elif name == "title":
            stream.optional()
            self.title = self._plain(stream.argument())
        elif name == "iffalse":
            self._skip_to_fi()
        elif name in ACCENTS:
            self._accent(name)
        elif name in self._macros:
            self._macros.expand(stream, name)
        elif name in SIGNS:
            self._parts.append(SIGNS[name])
            if name == "\\":
                stream.optional()
        else:
            self._other(command)

    def _other(self, command: str) -> None:
        """Drop a command, and its arguments unless they are text."""
        name = command.rstrip("*")
        stream = self._stream
        stream.optional()
        if name in REFERRING:
            self._parts.append(self._reference(stream, name))
        elif name in ("texorpdfstring", "replaced"):
            title = stream.argument()
            stream.argument()
            # Nested ones would be taken again and again.
            stream.give_up(title)
        elif "ref" in name.lower() and name not in DROPPED:
            self._styled_reference(stream, name)
        elif name in NOUNS or (
            name in CITING and _NEEDS_NOUN.search("".join(self._parts[-1:])[-20:])
        ):
            stream.optional()
            self._parts.append(f"[{written(stream.argument())}]")
        elif name in DROPPED:
            self._dropped(stream, command)
        else:
            self._numbers.take(command, (), ())
            stream.drop_length()

    def _dropped(self, stream: TokenStream, command: str) -> None:
        """Drop a command with its arguments; count what it numbers."""
        name = command.rstrip("*")
        options, arguments = [], []
        for _ in range(DROPPED[name]):
            options.append(stream.optional())
            arguments.append(stream.argument())
        if name == "newtheorem":
            options.append(stream.optional())
        self._numbers.take(command, arguments, options)
        if name in KEPT and arguments:
            self._leave_out(KEPT[name], self._plain(arguments[-1]))

    def _reference(self, stream: TokenStream, command: str) -> str:
        """Return what stands for a reference until the numbers of all labels are known."""
        labels = written(stream.argument())
        if command.endswith("range"):
            labels = f"{labels},{written(stream.argument())}"
        return self._numbers.refer(command, labels)

    def _styled_reference(self, stream: TokenStream, command: str) -> None:
        r"""Take a command of a style that is not read, such as `\figref`, if it has a label."""
        argument = stream.argument()
        if _LABEL.fullmatch(labels := written(argument).strip()):
            self._parts.append(self._numbers.refer(command, labels))
        else:
            stream.give_up(argument)

    def _accent(self, mark: str) -> None:
        """Put an accent on the letter that follows, in braces or not."""
        token = next(self._stream, None)
        if token and token.kind == "open":
            token = next(self._stream, None)
        if token and token.kind == "text":
            text = token.text.lstrip()
            self._parts.append(accented(mark, text[:1]))
            self._stream.put_back([Token("text", text[1:])])
        elif token and token.kind == "command":
            self._parts.append(accented(mark, self._plain([token], strip=False)))
        elif token and token.kind == "close":
            # `\~{}` is a tilde.
            self._parts.append(mark if mark in "~^" else "")
        elif token:
            self._stream.put_back([token])

    def _define(self, stream: TokenStream, command: str) -> None:
        """Note a macro or an environment, or what a counter prints."""
        name, body = self._macros.define(stream, command, _KNOWN)
        if name.startswith("the"):
            self._numbers.print_as(name, written(body))

    def _begin(self, environment: str) -> None:
        name = environment.rstrip("*")
        if name in ENVIRONMENTS:
            self._leave_out_environment(environment)
        elif name in BIBLIOGRAPHIES:
            self._bibliography(self._stream.environment(name))
        elif name in LISTS:
            self._flush()
            self._numbers.begin(environment, self._stream.optional() or "")
            self._lists += 1
        elif name == "abstract":
            self._flush()
            self._numbers.begin(environment)
            self._added.append((partial(self._builder.heading, RANKS["section"]), "Abstract"))
        elif name == "frame":
            self._flush()
            self._numbers.begin(environment)
            self._stream.optional()
            if title := self._stream.argument():
                self._heading("frametitle", title)
        elif self._is_own(environment):
            self._flush()
            self._macros.expand_edge(self._stream, "begin", environment)
        else:
            self._flush()
            self._begin_other(environment)

    def _is_own(self, environment: str) -> bool:
        """Return whether the file defines an environment that the reader does not know."""
        known = environment.rstrip("*") in _KNOWN_ENVIRONMENTS
        return not known and self._macros.has_environment(environment)

    def _begin_other(self, environment: str) -> None:
        """Begin an environment that has text; theorems say what they are called."""
        option = self._stream.optional() or ""
        self._stream.drop_measures()
        title = self._plain(self._numbers.title(environment))
        note = self._plain(list(tokens(option))) if title else ""
        number = self._numbers.begin(environment, option, title, note)
        if title:
            told = f" ({note})" if note else ""
            self._parts.append(f"{title}{number and ' '}{number}{told}. ")

    def _end(self, environment: str) -> None:
        self._flush()
        name = environment.rstrip("*")
        if self._is_own(environment):
            self._macros.expand_edge(self._stream, "end", environment)
            return
        self._numbers.end()
        self._ended = name == "document"
        if name in LISTS:
            self._lists = max(self._lists - 1, 0)

    def _leave_out_environment(self, environment: str) -> None:
        name = environment.rstrip("*")
        found = self._stream.environment(name)
        kind = ENVIRONMENTS[name]
        if kind == "formula":
            self._numbers.formula(environment, found)
        self._numbers.begin(environment)
        said = [*self._captions(found)]
        self._numbers.end()
        if kind == "table":
            said.extend(self._rows(found))
        elif kind != "figure":
            said = [written(found)]
        self._leave_out(kind, "\n".join(said))

    def _captions(self, found: list[Token]) -> Iterator[str]:
        """Yield the captions among tokens; count them and what has labels."""
        stream = self._stream_of(found=found)
        for token in stream:
            if token.kind == "verbatim" and token.environment == "lstlisting":
                self._numbers.listing(token.text)
            if token.kind != "command":
                continue
            name = token.text.rstrip("*")
            if name == "begin":
                self._numbers.begin(written(stream.argument()).strip())
            elif name == "end":
                self._numbers.end()
            elif name in ("caption", "captionof", "label"):
                option = stream.optional()
                arguments = [stream.argument() for _ in range(DROPPED[name])]
                self._numbers.take(token.text, arguments, (option,))
                if name != "label":
                    yield self._plain(arguments[-1])
            elif name in ("subfloat", "subfigure", "subcaptionbox"):
                self._numbers.take(name, (), ())

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
                self._added.append((partial(self._builder.omit, REFERENCE), text))

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
            self._numbers.formula("displaymath", found)
            self._leave_out("formula", written(found))
        else:
            self._parts.append(formula(written(self._expanded(found))))

    def _expanded(self, found: list[Token]) -> list[Token]:
        """Return the tokens of a formula with the macros and references in them."""
        stream = self._stream_of(found=found)
        done: list[Token] = []
        for token in stream:
            if token.kind != "command":
                done.append(token)
            elif token.text in self._macros:
                self._macros.expand(stream, token.text)
            elif token.text in REFERRING:
                done.append(Token("text", self._reference(stream, token.text)))
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

    def _heading(self, command: str, title: list[Token]) -> None:
        self._flush()
        self._numbers.section(command)
        text = self._plain(title)
        self._numbers.entitle(text)
        if text:
            rank = RANKS[command.rstrip("*")]
            self._added.append((partial(self._builder.heading, rank), text))

    def _leave_out(self, kind: str, text: str) -> None:
        self._beside.append((kind, text))

    def _plain(self, found: list[Token], *, strip: bool = True) -> str:
        """Return tokens as plain text, in a separate walk; what that leaves out is left out."""
        if self._depth == _DEEPEST or not found:
            return clean(written(found))
        inner = _Walk("", self)
        inner._stream.put_back(found)
        for token in inner._stream:
            inner._token(token)
        self._beside.extend(inner._beside)
        text = tidied("".join(inner._parts))
        return clean(text) if strip else text

    def _flush(self) -> None:
        """End a paragraph."""
        if self._depth:
            self._parts.append(" ")
            return
        text = "".join(self._parts)
        self._parts.clear()
        beside, self._beside = self._beside, []
        if any(map(str.isalnum, text)):
            kind: Kind | None = "list_item" if self._lists else None
            self._added.append((partial(self._paragraph, kind), text))
        self._added.extend((partial(self._builder.omit, what), said) for what, said in beside)

    def _paragraph(self, kind: Kind | None, told: str) -> None:
        text = clean(tidied(told))
        if any(map(str.isalnum, text)):
            self._builder.paragraph(text, kind=kind)
