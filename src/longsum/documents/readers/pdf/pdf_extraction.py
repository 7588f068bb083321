"""Extracts the text of a PDF with PDFium, word by word, with positions and fonts.

PDFium unpacks streams in native code, out of Python's control, and may crash on a hostile file: so
it runs in a separate process (`longsum.documents.readers.isolation`).
"""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from longsum.documents.readers.pdf.pdf_content import Font

if TYPE_CHECKING:
    import pypdfium2 as pdfium

Piece = list[str | float]

_DEEPEST_OUTLINE = 32
_DEEPEST_ELEMENT = 64
_MOST_ELEMENTS = 20_000
_TELLING = re.compile(
    "H[1-6]?|Title|TOC|TOCI|Index|Table|Caption|Figure|Formula|Note|Code|BibEntry"
)
# PDFium replaces the hyphen of a word broken across lines by one of these.
_BREAKS = "\x02\ufffe\u00ad"
_WORD = re.compile(rf"[^\s{_BREAKS}]+[{_BREAKS}]?|[{_BREAKS}]")
_LIGATURE = "ﬀﬁﬂﬃﬄﬅﬆ"
_LETTERS = ("ff", "fi", "fl", "ffi", "ffl", "st", "st")
# If old TeX fonts do not map their characters, codes remain: these are ligatures.
_LIGATURE_AT = dict(zip("\x0b\x0c\r\x0e\x0f\x1b\x1c\x1d\x1e\x1f", 2 * "ﬀﬁﬂﬃﬄ", strict=True))
_LIGATURES = re.compile("[\x0b\x0c\x0e\x0f\x1b-\x1f]|\r(?!\n)")
_SAMPLE = 50
"""Characters that are examined for the direction of a page's text."""
_WIDE_GAP = 1.2
"""Widest space within a piece, in multiples of the font size; the gap between columns is wider."""
_OVERLAP = 30
"""Points by which a word may start left of the end of the previous one, as accents do."""
_LINE_STEP = 0.6
_SMALL, _RAISED, _NEAR = 0.93, (0.2, 0.7), 0.3
"""For footnote marks: the largest size, how high they are raised, and how near to the word before,
in multiples of its font size."""

_LEAST_PROSE = 0.1
"""Least share of the letters of a line with code that are prose: paths and names may fill it."""


def extract(data: bytes, pages: int, characters: int) -> Iterator[dict[str, Any]]:
    """Yield the content of a PDF, one part at a time.

    `characters` is the maximum for all pages together.

    Yields:
        `{"title": …, "pages": …}`, then for each page `{"fonts": …, "size": …, "pieces": …}`, then
        for each entry of the outline `{"level": …, "entry": …, "page": …, "top": …}` with the page
        counted from 1. Or a final `{"refused": …}`: `encrypted`, `damaged`, or the name of a limit.
        `fonts` lists the fonts that are new on the page, `[name, weight, flags, angle]`. A piece is
        a run of words on one line without a wide gap:
        `[text, left, right, baseline, font size, number of the font, role, line]`, in points from
        the lower left corner, upright; the font is that of most of its characters, without those of
        code in prose, `role` the type of its element in a tagged file, and `line` counts the lines
        of the page as PDFium sees them.
    """
    import pypdfium2 as pdfium

    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        yield {"refused": "encrypted" if "password" in str(error).lower() else "damaged"}
        return
    try:
        if len(pdf) > pages:
            yield {"refused": "pages"}
            return
        yield {"title": pdf.get_metadata_dict().get("Title") or "", "pages": len(pdf)}
        reader = _PageReader()
        for index in range(len(pdf)):
            part = reader.read(pdf, index)
            characters -= sum(len(piece[0]) for piece in part["pieces"])
            if characters < 0:
                yield {"refused": "characters"}
                return
            yield part
        yield from _outline(pdf)
    finally:
        pdf.close()


@dataclass(slots=True)
class _Word:
    """A word on a page: its characters `[first, last)`, its position, and how it is set."""

    text: str
    left: float
    right: float
    baseline: float
    style: tuple[float, int, str]


class _PageReader:
    """Reads pages; numbers the fonts of the document in order of occurrence."""

    def __init__(self) -> None:
        import pypdfium2.raw as raw

        self._raw = raw
        self._fonts: dict[tuple[str, int, int, int], int] = {}
        self._new: list[tuple[str, int, int, int]] = []
        self._mono: set[int] = set()
        self._number = [ctypes.c_double() for _ in range(4)]
        self._matrix = raw.FS_MATRIX()
        self._float = ctypes.c_float()
        self._integer = ctypes.c_int()
        self._name = ctypes.create_string_buffer(256)

    def read(self, pdf: "pdfium.PdfDocument", index: int) -> dict[str, Any]:
        """Return the part of a page; one that PDFium cannot read has no pieces."""
        from pypdfium2 import PdfiumError

        self._new = []
        try:
            page = pdf[index]
            size = [round(side, 1) for side in page.get_size()]
            text_page = page.get_textpage()
            pieces = self._pieces(text_page, _roles(self._raw, page))
            text_page.close()
            page.close()
        except PdfiumError:
            size, pieces = [0, 0], []
        return {"fonts": self._new, "size": size, "pieces": pieces}

    def _pieces(self, text_page: Any, roles: dict[int, str]) -> list[Piece]:
        """Divide the text of a page into pieces."""
        # Within a page, objects and fonts are identified by their address.
        self._objects: dict[int, tuple[float, int, str]] = {}
        self._known: dict[int, int] = {}
        self._turn = self._turned(text_page.raw)
        pieces: list[Piece] = []
        line: list[_Word] = []
        number = 0
        end = 0
        marked: _Word | None = None
        text = _characters(self._raw, text_page)
        for found in _WORD.finditer(text):
            first, last = found.span()
            word = self._word(text_page.raw, text, first, last, roles)
            broken, end = "\n" in text[end:first], last
            if line and broken and _is_raised(line[-1], word):
                # PDFium takes the mark for a line, and what follows it for another.
                marked = line[-1]
                marked.text += word.text
                marked.right = word.right
                continue
            goes_on = line and line[-1] is marked and marked.baseline == word.baseline
            if line and ((broken and not goes_on) or _is_new_line(line[-1], word)):
                pieces += _divided(line, number, self._mono)
                line, number = [], number + 1
            line.append(word)
        return [*pieces, *_divided(line, number, self._mono)]

    def _word(
        self, raw_page: Any, text: str, first: int, last: int, roles: dict[int, str]
    ) -> _Word:
        left, baseline = self._origin(raw_page, first)
        # The last character may be a mark that PDFium inserted.
        last_drawn = last - 1 - (text[last - 1] in _BREAKS and last - 1 > first)
        right = self._right(raw_page, last_drawn)
        style = self._style(raw_page, first, roles)
        if right < left:
            right = left + 0.5 * style[0] * (last - first)
        return _Word(_whole(text[first:last]), left, right, baseline, style)

    def _origin(self, raw_page: Any, index: int) -> tuple[float, float]:
        x, y = self._number[:2]
        self._raw.FPDFText_GetCharOrigin(raw_page, index, x, y)
        return self._upright(x.value, y.value)

    def _right(self, raw_page: Any, index: int) -> float:
        left, right, bottom, top = self._number
        self._raw.FPDFText_GetCharBox(raw_page, index, left, right, bottom, top)
        corners = (left.value, bottom.value), (right.value, top.value)
        return max(self._upright(x, y)[0] for x, y in corners)

    def _upright(self, x: float, y: float) -> tuple[float, float]:
        """Turn a point of a page whose text runs upwards, downwards or upside down."""
        return ((x, y), (y, -x), (-x, -y), (-y, x))[self._turn]

    def _turned(self, raw_page: Any) -> int:
        """Return the quarter turns of most of some characters of the page."""
        count = self._raw.FPDFText_CountChars(raw_page)
        turns = [0, 0, 0, 0]
        for index in range(0, count, max(count // _SAMPLE, 1)):
            if self._raw.FPDFText_GetMatrix(raw_page, index, self._matrix):
                angle = math.atan2(self._matrix.b, self._matrix.a)
                turns[round(angle / (math.pi / 2)) % 4] += 1
        return turns.index(max(turns))

    def _style(self, raw_page: Any, index: int, roles: dict[int, str]) -> tuple[float, int, str]:
        """Return size, number of the font, and role of a character."""
        raw = self._raw
        drawn = raw.FPDFText_GetTextObject(raw_page, index)
        address = ctypes.cast(drawn, ctypes.c_void_p).value
        if not address:
            return 0.0, -1, ""
        style = self._objects.get(address)
        if style is None:
            raw.FPDFTextObj_GetFontSize(drawn, self._float)
            size = self._float.value
            if raw.FPDFText_GetMatrix(raw_page, index, self._matrix):
                size *= math.hypot(self._matrix.c, self._matrix.d)
            role = roles.get(raw.FPDFPageObj_GetMarkedContentID(drawn), "") if roles else ""
            font = self._font(raw.FPDFTextObj_GetFont(drawn))
            style = self._objects[address] = (round(abs(size), 1), font, role)
        return style

    def _font(self, font: Any) -> int:
        raw = self._raw
        address = ctypes.cast(font, ctypes.c_void_p).value or 0
        if address not in self._known:
            name = b""
            if font and raw.FPDFFont_GetBaseFontName(font, self._name, len(self._name)):
                name = self._name.value
            angle = self._integer
            angle.value = 0
            raw.FPDFFont_GetItalicAngle(font, angle)
            key = (
                name.decode("utf-8", "replace"),
                max(raw.FPDFFont_GetWeight(font), 0),
                max(raw.FPDFFont_GetFlags(font), 0),
                angle.value,
            )
            if key not in self._fonts:
                self._fonts[key] = len(self._fonts)
                self._new.append(key)
                if Font.described(*key).mono:
                    self._mono.add(self._fonts[key])
            self._known[address] = self._fonts[key]
        return self._known[address]


def _characters(raw: Any, text_page: Any) -> str:
    """Return the text of a page, one character for each that PDFium counts."""
    text: str = text_page.get_text_range()
    count = raw.FPDFText_CountChars(text_page.raw)
    if len(text) != count:
        text = "".join(chr(raw.FPDFText_GetUnicode(text_page.raw, index)) for index in range(count))
    return _LIGATURES.sub(lambda found: _LIGATURE_AT[found[0]], text)


def _whole(text: str) -> str:
    """Join the halves of characters that PDFium counts as two, and split ligatures."""
    if text.isascii():
        return text
    for ligature, letters in zip(_LIGATURE, _LETTERS, strict=True):
        text = text.replace(ligature, letters)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _is_raised(before: _Word, word: _Word) -> bool:
    """Return whether a word is a small mark directly after and above another, as of a note."""
    size = before.style[0]
    return (
        word.style[0] <= _SMALL * size
        and _RAISED[0] * size <= word.baseline - before.baseline <= _RAISED[1] * size
        and abs(word.left - before.right) <= _NEAR * size
    )


def _is_new_line(before: _Word, word: _Word) -> bool:
    """Return whether a word is on another line than the previous one, which PDFium joined."""
    size = max(before.style[0], word.style[0], 1)
    below = before.baseline - word.baseline
    return word.left < before.left and abs(below) > _LINE_STEP * size


def _divided(line: Sequence[_Word], number: int, mono: Set[int]) -> Iterator[Piece]:
    """Divide a line at wide gaps."""
    start = 0
    for place in range(1, len(line) + 1):
        if place < len(line):
            before, word = line[place - 1], line[place]
            gap = word.left - before.right
            if gap <= _WIDE_GAP * max(before.style[0], word.style[0], 1) and gap > -_OVERLAP:
                continue
        words = line[start:place]
        start = place
        if words:
            yield _piece(words, number, mono)


def _piece(words: Sequence[_Word], number: int, mono: Set[int]) -> Piece:
    lengths: Counter[tuple[float, int, str]] = Counter()
    for word in words:
        lengths[word.style] += len(word.text)
    style = max(lengths, key=lengths.__getitem__)
    if style[1] in mono and len(lengths) > 1:
        style = _style_of_prose(words, mono) or style
    usual = next(word for word in words if word.style == style)
    return [
        " ".join(word.text for word in words),
        round(words[0].left, 1),
        round(max(word.right for word in words), 1),
        round(usual.baseline, 1),
        *style,
        number,
    ]


def _style_of_prose(words: Sequence[_Word], mono: Set[int]) -> tuple[float, int, str] | None:
    """Return how the prose of a line with code is set; None if the line is all code."""
    letters: Counter[tuple[float, int, str]] = Counter()
    for word in words:
        letters[word.style] += sum(map(str.isalpha, word.text))
    prose = {style: count for style, count in letters.items() if style[1] not in mono}
    if not prose or sum(prose.values()) < _LEAST_PROSE * letters.total():
        return None
    return max(prose, key=prose.__getitem__)


def _roles(raw: Any, page: Any) -> dict[int, str]:
    """Return the type of the element of each marked content of a tagged page.

    Headings and what is not running text take precedence over paragraphs and spans within them.
    """
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return {}
    roles: dict[int, str] = {}
    buffer = ctypes.create_string_buffer(64)
    left = _MOST_ELEMENTS
    waiting = [
        (raw.FPDF_StructTree_GetChildAtIndex(tree, n), "", 0)
        for n in range(min(raw.FPDF_StructTree_CountChildren(tree), _MOST_ELEMENTS))
    ]
    while waiting and left:
        left -= 1
        element, role, depth = waiting.pop()
        if not element or depth > _DEEPEST_ELEMENT:
            continue
        length = raw.FPDF_StructElement_GetType(element, buffer, len(buffer))
        kind = buffer.raw[: max(min(length, len(buffer)) - 2, 0)].decode("utf-16-le", "replace")
        if not _TELLING.fullmatch(role):
            role = kind
        for n in range(min(raw.FPDF_StructElement_CountChildren(element), _MOST_ELEMENTS)):
            content = raw.FPDF_StructElement_GetChildMarkedContentID(element, n)
            if content >= 0:
                roles[content] = role
            else:
                child = raw.FPDF_StructElement_GetChildAtIndex(element, n)
                waiting.append((child, role, depth + 1))
    raw.FPDF_StructTree_Close(tree)
    return roles


def _outline(pdf: "pdfium.PdfDocument") -> Iterator[dict[str, Any]]:
    for bookmark in pdf.get_toc(max_depth=_DEEPEST_OUTLINE):
        destination = bookmark.get_dest()
        index = destination.get_index() if destination else None
        if index is not None:
            yield {
                "level": bookmark.level,
                "entry": bookmark.get_title(),
                "page": index + 1,
                "top": _top(destination),
            }


def _top(destination: Any) -> float | None:
    """Return how high on its page an entry of the outline points; None if it does not say."""
    mode, numbers = destination.get_view()
    at = {1: 1, 3: 0, 7: 0}.get(mode)
    return round(numbers[at], 1) if at is not None and at < len(numbers) else None
