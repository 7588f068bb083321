"""Readers of Org and MediaWiki, where the mark before a line tells its kind."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html import unescape

from longsum.documents.conservation import CODE, tabbed
from longsum.documents.model import Document, Kind, Source
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.structure.contents_and_indexes import ListingsBuilder
from longsum.documents.readers.xml.sectioned_xml import parse_whole


@dataclass(frozen=True, slots=True)
class _Markup:
    """The meaning of marks; the first that fits counts."""

    title: re.Pattern[str]
    heading: re.Pattern[str]
    # What opens a block that is left out, what closes it (as its template), and its kind.
    blocks: tuple[tuple[re.Pattern[str], str, str], ...]
    # Lines that are left out, and their kinds: consecutive ones are one part.
    lines: tuple[tuple[re.Pattern[str], str], ...]
    # Lines without content.
    silent: re.Pattern[str]
    # A separate paragraph; an item if something marks it as one.
    item: re.Pattern[str]
    # The text of a link is the last group that has any.
    link: re.Pattern[str]
    # What is left out within a paragraph, and its kind.
    within: tuple[tuple[re.Pattern[str], str], ...]
    plain: Callable[[str], str]


_KEYWORDS = "keyword"
# What is marked as a program is not searched for prose.
_PROGRAM = "code listing"
_ORG_TAGS = re.compile(r"\A(?:TODO |DONE )?(?:\[#\w\] )?|(?<=\s):[\w@#%:]{1,80}:\Z")
# Before Org 9, HTML was in a block of its own name.
_ORG_AS_IT_STANDS = re.compile(r"\A\s*#\+begin_(?:example|export|html|latex)", re.IGNORECASE)
_ORG_LINK = re.compile(r"\[\[(?:[*#]|file:)?([^\[\]]{1,600})\](?:\[([^\[\]]{1,600})\])?\]")
_ORG_MACRO = re.compile(r"\{\{\{[\w-]{1,40}(?:\(([^{}]{0,300})\))?\}\}\}|<<[^<>\n]{1,80}>>")
_ORG_MARKS = tuple(
    re.compile(
        rf"(?<![\w{mark}\\])[{mark}](?=[^\s{mark}])([^{mark}]{{1,400}})(?<=\S)[{mark}](?!\w)"
    )
    for mark in "*/_=~+"
)


def _org_text(text: str) -> str:
    text = _ORG_MACRO.sub(lambda found: found[1] or "", _ORG_TAGS.sub("", text))
    for mark in _ORG_MARKS:
        text = mark.sub(r"\1", text)
    return text.replace(" :: ", ": ", 1)


_MEDIA = r"[^\[\]|:]{2,20}:[^\[\]|]{1,250}\.(?i:gif|jpe?g|og[gv]|pdf|png|svg|tiff?|web[mp])\b"
_WIKI_LINK = re.compile(
    rf"\[\[(?!{_MEDIA}|[CK]at\w{{4,8}}:|[a-z-]{{2,7}}:[^\[\]|]{{1,200}}\]\])"
    r"(?:[^\[\]|]{1,400}\|)?([^\[\]|]{1,400})\]\]"
    r"|\[(?:https?:)?//[^\s\[\]]{1,600}(?: ([^\[\]]{1,400}))?\]",
)
_WIKI_OPENS = re.compile(r"\{\{|<!--|<ref\b[^<>]{0,200}(?<!/)>")
_WIKI_CLOSES = re.compile(r"\}\}|-->|</ref>")
_MOST_LINES = 200
_WIKI_MARKS = re.compile(r"'{2,5}|__[A-Z]{3,20}__")
_INLINE_TAG = re.compile(
    r"</?(?:abbr|b|big|code|del|em|font|i|ins|kbd|nowiki|s|small|span|strong|sub|tt|u|var)\b"
    r"[^<>]{0,300}>",
    re.IGNORECASE,
)
# `10<sup>9</sup>` is not 109.
_TAG = re.compile(
    r"</?(?:blockquote|br|center|div|p|poem|references|section|sup)\b[^<>]{0,300}>", re.IGNORECASE
)


# HTML for what has no mark, such as an item of several paragraphs.
_HTML_ITEM = re.compile(r"<(?:li|d[dt])\b[^<>]{0,200}>\s*+(?:<p>)?", re.IGNORECASE)
_HTML_BLOCK = re.compile(
    r"</?(?:[ou]l|dl|li|d[dt]|p)\b[^<>]{0,200}>"
    r"|(?=<(?:pre|source|syntaxhighlight)\b)|(?<=</syntaxhighlight>)|(?<=</source>)|(?<=</pre>)",
    re.IGNORECASE,
)
# What is left of `(IPA: …)` without its templates.
_EMPTY = re.compile(r" ?\([ ,;:]{0,20}\)")


def _wiki_text(text: str) -> str:
    text = _TAG.sub(" ", _INLINE_TAG.sub("", _WIKI_MARKS.sub("", text)))
    return unescape(_EMPTY.sub("", text))


_MARKUPS = {
    "org": _Markup(
        title=re.compile(r"#\+title:(.*)", re.IGNORECASE),
        heading=re.compile(r"\A(?P<marks>\*+) +(?P<title>\S.*)"),
        blocks=(
            (re.compile(r"\A\s*#\+begin_src", re.IGNORECASE), "#+end_", _PROGRAM),
            (_ORG_AS_IT_STANDS, "#+end_", CODE),
            (re.compile(r"\A\s*#\+begin_comment", re.IGNORECASE), "#+end_", "comment"),
            (re.compile(r"\A\s*:(?!end:)[\w-]+:\s*\Z", re.IGNORECASE), ":end:", _KEYWORDS),
        ),
        lines=(
            (re.compile(r"\A\s*\|"), "table"),
            (re.compile(r"\A\s*: "), CODE),
            (re.compile(r"\[fn:[\w-]+\] "), "footnote"),
            (re.compile(r"\A\s*(?:#\+(?!begin_|end_)\w\S*:|(?:CLOSED|DEADLINE|SCHEDULED): )"),
             _KEYWORDS),
            (re.compile(r"\A\s*#(?: |\Z)"), "comment"),
        ),
        silent=re.compile(r"\A(?:\s*#\+(?:begin|end)_|-{5,}\s*\Z)", re.IGNORECASE),
        item=re.compile(r"\A\s*(?P<mark>[-+]|\d{1,4}[.)]|\s\*) +(?:\[[ X-]\] +)?"),
        link=_ORG_LINK,
        within=((re.compile(r"\[fn:[^\[\]]{1,600}\]"), "footnote"),),
        plain=_org_text,
    ),
    "mediawiki": _Markup(
        title=re.compile(r"(?!)()"),
        heading=re.compile(r"\A(?P<marks>={1,6})(?P<title>[^=](?:.*[^=\s])?)\s*=+\s*\Z"),
        blocks=(
            (re.compile(r"\A\s*<(source|syntaxhighlight)\b", re.IGNORECASE), r"</\1", _PROGRAM),
            (re.compile(r"\A\s*<(pre|math)\b", re.IGNORECASE), r"</\1", CODE),
            (re.compile(r"\A:*\{\|"), "|}", "table"),
        ),
        lines=((re.compile(r"\A +\S"), CODE),),
        silent=re.compile(r"\A(?:-{4,}\s*\Z|\|-)"),
        item=re.compile(r"(?P<mark>[*#;]*):*(?<=[*#:;])\s*"),
        link=_WIKI_LINK,
        within=(
            (re.compile(r"<!--(?:[^-]|-(?!->)){0,2000}-->"), "comment"),
            (re.compile(r"<ref\b[^<>]{0,200}/>"), "footnote"),
            (re.compile(r"<ref\b[^<>]{0,200}>(?:[^<]|<(?!/ref)){0,2000}</ref>"), "footnote"),
            (re.compile(rf"\[\[{_MEDIA}[^\[\]]{{0,900}}\]\]"), "picture"),
            (re.compile(r"\[\[[^\[\]]{0,300}\]\]"), "category"),
            # Templates may be nested.
            *4 * ((re.compile(r"\{\{[^{}]*\}\}"), "template"),),
        ),
        plain=_wiki_text,
    ),
}  # fmt: skip


def read_marked_lines(text: str, source: Source) -> Document:
    """Read Org or MediaWiki, whichever the format of the source names.

    Headings make sections, other lines paragraphs and items. Code, tables, comments, templates,
    notes, pictures and keywords are left out, and a warning counts them.
    """
    if source.format == "mediawiki":
        text = _HTML_BLOCK.sub("\n\n", _HTML_ITEM.sub("\n* ", text))
    lines = text.expandtabs().splitlines()
    reading = _Reading(_MARKUPS[source.format])
    reading.read(lines if source.format == "org" else list(_wiki_lines(lines)))
    return reading.builder.build(reading.title, source)


def read_wiki_export(text: str, source: Source, limits: ReadLimits) -> Document:
    """Read the pages that a MediaWiki exports: a section for each, unless there is one.

    Raises:
        LongsumError: It is not well formed or nested too deeply.
    """
    pages = [
        f"={page.findtext('title')}=\n{page.findtext('.//text') or ''}"
        for page in parse_whole(text, source, limits).iter("page")
    ]
    return read_marked_lines("\n".join(pages), replace(source, format="mediawiki"))


def _wiki_lines(lines: list[str]) -> Iterator[str]:
    """Yield lines, joined if a template, a note or a comment runs over several."""
    waiting: list[str] = []
    depth = 0
    for line in lines:
        waiting.append(line)
        depth += len(_WIKI_OPENS.findall(line)) - len(_WIKI_CLOSES.findall(line))
        if depth <= 0 or len(waiting) == _MOST_LINES:
            yield from ["\n".join(waiting)] if depth <= 0 else waiting
            waiting, depth = [], 0
    yield from waiting


def _named(link: re.Match[str]) -> str:
    return next(filter(None, reversed(link.groups())), "")


class _Reading:
    """Reads lines into a builder, collecting those of a paragraph or a part that is left out."""

    def __init__(self, markup: _Markup) -> None:
        self.builder = ListingsBuilder()
        self.title: str | None = None
        self._markup = markup
        self._paragraph: list[str] = []
        # The lines that are left out, their kind, and what opens and closes them.
        self._left: list[str] = []
        self._kind = self._opening = self._closing = ""
        self._depth = 0

    def read(self, lines: list[str], *, blocks: bool = True) -> None:
        """Add all lines to the builder."""
        for line in lines:
            if self._depth or (blocks and self._opens(line)):
                self._left.append(line)
                self._depth += self._deeper(line)
                if self._depth <= 0:
                    self._end()
            else:
                self._line(line)
        if self._depth:
            # A block that is not closed is not a block.
            unclosed = list(self._left)
            self._left.clear()
            self._depth = 0
            self.read(unclosed, blocks=False)
        self._end()

    def _opens(self, line: str) -> bool:
        """Return whether a block starts in a line that has nothing else."""
        for pattern, closing, kind in self._markup.blocks:
            if found := pattern.match(line):
                opening, closing = found[0].strip().lower(), found.expand(closing)
                *_, rest = line.lower().rpartition(closing)
                if closing in line.lower() and rest.strip(" >"):
                    return False
                self._end()
                self._kind, self._opening, self._closing = kind, opening, closing
                return True
        return False

    def _deeper(self, line: str) -> int:
        low = line.lower()
        return low.count(self._opening) - low.count(self._closing)

    def _line(self, line: str) -> None:
        """Read a line outside blocks."""
        markup = self._markup
        apart = next((kind for pattern, kind in markup.lines if pattern.match(line)), "")
        if self._left and apart != self._kind:
            self._end()
        if found := markup.title.match(line):
            self.title = self._plain(found[1].strip())
        elif apart:
            self._end_paragraph()
            self._kind = apart
            self._left.append(line)
        elif found := markup.heading.match(line):
            self._end_paragraph()
            self.builder.heading(len(found["marks"]), self._plain(found["title"].strip()))
        elif not line.strip() or markup.silent.match(line):
            self._end_paragraph()
        else:
            if markup.item.match(line):
                self._end_paragraph()
            self._paragraph.append(line)

    def _end(self) -> None:
        """End a part that is left out, and the paragraph above it."""
        self._end_paragraph()
        markup = self._markup
        if self._left:
            lines = [line for line in self._left if not markup.silent.match(line)]
            if self._kind == "table":
                said = (markup.plain(markup.link.sub(_named, line)) for line in lines)
                lines = [line.strip().strip("|!").replace("|", "\t") for line in said]
            self.builder.omit(self._kind, tabbed("\n".join(lines)))
        self._left.clear()
        self._depth = 0

    def _end_paragraph(self) -> None:
        lines, self._paragraph = self._paragraph, []
        if not lines:
            return
        mark = self._markup.item.match(lines[0])
        item: Kind | None = "list_item" if mark and mark["mark"] else None
        text = "\n".join(lines)[mark.end() if mark else 0 :]
        self.builder.paragraph(self._plain(text), kind=item)

    def _plain(self, text: str) -> str:
        """Return the words of a text, leaving out parts within it."""
        text = self._markup.link.sub(_named, text)
        for pattern, kind in self._markup.within:
            for part in pattern.findall(text):
                self.builder.omit(kind, part)
            text = pattern.sub("", text)
        return " ".join(self._markup.plain(text).split())
