"""The styles and the numbering of a Word file: the role of a paragraph, and its number."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from longsum.documents.readers.xml.xml_tree import attribute, whole_number

BODY_LEVEL = 9
"""The outline level of text, by ECMA-376 (Part 1, §17.3.1.20); 0 to 8 are those of headings."""

# The names of built-in styles are English in every language of Word; their ids are not.
_HEADING = re.compile(r"heading ([1-9])")
# Authors' own styles, by names such as `Appendix Heading 2`, `Head_1` and `HDR 1.1`.
_CALLED_HEADING = re.compile(r"(?:.*[ _-])?(?:heading|head|hdr)[ _-]?([1-9](?:\.\d)*)")
_LISTED = ("toc ", "index ", "table of figures", "table of authorities", "toc heading")
CODE_STYLES = ("source code", "html preformatted", "preformatted text", "macro text")
"""The names of styles of programs, those of LibreOffice and Pandoc too, in lower case."""
_KINDS: dict[str, "ParagraphKind"] = {
    **dict.fromkeys(CODE_STYLES, "code"),
    "caption": "caption",
    "bibliography": "reference",
}
ParagraphKind = Literal["code", "listed", "caption", "reference", "title"]
_PLACEHOLDER = re.compile(r"%([1-9])")
_DEEPEST_STYLE = 50
OFF = frozenset({"0", "false", "off", "none"})
"""The values of a switch that is off."""


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style with what it takes from the styles it is based on.

    Attributes:
        names: Its name in lower case, and those of the styles it is based on, nearest first.
        level: Outline level from 0; None if it is not that of a heading.
        numbering: Number of the list it belongs to, and the level there; empty if none is stated.
    """

    names: tuple[str, ...] = ()
    level: int | None = None
    numbering: tuple[str | None, str | None] = (None, None)

    @property
    def kind(self) -> ParagraphKind | None:
        """The kind of its paragraphs by its name or that of a base style; None for text."""
        if code := next((name for name in self.names if _KINDS.get(name) == "code"), None):
            return _KINDS[code]
        if any(name.startswith(_LISTED) for name in self.names):
            return "listed"
        if named := next((name for name in self.names if name in _KINDS), None):
            return _KINDS[named]
        return "title" if "title" in self.names[:1] else None


def read_styles(root: Any) -> dict[str, Style]:
    """Return the paragraph styles of `styles.xml` by their ids."""
    stated = {
        attribute(style, "styleId") or "": _stated(style)
        for style in root.iter("style")
        if attribute(style, "type") in (None, "paragraph")
    }
    above: dict[str, str | None] = {name: style.based_on for name, style in stated.items()}
    return {name: _style([stated[each] for each in lineage(name, above)]) for name in stated}


@dataclass(frozen=True, slots=True)
class _Stated:
    """What a style itself states; see `Style`."""

    name: str
    level: int | None
    number: str | None
    depth: str | None
    based_on: str


def _stated(style: Any) -> _Stated:
    name = (value_of(style, "name") or "").lower()
    level = number_of(style, "pPr/outlineLvl")
    if level is None and (heading := _HEADING.fullmatch(name)):
        level = int(heading[1]) - 1
    elif level is None and (heading := _CALLED_HEADING.fullmatch(name)):
        level = _depth(heading[1]) - 1
    number, depth = (value_of(style, f"pPr/numPr/{part}") for part in ("numId", "ilvl"))
    return _Stated(name, level, number, depth, value_of(style, "basedOn") or "")


def _depth(number: str) -> int:
    """Return the depth that the name of a style states: 3 for `3`, 2 for `1.1`, 1 for `1.0`."""
    first, *deeper = number.split(".")
    return len([part for part in [first, *deeper] if part != "0"]) if deeper else int(first)


def _style(stated: Sequence[_Stated]) -> Style:
    """Return a style from what it and those it is based on state, nearest first."""
    levels = (style.level for style in stated if style.level is not None)
    numbers = (style.number for style in stated if style.number)
    depths = (style.depth for style in stated if style.depth)
    return Style(
        tuple(style.name for style in stated),
        heading_level(next(levels, None)),
        (next(numbers, None), next(depths, None)),
    )


def heading_level(level: int | None) -> int | None:
    """Return an outline level if it is that of a heading."""
    return level if level is not None and 0 <= level < BODY_LEVEL else None


def lineage(name: str | None, above: Mapping[str, str | None]) -> Iterator[str]:
    """Yield a style and those that it is based on, nearest first."""
    for _ in range(_DEEPEST_STYLE):
        if name is None or name not in above:
            return
        yield name
        name = above[name]


def value_of(element: Any, path: str) -> str | None:
    """Return the `val` of the first element below another at a path."""
    found = element.find(path)
    return None if found is None else attribute(found, "val")


def number_of(element: Any, path: str) -> int | None:
    """Return the `val` of the first element below another at a path, if it is a number."""
    return whole_number(value_of(element, path))


@dataclass(frozen=True, slots=True)
class _Level:
    """A level of a list: how its numbers are written, the text around them, where they start."""

    form: str
    text: str
    start: int


class Numbering:
    """Numbers the paragraphs of all lists in the order of the document.

    Lists that share an abstract definition share their counts, as in Word; a paragraph restarts the
    deeper levels.
    """

    def __init__(self, root: Any) -> None:
        """Read `numbering.xml`; None stands for a document without one."""
        self._levels: dict[str, dict[int, _Level]] = {}
        self._abstract: dict[str, str] = {}
        # Levels that a list starts at its own number, by list.
        self._starts: dict[str, dict[int, int]] = {}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        self._begun: set[str] = set()
        self._of_style: dict[str, int] = {}
        if root is not None:
            self._read(root)

    def level_of_style(self, style: str) -> int:
        """Return the list level that a style is linked to, 0 if none is."""
        return self._of_style.get(style, 0)

    def next_label(self, number: str, level: int) -> str:
        """Count a paragraph, and return its number, `2.1`.

        It is empty for bullets and for lists that the file does not define.
        """
        abstract = self._abstract.get(number)
        levels = self._levels.get(abstract or "", {})
        own = levels.get(level)
        if abstract is None or own is None:
            return ""
        counts = self._counts[abstract]
        if number not in self._begun:
            self._begun.add(number)
            for depth, start in self._starts.get(number, {}).items():
                counts[depth] = start - 1
        counts[level] = counts.get(level, own.start - 1) + 1
        for deeper in [depth for depth in counts if depth > level]:
            del counts[deeper]
        if own.form in ("bullet", "none"):
            return ""

        def written(found: re.Match[str]) -> str:
            depth = int(found[1]) - 1
            other = levels.get(depth, own)
            return _written(counts.get(depth, other.start), other.form)

        return _PLACEHOLDER.sub(written, own.text).strip()

    def _read(self, root: Any) -> None:
        for abstract in root.iter("abstractNum"):
            levels = {}
            for element in abstract.iter("lvl"):
                depth = _whole(attribute(element, "ilvl"), 0)
                levels[depth] = _Level(
                    value_of(element, "numFmt") or "decimal",
                    value_of(element, "lvlText") or "",
                    _whole(value_of(element, "start"), 1),
                )
                if style := value_of(element, "pStyle"):
                    self._of_style[style] = depth
            self._levels[attribute(abstract, "abstractNumId") or ""] = levels
        for number in root.iter("num"):
            name = attribute(number, "numId") or ""
            self._abstract[name] = value_of(number, "abstractNumId") or ""
            self._starts[name] = {
                _whole(attribute(override, "ilvl"), 0): _whole(start, 1)
                for override in number.iter("lvlOverride")
                if (start := value_of(override, "startOverride"))
            }


def _whole(value: str | None, otherwise: int) -> int:
    number = whole_number(value)
    return otherwise if number is None else number


_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        written += letters * times
    return written


def _written(number: int, form: str) -> str:
    if form in ("upperRoman", "lowerRoman") and 0 < number < 4000:
        written = _roman(number)
        return written if form == "upperRoman" else written.lower()
    if form in ("upperLetter", "lowerLetter") and number > 0:
        # A … Z, AA, BB, …
        letter = chr(ord("A") + (number - 1) % 26) * ((number - 1) // 26 % 5 + 1)
        return letter if form == "upperLetter" else letter.lower()
    return f"{number:02}" if form == "decimalZero" else str(number)
