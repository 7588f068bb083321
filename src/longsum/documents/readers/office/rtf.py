"""Reader of RTF (Rich Text Format 1.9.1)."""

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from longsum.common.errors import LongsumError
from longsum.documents.conservation import RUNNING_HEAD
from longsum.documents.model import Document, Source
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.office.docx_styles import CODE_STYLES
from longsum.documents.readers.office.rtf_tokens import rtf_tokens
from longsum.documents.readers.structure.contents_and_indexes import (
    LISTED,
    REFERENCE,
    ListingsBuilder,
    holds_text,
)
from longsum.documents.readers.structure.heading_inference import (
    SPACE,
    Block,
    Inferences,
    Type,
    infer_headings,
    joint_type,
)
from longsum.language.characters import clean

_SIGNS = {
    "tab": " ", "line": "\n", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "emdash": "—", "endash": "–", "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ",
    "~": "\u00a0", "_": "\u2011", "-": "", "\\": "\\", "{": "{", "}": "}",
}  # fmt: skip
# A line break after a backslash ends a paragraph too.
_PARAGRAPH_ENDS = frozenset({"par", "sect", "page", "\n", "\r"})
# Destinations whose text is kept separately, with its kind.
_APART = {
    "footnote": "footnote",
    "annotation": "comment",
    **{f"{edge}{side}": RUNNING_HEAD for edge in ("header", "footer") for side in ("", *"lrf")},
}
# Destinations without text of the document. Others that a reader may skip are marked with `\*`.
_SKIPPED = frozenset(
    ["fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "themedata", "xe", "tc",
     "datastore", "latentstyles", "listtable", "listoverridetable", "rsidtbl", "generator",
     "bkmkstart", "bkmkend", "atnid", "atnauthor", "fldinst", "filetbl",
     "revtbl", "nonshppict", "mmathPr", "sp", "pnseclvl", "private", "template", "rxe", "txe"]
)  # fmt: skip
# Destinations with the number before an item of a list, or before a heading.
_LABELS = frozenset({"listtext", "pntext"})
_GATHERED = frozenset({*_APART, *_LABELS, "title"})
# Ignorable destinations that nevertheless have text of the document.
_READ = frozenset({"shptxt", "shpinst", "annotation", "nesttableprops"})
_FIELDS = {"TOC": LISTED, "INDEX": LISTED, "BIBLIOGRAPHY": REFERENCE}
_LISTED_STYLES = ("toc ", "index ", "contents ", "table of figures")
# Windows code pages by the character set of a font (`\fcharset`).
_CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_DEEPEST = 10_000
_PLAIN = Type(size=12)
_SWITCHES = {
    "b": "bold", "i": "italic", "ul": "underlined", "caps": "capitals", "scaps": "capitals",
}  # fmt: skip


def read_rtf(data: bytes, source: Source, limits: ReadLimits) -> Document:
    """Read an RTF file: outline levels and the built-in styles of headings make sections.

    Lines that are only set off may be headings as well (`heading_inference`). Tables, pictures,
    footnotes, comments, running heads, tables of contents and deletions that are tracked are left
    out, each as an `Omission`. Objects are never opened.

    Raises:
        LongsumError: Its groups are nested too deeply, or it has too many characters.
    """
    walk = _Walk(source.name, limits)
    for token in rtf_tokens(data):
        walk.token(token)
    walk.end()
    return walk.builder.build(" ".join(walk.titles) or None, source, otherwise=walk.stated_title)


@dataclass(slots=True)
class _Group:
    """The state within a pair of braces.

    The destination is empty for the document, and so is `field` for text: otherwise it is the kind
    of the surrounding field's result. The outline level counts from 0, the space above is in
    twentieths of a point, and `skip` bytes follow a Unicode character for older readers.
    """

    destination: str = ""
    field: str = ""
    style: int = 0
    level: int | None = None
    table: bool = False
    listed: bool = False
    hidden: bool = False
    deleted: bool = False
    font: int = -1
    type: Type = _PLAIN
    centred: bool = False
    space: int = 0
    skip: int = 1


class _Walk:
    """Walks the tokens once, with a stack of groups."""

    def __init__(self, name: str, limits: ReadLimits) -> None:
        self.builder = ListingsBuilder()
        self.titles: list[str] = []
        self.stated_title = ""
        self._name, self._limits = name or "The input", limits
        self._groups = [_Group()]
        self._styles: dict[int, str] = {}
        self._levels: dict[int, int] = {}
        self._fonts: dict[int, str] = {}
        self._typewriter_fonts: set[int] = set()
        self._codepage = "cp1252"
        self._default_font = -1
        self._bytes = bytearray()
        self._pending_high = ""
        self._skip_left = 0
        self._ignorable = False
        self._characters = 0
        # The open paragraph, the row and the table it is in, and what is set apart in it.
        self._text: list[tuple[str, Type]] = []
        self._apart: list[str] = []
        self._in_field: dict[str, list[str]] = {}
        self._lost: dict[str, list[str]] = {}
        self._label = ""
        self._cells: list[str] = []
        self._rows: list[str] = []
        self._beside: list[tuple[str, str]] = []
        self._instruction: list[str] = []
        self._title_open = True
        # The paragraphs that may be headings, and what to do when all are known.
        self._blocks: list[Block] = []
        # Paragraphs in a typewriter's font: code, unless nearly all of the text is.
        self._typewritten: dict[int, str] = {}
        self._in_other_font = False
        self._inferred = Inferences({})
        self._later: list[Callable[[], None]] = []

    def token(self, token: re.Match[bytes]) -> None:
        """Take the next token."""
        if token["byte"] or token["text"]:
            self._add_bytes(token["text"] or bytes([int(token["byte"], 16)]))
            return
        if token["rest"]:
            return
        self._decode()
        if token["open"]:
            self._open()
        elif token["close"]:
            self._close()
        else:
            word = (token["word"] or token["sign"]).decode("latin-1")
            self._word(word, int(token["number"]) if token["number"] else None)

    def end(self) -> None:
        """End the document."""
        self._decode()
        self._end_paragraph()
        self._end_table()
        text = [block for block in self._blocks if block.element not in self._typewritten]
        if 5 * sum(len(b.text) for b in text) < sum(len(b.text) for b in self._blocks):
            self._typewritten.clear()
            text = self._blocks
        self._inferred = infer_headings(text)
        for add in self._later:
            add()

    def _open(self) -> None:
        if len(self._groups) > _DEEPEST:
            raise LongsumError(
                f"{self._name} is nested too deeply to be read; save it again as DOCX or PDF."
            )
        self._groups.append(replace(self._groups[-1]))

    def _close(self) -> None:
        if len(self._groups) < 2:
            return
        closed, around = self._groups.pop(), self._groups[-1]
        if closed.destination == around.destination:
            return
        if closed.destination in _APART:
            if text := clean("".join(self._apart)):
                self._beside.append((_APART[closed.destination], text))
            self._apart.clear()
        elif closed.destination == "title":
            self.stated_title = clean("".join(self._apart))
            self._apart.clear()
        elif closed.destination in _LABELS:
            self._label = clean("".join(self._apart))
            self._apart.clear()
        elif closed.destination == "fldinst":
            words = "".join(self._instruction).split()
            self._instruction.clear()
            kind = _FIELDS.get(words[0].upper(), "") if words else ""
            # The result of the field is a sibling of its instruction.
            around.field = around.field or kind

    def _word(self, word: str, number: int | None) -> None:
        group = self._groups[-1]
        ignorable, self._ignorable = self._ignorable, word == "*"
        if word == "u" and number is not None:
            self._unicode(number % 0x10000)
        elif word in _APART or word in _SKIPPED or word in _LABELS:
            if group.destination not in _SKIPPED:
                group.destination = word
        elif ignorable and word not in _READ:
            group.destination = "*"
        elif group.destination in ("info", "stylesheet", "fonttbl"):
            self._define(word, number)
        elif word in _SIGNS:
            self._add(_SIGNS[word])
        else:
            self._format(group, word, number)

    def _format(self, group: _Group, word: str, number: int | None) -> None:
        on = number != 0
        if word in _PARAGRAPH_ENDS:
            self._end_paragraph()
        elif word == "pard":
            group.style, group.level, group.table, group.listed = 0, None, False, False
            group.centred, group.space = False, 0
        elif word in ("cell", "nestcell"):
            self._cells.append(self._take_text())
        elif word in ("row", "nestrow"):
            self._rows.append("\t".join(self._cells))
            self._cells.clear()
        elif word == "intbl":
            group.table = on
        elif word == "s":
            group.style = number or 0
        elif word == "outlinelevel":
            group.level = number
        elif word in ("ls", "pnlvlblt", "pnlvlbody"):
            group.listed = on
        elif word == "v":
            group.hidden = on
        elif word == "deleted":
            group.deleted = on
        elif word in _SWITCHES:
            group.type = replace(group.type, **{_SWITCHES[word]: on})
        elif word == "ulnone":
            group.type = replace(group.type, underlined=False)
        elif word == "fs" and number and number > 0:
            group.type = replace(group.type, size=number / 2)
        elif word in ("qc", "ql", "qr", "qj"):
            group.centred = word == "qc"
        elif word == "sb":
            group.space = number or 0
        elif word == "plain":
            group.hidden = group.deleted = False
            group.type = _PLAIN
            group.font = self._default_font
        elif word == "f":
            group.font = number if number is not None else -1
        elif word == "uc":
            group.skip = max(number or 0, 0)
        elif word == "ansicpg":
            self._codepage = _codec(f"cp{number}", "cp1252")
        elif word in ("mac", "pc", "pca"):
            self._codepage = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}[word]
        elif word == "deff":
            self._default_font = group.font = number if number is not None else -1

    def _define(self, word: str, number: int | None) -> None:
        """Take a definition of a style or font, or the title among the properties."""
        group = self._groups[-1]
        if word == "title" and group.destination == "info":
            group.destination = "title"
        elif word in ("s", "cs", "ts", "ds") and group.destination == "stylesheet":
            group.style = (number or 0) if word == "s" else -1
        elif word == "outlinelevel" and number is not None:
            self._levels[group.style] = number
        elif word == "f" and group.destination == "fonttbl":
            group.font = number if number is not None else -1
        elif word == "fcharset" and number in _CHARSETS:
            self._fonts[group.font] = _CHARSETS[number]
        elif word == "fmodern":
            self._typewriter_fonts.add(group.font)

    def _unicode(self, code: int) -> None:
        """Add a UTF-16 unit, and skip its substitute for older readers."""
        if 0xD800 <= code < 0xDC00:
            self._pending_high = chr(code)
        else:
            pair = (self._pending_high + chr(code)).encode("utf-16", "surrogatepass")
            self._pending_high = ""
            self._add(pair.decode("utf-16", "replace"))
        self._skip_left = self._groups[-1].skip

    def _add_bytes(self, data: bytes) -> None:
        skipped = min(self._skip_left, len(data))
        self._skip_left -= skipped
        self._bytes += data[skipped:]

    def _decode(self) -> None:
        """Add the bytes so far, which may be halves of characters one by one."""
        self._skip_left = 0
        if self._bytes:
            encoding = self._fonts.get(self._groups[-1].font, self._codepage)
            text = bytes(self._bytes).decode(encoding, "replace")
            self._bytes.clear()
            self._add(text)

    def _add(self, text: str) -> None:
        group = self._groups[-1]
        self._characters += len(text)
        if self._characters > self._limits.characters:
            raise self._limits.refusal(self._name, "characters")
        if group.destination in _GATHERED:
            self._apart.append(text)
        elif group.destination == "fldinst":
            self._instruction.append(text)
        elif group.destination == "stylesheet":
            name = self._styles.get(group.style, "") + text
            self._styles[group.style] = name
        elif group.destination:
            return
        elif group.hidden or group.deleted:
            kind = "deleted passage" if group.deleted else "hidden passage"
            self._lost.setdefault(kind, []).append(text)
        elif group.field:
            self._in_field.setdefault(group.field, []).append(text)
        else:
            self._text.append((text, group.type))
            # What marks an item of a list may have any font.
            if group.font not in self._typewriter_fonts and any(map(str.isalnum, text)):
                self._in_other_font = True

    def _take_text(self) -> str:
        text = clean("".join(text for text, _ in self._text))
        self._text.clear()
        return text

    def _end_paragraph(self) -> None:
        group = self._groups[-1]
        if group.destination:
            self._apart.append(" ")
            return
        if group.table:
            self._text.append((" ", group.type))
            return
        self._end_table()
        runs = list(self._text)
        if text := self._take_text():
            self._emit(group, text, runs)
        for kind, texts in [*self._in_field.items(), *self._lost.items()]:
            if left_out := clean("".join(texts)):
                self._omit(kind, left_out)
        self._in_field.clear()
        self._lost.clear()
        self._label = ""
        self._in_other_font = False
        for kind, said in self._beside:
            self._omit(kind, said)
        self._beside.clear()

    def _omit(self, kind: str, text: str) -> None:
        self._later.append(partial(self.builder.omit, kind, text))

    def _emit(self, group: _Group, text: str, runs: list[tuple[str, Type]]) -> None:
        name = self._styles.get(group.style, "").strip(" ;").lower().replace("_20_", " ")
        if name.startswith(CODE_STYLES):
            code = "".join(run for run, _ in runs)
            self._later.append(partial(self.builder.code, code))
            return
        if name == "title" and self._title_open:
            self.titles.append(text)
            return
        self._title_open = self._title_open and not self.titles
        if name.startswith(_LISTED_STYLES):
            self._omit(LISTED, text)
        elif name == "caption":
            self._omit("caption", text)
        else:
            level = _level(group, name, self._levels)
            if not self._in_other_font and level is None:
                self._typewritten[len(self._blocks)] = "".join(run for run, _ in runs)
            self._add_block(group, text, joint_type(runs) or group.type, level)

    def _add_block(self, group: _Group, text: str, type_: Type, level: int | None) -> None:
        listed = group.listed or bool(self._label)
        block = Block(
            len(self._blocks),
            text,
            type_,
            group.centred,
            group.space >= 20 * SPACE,
            listed,
            apart=False,
            level=level,
        )
        self._blocks.append(block)
        numbered = any(map(str.isalnum, self._label))
        self._later.append(partial(self._say, block, f"{self._label} " if numbered else ""))

    def _say(self, block: Block, label: str) -> None:
        """Add a paragraph or a heading to the document."""
        inferred = self._inferred.headings.get(block.element)
        if block.element in self._inferred.title:
            self.titles.append(block.text)
        elif block.element in self._typewritten:
            self.builder.code(self._typewritten[block.element])
        elif inferred is not None:
            self.builder.inferred_heading(inferred.level, label + block.text, inferred.evidence)
        elif block.level is not None:
            self.builder.heading(block.level, label + block.text)
        else:
            self.builder.paragraph(block.text, kind="list_item" if block.listed else None)

    def _end_table(self) -> None:
        rows, self._rows = self._rows, []
        if self._cells:
            rows.append("\t".join(self._cells))
            self._cells.clear()
        if not rows:
            return
        cells = [cell for row in rows for cell in row.split("\t") if cell]
        if len(cells) <= len(rows) or holds_text(cells):
            # One column, or cells of text, only lay out the page.
            for cell in cells:
                self._later.append(partial(self.builder.paragraph, cell))
        else:
            self._omit("table", "\n".join(rows))


def _level(group: _Group, style: str, levels: Mapping[int, int]) -> int | None:
    """Return the outline level of a paragraph from 0; None for text."""
    level = group.level if group.level is not None else levels.get(group.style)
    if level is None and style.startswith("heading ") and style[8:9].isdecimal():
        level = int(style[8]) - 1
    return level if level is not None and 0 <= level < 9 else None


def _codec(name: str, otherwise: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return otherwise
