"""Reader of reStructuredText.

reStructuredText Markup Specification (Docutils); directives as Docutils and Sphinx have them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from longsum.documents.conservation import CODE, FRONT_MATTER, tabbed
from longsum.documents.model import Document, Kind, Source
from longsum.documents.readers.plain.asciidoc_text import Limited
from longsum.documents.readers.plain.rst_lines import (
    dedented,
    filled_to,
    indented_to,
    opening_of,
    options_of,
    verses,
    within_item,
)
from longsum.documents.readers.plain.rst_tables import TABLES, table_at
from longsum.documents.readers.plain.rst_text import ANONYMOUS, plain
from longsum.documents.readers.structure.contents_and_indexes import ListingsBuilder, is_prose

_SUFFIXES = (".rst", ".rest")
_SIGNS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^ {0,40}\.\. [a-z][\w:+.-]{0,40}::(?: |$)",
        r"^\.\. (?:_[^\n:]{1,80}:|\[[^\s\]]{1,40}\] )",
        r"(?<![\w:]):[a-z][\w:+-]{1,30}:`[^`\n]",
        r"(?<!`)``[^`\s](?:[^`\n]{0,80}[^`\s])?``(?!`)",
        r"[^`\n]`_{1,2}(?!\w)",
        r"^[^\s.:][^\n]{0,200}[^:\s]?::$",
        r"^(?P<over>[=*#-])(?P=over){2,80}\n ?\S[^\n]{1,80}\n(?P=over){3,81}$",
        r"\A\s*PEP: \d",
    )
)
_OWN_SIGNS = 3
"""How many of the first signs are unique to this format."""
_FEWEST_SIGNS = 2
_SAMPLE = 1 << 16

_ADORNMENT = re.compile(r"(?P<mark>[!-/:-@\[-`{-~])(?P=mark)*")
_LONG = 4
"""Characters of an underline that may be shorter than its title."""
_DEEPEST = 30
"""The deepest nesting that is read; anything deeper is text."""

_BULLET = re.compile(r"[-*+•‣⁃](?:\s+|\Z)")
_NUMBER = re.compile(r"\(?(?:\d{1,9}|[A-Za-z]|[ivxlcdm]{1,8}|[IVXLCDM]{1,8}|#)[.)](?:\s+|\Z)")
_FIELD = re.compile(r":(?P<name>[^\s:`](?:[^:`]|:(?![\s`])){0,120}):(?:\s+(?P<text>\S.*))?")
_ARGUMENT = r"(?:[ =]?(?:<[^<>]{1,60}>|[\w.\[\]=|-]{1,60}))?"
_OPTIONS = re.compile(
    rf"(?P<options>(?:--?|/)\w[\w-]{{0,40}}{_ARGUMENT}"
    rf"(?:, (?:--?|/)\w[\w-]{{0,40}}{_ARGUMENT}){{0,8}})(?:\s{{2,}}(?P<text>\S.*))?"
)
_DIRECTIVE = re.compile(r"(?P<name>[A-Za-z][\w+.-]*(?::[\w+.-]+){0,2}) ?::(?:\s+(?P<text>\S.*))?")
_NOTE = re.compile(r"\[(?P<label>[^\]\s]{1,80})\](?:\s+(?P<text>\S.*))?")
_LINK = re.compile(r"_(?P<name>`[^`\n]{1,200}`|(?:[^:\\\n]|\\.|:(?!\s|\Z)){0,200}):(?:\s.*)?")
_SUBSTITUTION = re.compile(
    r"\|(?P<name>[^|\n]{1,80})\|\s+(?P<kind>[\w:-]{1,40})::(?:\s+(?P<text>\S.*))?"
)
_HEADERS = ("PEP:", "Metadata-Version:")
"""The beginnings of the header of a Python proposal, and of a package."""
_TITLE = re.compile(r"^Title: *(\S.*(?:\n .*)*)", re.MULTILINE)
# What may open the body of a definition without being a paragraph.
_OTHER = re.compile(rf"\.\. |\| |\+-|==|>>> |{_BULLET.pattern}|{_NUMBER.pattern}|{_FIELD.pattern}")
_MARKS = (":", "?", "!", ".", ",", ";")
_LONGEST_REPLACEMENT = 10
"""Most lines of a substitution."""

_CODE = frozenset(
    {"code", "code-block", "sourcecode", "parsed-literal", "prompt", "doctest", "testcode",
     "testoutput", "testsetup", "testcleanup", "ipython", "graphviz", "digraph", "mermaid", "raw",
     "productionlist", "plot", "jupyter-execute", "uml", "math"}
)  # fmt: skip
_PICTURES = frozenset({"image", "figure"})
_INCLUDED = frozenset({"include", "literalinclude"})
# Their arguments are not text.
_WRAPPERS = frozenset(
    {"rst-class", "cssclass", "container", "only", "ifconfig", "table", "compound",
     "highlights", "hlist", "tabs", "grid"}
)  # fmt: skip
_VERSIONS = {
    "versionadded": "Added in version", "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version", "versionremoved": "Removed in version",
}  # fmt: skip
_ADMONITIONS = frozenset(
    {"attention", "caution", "danger", "error", "hint", "important", "note", "seealso", "tip",
     "todo", "warning"}
)  # fmt: skip
_TITLED = frozenset({"rubric", "topic", "sidebar", "admonition"})
_FEWEST_WORDS = 3
"""Fewest words of the value of an option that is more than a setting."""


def is_rst(text: str, suffix: str) -> bool:
    """Return whether a text is reStructuredText: by the suffix of its file, or by its markup.

    One sign unique to it and another are enough.
    """
    if suffix in _SUFFIXES:
        return True
    sample = text[:_SAMPLE]
    found = [sign.search(sample) is not None for sign in _SIGNS]
    return any(found[:_OWN_SIGNS]) and sum(found) >= _FEWEST_SIGNS


def read_rst(text: str, source: Source) -> Document:
    """Read reStructuredText: titles make sections; paragraphs, items and definitions make text.

    A term and its definition are one paragraph, `term: definition`; admonitions and the content of
    unknown directives are text. Code, tables, comments, pictures and the fields at the head are
    left out, and a warning counts them. Nothing is included or executed.
    """
    lines = [line.rstrip() for line in text.expandtabs(8).splitlines()]
    reading = _Reading(lines)
    reading.read()
    return reading.builder.build(reading.title, source)


@dataclass(frozen=True, slots=True)
class _Place:
    """The context of blocks.

    `depth` is the number of blocks around them; `titled` tells whether titles may occur there.
    """

    kind: Kind | None = None
    depth: int = 0
    titled: bool = True

    def within(self, kind: Kind | None = None, *, titled: bool = False) -> "_Place":
        """Return the context within a block that is here."""
        if kind == "list_item":
            kind = self.kind or kind
        return _Place(kind or self.kind, self.depth + 1, titled and self.titled)


class _Reading:
    """Reads lines into a builder, block by block, and blocks within blocks."""

    def __init__(self, lines: list[str]) -> None:
        self.builder = ListingsBuilder()
        self.title: str | None = None
        self._lines = lines
        self._targets, substitutions = _named(lines)
        self._substitutions = Limited(substitutions)
        # The forms of titles, the highest first.
        self._forms: list[str] = []
        # Whether nothing but titles has been read, and the fields among them.
        self._at_head = True
        self._fields: list[str] = []

    def read(self) -> None:
        """Add all lines to the builder."""
        start = next((at for at, line in enumerate(self._lines) if line), 0)
        if "".join(self._lines[start : start + 1]).startswith(_HEADERS):
            end = filled_to(self._lines, start)
            header = "\n".join(self._lines[start:end])
            if title := _TITLE.search(header):
                self.title = title[1]
            self.builder.omit(FRONT_MATTER, header)
            start = end
        self._blocks(self._lines[start:], _Place())
        self._end_fields()

    def _end_fields(self) -> None:
        if self._fields:
            self.builder.omit(FRONT_MATTER, "\n".join(self._fields))
        self._fields = []

    def _blocks(self, lines: Sequence[str], place: _Place) -> None:
        at = 0
        while at < len(lines):
            if not lines[at]:
                at += 1
            else:
                at = self._block(lines, at, place)

    def _block(self, lines: Sequence[str], at: int, place: _Place) -> int:
        """Read the block that opens at a line; return where the next may open."""
        line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
        if not (field := _FIELD.fullmatch(line)):
            self._end_fields()
        if place.depth > _DEEPEST:
            self._paragraph([*lines[at:]], place)
            return len(lines)
        if line[0] == " ":
            end = indented_to(lines, at, 1)
            self._blocks(dedented(lines[at:end]), place.within())
            return end
        if (title := self._heading(lines, at, place)) is not None:
            return title
        was_at_head, self._at_head = self._at_head, False
        end = indented_to(lines, at + 1, 1)
        body = lines[at + 1 : end]
        if line in ("..", "__") or line.startswith((".. ", "__ ")):
            self._at_head = was_at_head
            text = line[3:].lstrip()
            if line[0] == "_" or _LINK.fullmatch(text):
                # What is indented below a blank line is not part of a target.
                return at + 1 + filled_to(body, 0)
            self._explicit(text, dedented(body), place)
        elif line.startswith(">>> "):
            return self._code(lines, at, filled_to(lines, at))
        elif (table := table_at(lines, at))[0]:
            self._rows(table[1])
            return table[0]
        elif field:
            self._at_head = was_at_head
            self._field(field["name"], [field["text"] or "", *dedented(body)], place)
        elif mark := _BULLET.match(line):
            self._blocks(within_item(line, body, mark), place.within("list_item"))
        elif (mark := _NUMBER.match(line)) and (below[:1] in ("", " ") or _NUMBER.match(below)):
            number = mark[0].strip().replace("#.", "")
            self._named_body(number, within_item(line, body, mark), place)
        elif (option := _OPTIONS.fullmatch(line)) and (option["text"] or below[:1] == " "):
            self._named_body(option["options"], [option["text"] or "", *dedented(body)], place)
        elif line == "|" or line.startswith("| "):
            end = filled_to(lines, at)
            for verse in verses(lines[at:end]):
                self._paragraph([verse], place)
        elif below[:1] == " " and not line.endswith("::"):
            self._named_body(line, dedented(body), place)
        else:
            return self._text(lines, at, place)
        return end

    def _text(self, lines: Sequence[str], at: int, place: _Place) -> int:
        """Read a paragraph, and leave out the code that it introduces."""
        end = at
        while end < len(lines) and lines[end] and lines[end][0] != " ":
            end += 1
        taken = list(lines[at:end])
        if not taken[-1].endswith("::"):
            self._paragraph(taken, place)
            return end
        taken[-1] = taken[-1][:-2] if taken[-1][-3:-2] in ("", " ") else taken[-1][:-1]
        self._paragraph(taken, place)
        while end < len(lines) and not lines[end]:
            end += 1
        if end == len(lines):
            return end
        if lines[end][0] == " ":
            return self._code(lines, end, indented_to(lines, end, 1))
        quoted, first = lines[end][0], end
        while not quoted.isalnum() and end < len(lines) and lines[end][:1] == quoted:
            end += 1
        return self._code(lines, first, end) if end > first else end

    def _heading(self, lines: Sequence[str], at: int, place: _Place) -> int | None:
        """Read the title or transition that opens at a line, if any; return where it ends."""
        first, second, third = [*lines[at : at + 3], "", ""][:3]
        over, under = _ADORNMENT.fullmatch(first), _ADORNMENT.fullmatch(second)
        closes = _ADORNMENT.fullmatch(third)
        if over and len(first) >= _LONG and not second:
            return at + 1
        if not place.titled:
            return None
        if over and second and closes and closes["mark"] == over["mark"]:
            form, title, end = over["mark"] * 2, second, at + 3
        elif under and not over and len(second) >= min(len(first), _LONG):
            form, title, end = under["mark"], first, at + 2
        else:
            return None
        if form not in self._forms:
            self._forms.append(form)
        self.builder.heading(self._forms.index(form), self._plain(title.strip()))
        return end

    def _plain(self, text: str) -> str:
        return plain(text, self._substitutions, self._targets)

    def _paragraph(self, lines: Iterable[str], place: _Place, kind: Kind | None = None) -> None:
        text = " ".join(filter(None, map(str.strip, lines)))
        self.builder.paragraph(self._plain(text), kind=kind or place.kind)

    def _code(self, lines: Sequence[str], start: int, end: int) -> int:
        self.builder.omit(CODE, tabbed("\n".join(dedented(lines[start:end]))))
        return end

    def _named_body(self, name: str, body: Sequence[str], place: _Place) -> None:
        """Add the body of a term, an option or a field as one paragraph with its name."""
        within = place.within("list_item")
        body = body[next((at for at, line in enumerate(body) if line), len(body)) :]
        opening = opening_of(body)
        if not opening or _OTHER.match(opening[0]) or opening[-1].endswith("::"):
            self._paragraph([name], within)
        else:
            colon = "" if not name or name.endswith(_MARKS) or _NUMBER.fullmatch(name) else ":"
            self._paragraph([name + colon, *opening], within)
            body = body[len(opening) :]
        self._blocks(body, within)

    def _field(self, name: str, body: Sequence[str], place: _Place) -> None:
        text = " ".join(filter(None, map(str.strip, body)))
        if self._at_head and place.depth == 0 and not is_prose(text):
            self._fields.append(f"{name}: {text}")
        else:
            self._named_body(name, body, place)

    def _explicit(self, text: str, body: Sequence[str], place: _Place) -> None:
        """Read the text after two dots and below them."""
        if note := _NOTE.fullmatch(text):
            numbered = note["label"][0] in "#*" or note["label"].isdigit()
            said = note["text"] or ""
            opening = said if numbered else f"[{note['label']}] {said}"
            self._blocks([opening, *body], place.within("footnote" if numbered else "reference"))
        elif substitution := _SUBSTITUTION.fullmatch(text):
            if substitution["kind"] == "image":
                self._picture(substitution["name"], options_of(body)[0])
            else:
                self.builder.omit("substitution", " ".join([substitution["text"] or "", *body]))
        elif directive := _DIRECTIVE.fullmatch(text):
            self._directive(directive["name"], directive["text"] or "", body, place)
        elif text or any(body):
            self.builder.omit("comment", "\n".join([text, *body]).strip())

    def _directive(self, name: str, text: str, lines: Sequence[str], place: _Place) -> None:
        """Read the content of a directive; in an unknown one everything is text."""
        options, body = options_of(lines)
        if caption := options.pop("caption", ""):
            self._paragraph([caption], place, "caption")
        said = [f"{name}: {value}" for name, value in options.items()]
        told = [each for each in said if len(each.split()) > _FEWEST_WORDS]
        if told and name not in _PICTURES:
            self.builder.omit("directive", "\n".join(told))
        all_text = [text, *body] if text else body
        if name in _INCLUDED:
            self.builder.omit("included file", text)
        elif name == "math":
            self.builder.omit("formula", "\n".join(all_text))
        elif name in _CODE:
            code = all_text if name == "parsed-literal" else body
            # Raw HTML may be nothing but a comment.
            comment = name == "raw" and "".join(code).lstrip().startswith("<!--")
            self.builder.omit("comment" if comment else CODE, tabbed("\n".join(code)))
        elif name in _PICTURES:
            self._picture(text, options)
            self._blocks(body, place.within("caption"))
        elif name in TABLES:
            self._paragraph([text], place, "caption")
            self._rows(TABLES[name](body))
        elif name == "toctree":
            self.builder.listing([line for line in body if line])
        elif name == "index":
            self.builder.omit("index line", "\n".join(all_text))
        elif name in _VERSIONS:
            version, _, rest = text.partition(" ")
            end = ":" if rest or any(body) else "."
            self._blocks([f"{_VERSIONS[name]} {version}{end} {rest}", *body], place.within())
        elif name in _WRAPPERS:
            self._blocks(body, place.within(titled=True))
        elif name in _ADMONITIONS or not text or is_prose(" ".join([text, *opening_of(body)])):
            self._blocks(all_text, place.within(titled=True))
        elif any(body) or name in _TITLED:
            self._paragraph([text], place, "caption" if name == "table" else "heading")
            self._blocks(body, place.within(titled=True))
        else:
            self.builder.omit("directive", f"{name}: {text}")

    def _picture(self, address: str, options: Mapping[str, str]) -> None:
        self.builder.omit("picture", options.get("alt") or address)

    def _rows(self, rows: Iterable[Sequence[str]]) -> None:
        self.builder.omit("table", "\n".join("\t".join(map(self._plain, row)) for row in rows))


def _named(lines: Sequence[str]) -> tuple[set[str], dict[str, str]]:
    """Return the names of targets, in lower case, and the substitutions."""
    targets: set[str] = set()
    substitutions: dict[str, str] = {}
    for at, (line, below) in enumerate(pairwise([*lines, ""])):
        if line.startswith("__ "):
            targets.add(ANONYMOUS)
        elif _ADORNMENT.fullmatch(below):
            targets.add(line.strip().casefold())
        mark, _, text = line.lstrip().partition(" ")
        if mark != "..":
            continue
        if link := _LINK.fullmatch(text):
            targets.add(link["name"].strip("`").casefold() if link["name"] != "_" else ANONYMOUS)
        elif named := _SUBSTITUTION.fullmatch(text):
            more = takewhile(
                lambda each: each[:1] == " ", lines[at + 1 : at + _LONGEST_REPLACEMENT]
            )
            said = " ".join([named["text"] or "", *map(str.strip, more)]).strip()
            value = {"replace": said, "image": ""}.get(named["kind"])
            if value is not None:
                substitutions[named["name"].casefold()] = plain(value)
    return targets, substitutions
