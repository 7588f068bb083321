"""The styles of an OpenDocument text: their names, and how they set words."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from longsum.documents.readers.office.docx_styles import lineage
from longsum.documents.readers.structure.heading_inference import Type, joint_type
from longsum.documents.readers.xml.xml_tree import attribute

_PLAIN = Type(size=12)
"""The type where nothing is stated."""
_POINTS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 7.2 / 2.54, "px": 0.75, "pc": 12.0}
_LENGTH = re.compile(r"(\d{1,4}(?:\.\d{1,6})?)(pt|in|cm|mm|px|pc|%)")
_BESIDE = frozenset({"note", "annotation", "frame", "ruby-text"})
"""Elements in a paragraph whose text is not that of the paragraph."""


class Styles:
    """The styles of paragraphs and words, their bases, and the default language."""

    def __init__(self, roots: list[Any]) -> None:
        """Read the XML of content and styles, the former first."""
        self._own: dict[tuple[str, str], dict[str, Any]] = {}
        self._above: dict[str, dict[str, str | None]] = {"paragraph": {}, "text": {}}
        self._known: dict[str, Type] = {}
        self._usual = _PLAIN
        self._placed: dict[str, dict[str, str]] = {}
        self.language: str | None = None
        for root in roots:
            for style in root.iter("style"):
                self._add(style)
            for default in root.iter("default-style"):
                for properties in default.iter("text-properties"):
                    self.language = self.language or _language(properties)
                if attribute(default, "family") == "paragraph":
                    self._usual = _changed(self._usual, _stated(default))

    def _add(self, style: Any) -> None:
        name, family = attribute(style, "name") or "", attribute(style, "family") or ""
        parent = attribute(style, "parent-style-name") or ""
        if family == "paragraph":
            self._placed[name] = {
                key: value
                for properties in style.iterchildren("paragraph-properties")
                for key in ("text-align", "margin-top")
                if (value := attribute(properties, key))
            }
        if family in ("paragraph", "text"):
            self._own[family, name] = _stated(style)
            self._above[family][name] = parent

    def names(self, name: str | None) -> list[str]:
        """Return the names of a style and of those it is based on, nearest first, in lower case."""
        return [each.lower() for each in self._lineage(name)]

    def type_of(self, paragraph: Any) -> Type:
        """Return the type of a paragraph."""
        base = self._of_paragraphs(attribute(paragraph, "style-name"))
        runs = ((text, self._of_span(span, base)) for text, span in spans(paragraph))
        return joint_type(runs) or base

    def is_centred(self, name: str | None) -> bool:
        """Return whether a style centres its paragraphs."""
        return self._place(name, "text-align") == "center"

    def space_above(self, name: str | None) -> float:
        """Return the space above the paragraphs of a style, in points."""
        return _points(self._place(name, "margin-top"), 0.0)

    def _place(self, name: str | None, key: str) -> str:
        stated = (self._placed.get(each, {}).get(key) for each in self._lineage(name))
        return next((each for each in stated if each is not None), "")

    def _lineage(self, name: str | None) -> list[str]:
        above = self._above["paragraph"]
        known = list(lineage(name, above))
        # A style that the file does not define still has a name.
        last = above[known[-1]] if known else name
        return [*known, *filter(None, [last])]

    def _of_paragraphs(self, name: str | None) -> Type:
        name = name or ""
        if name not in self._known:
            self._known[name] = self._changed_by("paragraph", name, self._usual)
        return self._known[name]

    def _of_span(self, span: Any, base: Type) -> Type:
        name = None if span is None else attribute(span, "style-name")
        return self._changed_by("text", name, base) if name else base

    def _changed_by(self, family: str, name: str, base: Type) -> Type:
        for each in reversed(list(lineage(name, self._above[family]))):
            base = _changed(base, self._own[family, each])
        return base


def spans(paragraph: Any) -> Iterator[tuple[str, Any]]:
    """Yield the texts of a paragraph with the innermost span around each, None outside of spans.

    Notes, comments and frames in it are not its text.
    """
    for element in paragraph.iter():
        if element.text:
            yield from _within(element.text, element, paragraph)
        if element is not paragraph and element.tail:
            yield from _within(element.tail, element.getparent(), paragraph)


def _within(text: str, element: Any, paragraph: Any) -> Iterator[tuple[str, Any]]:
    span = None
    while element is not paragraph:
        if element.tag in _BESIDE:
            return
        if span is None and element.tag == "span":
            span = element
        element = element.getparent()
    yield text, span


def _stated(style: Any) -> dict[str, Any]:
    """Return what a style states about type, by the fields of `Type`; relative sizes as such."""
    found: dict[str, Any] = {}
    for properties in style.iterchildren("text-properties"):
        if size := attribute(properties, "font-size"):
            found["size"] = size
        if weight := attribute(properties, "font-weight"):
            found["bold"] = weight == "bold" or weight in ("600", "700", "800", "900")
        if slant := attribute(properties, "font-style"):
            found["italic"] = slant != "normal"
        if line := attribute(properties, "text-underline-style"):
            found["underlined"] = line != "none"
        shown = attribute(properties, "text-transform"), attribute(properties, "font-variant")
        if shown != (None, None):
            found["capitals"] = shown[0] == "uppercase" or shown[1] == "small-caps"
    return found


def _changed(base: Type, stated: dict[str, Any]) -> Type:
    if "size" in stated:
        stated = stated | {"size": _points(stated["size"], base.size)}
    return replace(base, **stated)


def _points(length: str, of: float) -> float:
    """Return a length in points; `of` is what it is a share of, and what stands for no length."""
    found = _LENGTH.fullmatch(length)
    if found is None:
        return of
    number = float(found[1])
    points = number * of / 100 if found[2] == "%" else number * _POINTS[found[2]]
    return points or of


def _language(properties: Any) -> str | None:
    language, country = attribute(properties, "language"), attribute(properties, "country")
    if not language or language == "none":
        return None
    return language if not country or country == "none" else f"{language}-{country}"
