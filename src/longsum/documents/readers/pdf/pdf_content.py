"""The content of a PDF: pages with pieces of text, their lines and usual look, the outline."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any

from longsum.common.errors import LongsumError
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.structure.contents import Listing

_BOLD = re.compile(
    r"bold|black|heavy|demi|medi(?!um)|bx|semibold|extrab|(?<=cm)b\b|(?<=cm)b(?=\d)|-b\b",
    re.IGNORECASE,
)
_LIGHT = re.compile(r"regular|roman|book|light|medium|-r\b", re.IGNORECASE)
_ITALIC = re.compile(
    r"ital|obli|slant|(?<=cm|lm|sf)(?:ti|sl|bxti)|\bcmmi|-it\b|-i\b", re.IGNORECASE
)
_MONO = re.compile(
    r"mono|courier|typewriter|(?:cm|lm|sf)(?:sl)?tt|code|consol|fixed", re.IGNORECASE
)
_SMALL_CAPS = re.compile(r"caps|csc|smallcap|-sc\b|xcc|sfcc|tcsc", re.IGNORECASE)
# What programs write if nobody gave a title: a file name, or a word of their own.
_NO_TITLE = re.compile(
    r"\(?(?:anonymous|unspecified|untitled)\b.*|microsoft (?:word|powerpoint|excel) - .*"
    r"|document\d+|powerpoint presentation|\S+\.[a-z]{2,7}",
    re.IGNORECASE | re.DOTALL,
)
_SUBSET = re.compile(r"[A-Z]{6}\+")
_FIXED, _SLANTED, _FORCED_BOLD = 1, 1 << 6, 1 << 18
_HEAVY = 600
_APART = 1.2
_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class Font:
    """A font: its family (the letters of its name before any style), and how it looks."""

    family: str = ""
    bold: bool = False
    italic: bool = False
    mono: bool = False
    small_caps: bool = False

    @classmethod
    def described(cls, name: str, weight: int, flags: int, angle: int) -> "Font":
        """Return the font with a name, weight, flags and angle as stated in the PDF.

        The name takes precedence, since many files state the other three wrongly.
        """
        name = _SUBSET.sub("", name)
        family = re.split(r"[-,]|(?<=[a-z])(?=Bold|Ital|Regular|Medi|Obli)", name)[0]
        light = bool(_LIGHT.search(name))
        bold = bool(_BOLD.search(name)) or (
            not light and (weight >= _HEAVY or bool(flags & _FORCED_BOLD))
        )
        italic = bool(_ITALIC.search(name)) or bool(flags & _SLANTED) or angle != 0
        mono = bool(_MONO.search(name)) or bool(flags & _FIXED and "mono" in name.lower())
        # Sizes of one design have separate names, such as LMRoman10 and LMRoman12.
        family = family.rstrip("0123456789.").lower()
        return cls(family, bold, italic, mono, bool(_SMALL_CAPS.search(name)))


PLAIN = Font()


@dataclass(slots=True)
class Piece:
    """A run of words on one line, without a wide gap.

    Attributes:
        text: Its words.
        left: Left edge in points.
        right: Right edge.
        baseline: Height above the lower edge of the page.
        size: Size of its font in points.
        font: Its font.
        role: The type of its element in a tagged file.
        line: The number of its line on the page, as the parser counts them.
    """

    text: str
    left: float
    right: float
    baseline: float
    size: float
    font: Font = PLAIN
    role: str = ""
    line: int = 0


@dataclass(slots=True)
class Page:
    """A page: width and height in points, and its pieces in the order of the file."""

    width: float
    height: float
    pieces: list[Piece]


@dataclass(slots=True)
class Line:
    """A line of a column.

    Attributes:
        text: Its text.
        page: Its page, counted from 1.
        left: Left edge in points.
        right: Right edge.
        baseline: Height above the lower edge of the page.
        size: Size of its font in points.
        font: Its font.
        role: The type of its element in a tagged file.
        column: Its column; columns count through the document.
        edges: Left and right edge of its column.
        gaps: Number of wide gaps in it.
        broken: Whether its last word continues in the next line.
        listing: The contents or index that it belongs to.
        is_note: Whether it is in a footnote.
    """

    text: str
    page: int
    left: float = 0.0
    right: float = 0.0
    baseline: float = 0.0
    size: float = 0.0
    font: Font = PLAIN
    role: str = ""
    column: int = 0
    edges: tuple[float, float] = (0.0, 0.0)
    gaps: int = 0
    broken: bool = False
    listing: Listing | None = field(default=None)
    is_note: bool = False

    @property
    def width(self) -> float:
        """Its width relative to that of its column."""
        return (self.right - self.left) / max(self.edges[1] - self.edges[0], 1.0)

    @property
    def is_centred(self) -> bool:
        """Whether its margins in its column are about the same, and wide."""
        before, after = self.left - self.edges[0], self.edges[1] - self.right
        return min(before, after) > 2 * self.size and abs(before - after) <= max(
            self.size, 0.1 * (before + after)
        )


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual setting of the text.

    Attributes:
        size: Size of its font in points.
        font: Its font.
        leading: Distance of the baselines of its lines in points.
        width: Width of its lines in points.
        is_spaced: Whether some of its lines are further apart, as headings and paragraphs are.
    """

    size: float = 1.0
    font: Font = PLAIN
    leading: float = 1.0
    width: float = 1.0
    is_spaced: bool = False


def usual_setting(lines: Sequence[Line]) -> Usual:
    """Return the setting of most characters of the lines."""
    lengths: Counter[tuple[float, Font]] = Counter()
    for line in lines:
        lengths[line.size, line.font] += len(line.text)
    if not lengths:
        return Usual()
    size, font = max(lengths, key=lengths.__getitem__)
    steps = [
        (before.width > 0.85, before.baseline - after.baseline)
        for before, after in pairwise(lines)
        if before.column == after.column
        and before.baseline > after.baseline
        and abs(before.size - size) < 0.3
    ]
    within = [step for is_full, step in steps if is_full] or [step for _, step in steps]
    leading = max(median(within) if within else 1.2 * size, 0.1)
    apart = sum(step > _APART * leading for _, step in steps)
    width = median(line.right - line.left for line in lines if line.size == size)
    return Usual(max(size, 0.1), font, leading, width, apart > _SHARE * len(steps))


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline: its depth from 0, its title, and where on its page it points."""

    level: int
    title: str
    top: float | None = None


@dataclass(frozen=True, slots=True)
class PdfText:
    """The raw content of a PDF.

    Attributes:
        title: The title in its metadata, or an empty string.
        pages: The content of each page.
        outline: The entries of the outline by page, counted from 1.
    """

    title: str
    pages: tuple[Page, ...]
    outline: dict[int, list[Bookmark]] = field(default_factory=dict)


def gather(parts: Iterable[Mapping[str, Any]], name: str, limits: ReadLimits) -> PdfText:
    """Combine the parts that `pdf_extraction.extract` yields.

    Raises:
        LongsumError: A part says that the file is refused.
    """
    title = ""
    pages: list[Page] = []
    fonts: list[Font] = []
    outline: dict[int, list[Bookmark]] = defaultdict(list)
    for part in parts:
        if "pieces" in part:
            fonts += [Font.described(*described) for described in part["fonts"]]
            width, height = part["size"]
            pages.append(Page(width, height, [_piece(piece, fonts) for piece in part["pieces"]]))
        elif "entry" in part:
            entry = Bookmark(part["level"], part["entry"], part["top"])
            outline[part["page"]].append(entry)
        elif "title" in part:
            title = "" if _NO_TITLE.fullmatch(part["title"]) else part["title"]
        else:
            raise _refusal(part["refused"], name, limits)
    return PdfText(title, tuple(pages), dict(outline))


def _piece(values: list[Any], fonts: list[Font]) -> Piece:
    text, left, right, baseline, size, font, role, line = values
    return Piece(text, left, right, baseline, size, fonts[font] if font >= 0 else PLAIN, role, line)


def _refusal(reason: str, name: str, limits: ReadLimits) -> LongsumError:
    if reason == "encrypted":
        return LongsumError(f"{name} is encrypted; save a copy without a password first.")
    if reason == "damaged":
        return LongsumError(f"{name} is a damaged PDF; save or download it again.")
    return limits.refusal(name, reason)
