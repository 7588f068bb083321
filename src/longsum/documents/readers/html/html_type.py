"""How the words of a page are set, by its tags and inline styles (CSS 2.2, §15 and §16)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from lxml import html

from longsum.documents.readers.structure.heading_inference import SPACE, Type

_BASE = Type(12.0)
"""The type in which browsers set unstyled text."""
_TAGS: Mapping[str, Mapping[str, bool]] = {
    "b": {"bold": True},
    "strong": {"bold": True},
    "i": {"italic": True},
    "em": {"italic": True},
    "u": {"underlined": True},
}
_FONT_SIZES = dict(zip("1234567", (7.5, 10.0, 12.0, 13.5, 18.0, 24.0, 36.0), strict=True))
_UNITS = {"pt": 1.0, "px": 0.75, "in": 72.0, "cm": 28.35, "mm": 2.835}
_LENGTH = re.compile(r"(\d{1,4}(?:\.\d{1,9})?)(pt|px|in|cm|mm|em|rem|%)")


@dataclass(slots=True)
class BlockText:
    """The text of a block, and how many of its letters are in links within the document.

    It is `broken` if it ends with a line break.
    """

    parts: list[str] = field(default_factory=list)
    letters: int = 0
    linked: int = 0
    links: int = 0
    runs: list[tuple[str, Type]] = field(default_factory=list)
    bold: int = 0
    broken: bool = False

    def add(self, text: str, in_link: bool, set_as: Type | None = None) -> None:
        """Add a text, and how it is set if that is known."""
        self.parts.append(text)
        letters = sum(map(str.isalpha, text))
        self.letters += letters
        self.linked += letters if in_link else 0
        if set_as is not None:
            self.runs.append((text, set_as))
            self.bold += letters if set_as.bold else 0
        self.broken &= not text.strip()

    def __str__(self) -> str:
        return "".join(self.parts).strip()


@dataclass(frozen=True, slots=True)
class Setting:
    """How the words of an element are set, whether centred, and whether with space above."""

    type: Type = _BASE
    centred: bool = False
    space: float = 0.0


class Typesetting:
    """The settings of the open elements."""

    def __init__(self) -> None:
        self._open: list[tuple[html.HtmlElement | None, Setting]] = [(None, Setting())]

    @property
    def current(self) -> Setting:
        """The setting of the innermost open element."""
        return self._open[-1][1]

    def start(self, element: html.HtmlElement) -> None:
        """Open an element."""
        before = self.current
        after = _set(element, before)
        if after != before:
            self._open.append((element, after))

    def end(self, element: html.HtmlElement) -> None:
        """Close an element."""
        if self._open[-1][0] is element:
            self._open.pop()


def _set(element: html.HtmlElement, around: Setting) -> Setting:
    own, tag = around.type, element.tag
    if tag in _TAGS:
        own = replace(own, **_TAGS[tag])
    elif tag == "font" and (size := _FONT_SIZES.get(element.get("size", ""))):
        own = replace(own, size=size)
    align = element.get("align", "").lower()
    centred = around.centred if align not in ("left", "right", "center") else align == "center"
    centred = centred or tag == "center"
    if not (style := element.get("style")):
        return Setting(own, centred, around.space)
    stated = _declarations(style)
    size = _points(stated.get("font-size", ""), own.size)
    own = Type(
        round(size or own.size, 1),
        bold=_switch(
            stated.get("font-weight"), own.bold, ("bold", "bolder", "600", "700", "800", "900")
        ),
        italic=_switch(stated.get("font-style"), own.italic, ("italic", "oblique")),
        underlined=own.underlined or "underline" in stated.get("text-decoration", ""),
        capitals=_switch(stated.get("font-variant"), own.capitals, ("small-caps",)),
    )
    if "text-align" in stated:
        centred = stated["text-align"] == "center"
    above = [_points(stated.get(name, ""), own.size) for name in ("margin-top", "padding-top")]
    return Setting(own, centred, max(around.space, *(each or 0.0 for each in above)))


def _switch(value: str | None, inherited: bool, on: tuple[str, ...]) -> bool:
    return inherited if value in (None, "inherit") else value in on


@lru_cache(1024)
def _declarations(style: str) -> Mapping[str, str]:
    pairs = (part.partition(":") for part in style.lower().split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _points(value: str, around: float) -> float | None:
    """Return a length in points; relative ones are relative to the surrounding size."""
    found = _LENGTH.match(value)
    if found is None:
        return None
    number, unit = float(found[1]), found[2]
    if unit in _UNITS:
        return number * _UNITS[unit]
    return number / 100 * around if unit == "%" else number * around


def is_spaced(setting: Setting) -> bool:
    """Return whether space above sets a block off."""
    return setting.space >= SPACE
