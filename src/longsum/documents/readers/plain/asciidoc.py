"""Reader of AsciiDoc."""

import re
from collections.abc import Iterator
from itertools import pairwise

from longsum.documents.conservation import tabbed
from longsum.documents.model import Document, Kind, Source
from longsum.documents.readers.plain.asciidoc_text import Limited, plain
from longsum.documents.readers.plain.plain_layout import Layout, is_code
from longsum.documents.readers.structure.contents_and_indexes import ListingsBuilder

_UNDERLINES = "=-~^+"
_MOST_UNEQUAL = 3
"""Most characters by which an underline may be longer or shorter than its title."""
_TITLE = re.compile(r"(?P<marks>={1,6}|#{1,6})\s+(?!.{320})(?P<title>\S+(?:\s+\S+)*?)(?:\s+=+)?\s*")
_ATTRIBUTE = re.compile(
    r":(?P<unset>!)?(?P<name>\w[\w -]{0,60})(?P<off>!)?:(?:\s+(?P<value>.*))?\s*"
)
_DIRECTIVE = re.compile(
    r"(?P<name>ifdef|ifndef|ifeval|endif|include)::[^\[\]]{0,300}\[(?P<text>.*)\]\s*"
)
_FENCE = re.compile(r"(?P<mark>-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|[|,:!]={3,}|```\w*)\s*")
_LEFT_OUT = {
    "-": "code block", ".": "code block", "`": "code block", "+": "code block", "/": "comment",
    "|": "table", ",": "table", ":": "table", "!": "table",
}  # fmt: skip
_BLOCK_ATTRIBUTES = re.compile(r"\[(?P<style>[^\[\]\s,.#%]*+)[^\[\]]*\]\s*|\[\[[^\[\]]*\]\]\s*")
_CODE_STYLES = frozenset({"source", "listing", "literal"})
_ANCHOR = re.compile(
    r"\[(?:\[(?P<id>[\w.:-]{1,80})[^\[\]]{0,200}\]|#(?P<short>[\w.:-]{1,80})[^\[\]]{0,200})\]\s*"
)
_BLOCK_MACRO = re.compile(r"(?P<name>[a-z]\w{1,20})::(?P<target>[^\s\[\]]*)\[[^\[\]]*\]\s*")
_BLOCK_TITLE = re.compile(r"\.[^\s.].*")
_ITEM = re.compile(
    r"\s*(?:\*{1,5}|-|\.{1,5}|\d{1,3}\.|[a-z]\.|[ivx]{1,5}\))\s+(?P<text>\S.*)", re.DOTALL
)
_CALLOUT = re.compile(r"<(?:\d{1,2}|\.)>\s+(?P<text>\S.*)")
_TERM = re.compile(r"\s*(?P<term>\S(?:.{0,300}?\S)?)(?:(?<!:)::{1,3}|;;)(?:\s+(?P<text>\S.*))?\s*")
_LABEL = re.compile(r"\A(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+")
_TERM_ENDS = tuple(":;,.!?")
_LAYOUT = Layout(body=0, width=80)

_SIGNS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^\[(?:verse|source|listing|NOTE|TIP|WARNING|IMPORTANT|CAUTION|quote|horizontal|\[[\w-]+\]"
        r"|\w+,\s?\w+)[^\[\]\n]{0,80}\]$",
        r"^\+$",
        r"^(?:ifn?def|endif|include|image)::[^\s\[\]]{0,200}\[[^\[\]\n]{0,200}\]$",
        r"\b(?:link|xref|linkgit|mailto|footnote|image):[^\s\[\]]{0,200}\[",
        r"<<[\w-]{1,80}(?:,[^<>\n]{1,200})?>>",
        r"^={1,5} [^\s=][^\n]{0,200}[^\s=]$",
        r"^:[a-z][\w-]{1,40}:(?: [^\n]{0,200})?$",
        r"^[^\s:][^\n:]{0,200}::$",
    )
)
_FEWEST_SIGNS = 3
# Directives of reStructuredText, which shares some of the signs.
_OTHER = re.compile(r"^\.\. [\w-]{1,40}::", re.MULTILINE)
_SAMPLE = 1 << 16


def is_asciidoc(text: str, *, named: bool = False) -> bool:
    """Return whether a text is AsciiDoc: it has three kinds of its markup, and none of others'.

    Args:
        text: The text.
        named: Whether the name of its file says so; then one kind is enough.
    """
    sample = text[:_SAMPLE]
    if _OTHER.search(sample):
        return False
    signs = sum(sign.search(sample) is not None for sign in _SIGNS)
    return signs >= (1 if named else _FEWEST_SIGNS)


def read_asciidoc(text: str, source: Source) -> Document:
    """Read AsciiDoc: titles make sections; paragraphs, items and definitions make text.

    A term and its definition are one paragraph, `term: definition`. Listings, literal blocks,
    tables, comments, attribute entries and pictures are left out, and a warning counts them.
    Nothing is included, and conditional text is kept.
    """
    builder = ListingsBuilder()
    _Reading(builder).read(text.expandtabs().splitlines())
    return builder.build(None, source)


class _Reading:
    """Reads lines into a builder, collecting those of a paragraph until it ends."""

    def __init__(self, builder: ListingsBuilder) -> None:
        self._builder = builder
        self._attributes: dict[str, str] = {}
        # The titles of sections by the anchors above them.
        self._titles: dict[str, str] = {}
        self._values = Limited(self._attributes)
        self._named = Limited(self._titles)
        self._lines: list[str] = []
        # What opens the paragraph: an item, a definition, the title or note of a block.
        self._kind: Kind | None = None
        # Terms that wait for their definition.
        self._terms: list[str] = []
        # The style that a line in brackets gives to the paragraph below it.
        self._style = ""
        self._in_header = False
        # The line that ends the block that is left out, and its lines.
        self._fence = ""
        self._left: list[str] = []

    def read(self, lines: list[str]) -> None:
        """Add all lines to the builder."""
        kept = [line for each in lines if (line := self._directed(each)) is not None]
        for entry in filter(None, map(_ATTRIBUTE.fullmatch, kept)):
            self._attributes[entry["name"]] = (entry["value"] or "").strip()
        self._titles.update(_titles(kept))
        skip = False
        for line, below in pairwise([*kept, ""]):
            if skip:
                skip = False
            elif self._fence and line.rstrip() == self._fence:
                self._end_block()
            elif self._fence:
                self._left.append(line)
            elif self._is_underlined(line, below):
                self._heading(_UNDERLINES.index(below[0]), line)
                skip = True
            else:
                self._line(line.rstrip())
        self._end_block()
        self._end_terms()

    def _directed(self, line: str) -> str | None:
        """Return a line, or the text of a condition on one line; None for other directives."""
        found = _DIRECTIVE.fullmatch(line)
        if found is None:
            return line
        if found["name"] == "include":
            self._builder.omit("included file", line)
        return found["text"] if found["name"] in ("ifdef", "ifndef") else None

    def _is_underlined(self, line: str, below: str) -> bool:
        mark, title = below.rstrip(), line.rstrip()
        if self._lines or self._in_header or not title or len(set(mark)) != 1:
            return False
        if _BLOCK_ATTRIBUTES.fullmatch(title) or _BLOCK_TITLE.fullmatch(title):
            return False
        even = abs(len(mark) - len(title)) <= _MOST_UNEQUAL and len(mark) > 1
        return mark[0] in _UNDERLINES and even and any(map(str.isalnum, title))

    def _heading(self, rank: int, title: str) -> None:
        self._end_terms()
        self._builder.heading(rank, self._plain(title))
        # Author, revision and attributes directly follow the title of a document.
        self._in_header = rank == 0
        self._style = ""

    def _line(self, line: str) -> None:
        """Read a line outside blocks that are left out."""
        if not line:
            self._flush()
            self._in_header = False
        elif _ATTRIBUTE.fullmatch(line):
            self._flush()
            self._builder.omit("attribute entry", line)
        elif line.startswith("//") and not line.startswith("///"):
            self._builder.omit("comment", line)
        elif self._in_header:
            self._builder.omit("masthead", line)
        elif fence := _FENCE.fullmatch(line):
            self._open_block(fence["mark"])
        elif line in ("+", "--", "'''", "<<<"):
            self._flush()
        elif self._lines and not (
            _ITEM.fullmatch(line)
            or _TERM.fullmatch(line)
            or _CALLOUT.fullmatch(line)
            or _BLOCK_ATTRIBUTES.fullmatch(line)
        ):
            self._lines.append(line)
        else:
            self._flush()
            self._opening(line)

    def _opening(self, line: str) -> None:
        """Read the first line of a paragraph."""
        if title := _TITLE.fullmatch(line):
            self._heading(len(title["marks"]) - 1, title["title"])
        elif style := _BLOCK_ATTRIBUTES.fullmatch(line):
            self._style = style["style"] or ""
        elif macro := _BLOCK_MACRO.fullmatch(line):
            if macro["name"] == "image":
                self._builder.omit("picture", line)
        elif _BLOCK_TITLE.fullmatch(line):
            self._lines, self._kind = [line[1:]], "caption"
            self._flush()
        elif callout := _CALLOUT.fullmatch(line):
            self._lines, self._kind = [callout["text"]], "caption"
        elif term := _TERM.fullmatch(line):
            self._terms.append(self._plain(term["term"]))
            self._lines = [term["text"]] if term["text"] else []
        elif item := _ITEM.fullmatch(line):
            self._end_terms()
            self._lines, self._kind = [item["text"]], "list_item"
        else:
            self._lines = [line]

    def _open_block(self, mark: str) -> None:
        """Leave out the content of a delimited block, unless it is text."""
        self._flush()
        if mark[0] in _LEFT_OUT:
            self._fence = "```" if mark[0] == "`" else mark
        self._style = ""

    def _end_block(self) -> None:
        if self._fence:
            self._builder.omit(_LEFT_OUT[self._fence[0]], tabbed("\n".join(self._left)))
        self._fence, self._left = "", []

    def _flush(self) -> None:
        """End a paragraph: text, a definition, or code that is indented or marked as code."""
        lines, self._lines = self._lines, []
        kind, self._kind = self._kind, None
        if not lines:
            return
        style, self._style = self._style, ""
        literal = kind is None and not self._terms and lines[0][0] == " "
        if style in _CODE_STYLES or (literal and is_code(lines, _LAYOUT)):
            self._builder.omit("code block", tabbed("\n".join(lines)))
            return
        text = _LABEL.sub("", self._plain("\n".join(line.strip() for line in lines)))
        if self._terms and kind != "caption":
            terms, self._terms, kind = ", ".join(self._terms), [], "list_item"
            text = f"{terms}{'' if terms.endswith(_TERM_ENDS) else ':'} {text}"
        self._builder.paragraph(text, kind=kind)

    def _end_terms(self) -> None:
        """End a paragraph, and add the terms without a definition."""
        self._flush()
        terms, self._terms = self._terms, []
        for term in terms:
            self._builder.paragraph(term, kind="list_item")

    def _plain(self, text: str) -> str:
        return plain(text, self._values, self._named)


def _titles(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each anchor above a title, and the title."""
    for line, below in pairwise(lines):
        if anchor := _ANCHOR.fullmatch(line):
            title = _TITLE.fullmatch(below)
            yield anchor["id"] or anchor["short"], plain(title["title"] if title else below)
