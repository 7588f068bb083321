"""The type of a Word file: size, weight and slant of its words, from styles and runs."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from longsum.documents.readers.office.docx_styles import OFF, lineage, number_of, value_of
from longsum.documents.readers.structure.heading_inference import Type, joint_type
from longsum.documents.readers.xml.xml_tree import attribute

_PLAIN = Type(size=10)
"""The type where nothing is stated (ECMA-376, Part 1, §17.3.2.38)."""


_SWITCHES = {
    "bold": ("b",),
    "italic": ("i",),
    "underlined": ("u",),
    "capitals": ("caps", "smallCaps"),
}


class Types:
    """The type that styles give to words, and the deviations of runs."""

    def __init__(self, root: Any) -> None:
        """Read `styles.xml`; None stands for a file without one."""
        self._own: dict[str, dict[str, Any]] = {}
        self._above: dict[str, str | None] = {}
        self._centred: dict[str, bool | None] = {}
        self._known: dict[str, Type] = {}
        self._usual = _PLAIN
        if root is None:
            return
        self._usual = replace(_PLAIN, **_stated(root.find("docDefaults/rPrDefault/rPr")))
        for style in root.iter("style"):
            name = attribute(style, "styleId") or ""
            self._own[name] = _stated(style.find("rPr"))
            self._above[name] = value_of(style, "basedOn")
            self._centred[name] = _is_centred(style)

    def of_paragraph(self, paragraph: Any, style: str) -> Type:
        """Return the type of a paragraph: the size of most letters, and what holds for all."""
        runs = ((_text(run), self._of_run(run, style)) for run in _runs(paragraph))
        return joint_type(runs) or self._of_style(style)

    def is_centred(self, paragraph: Any, style: str) -> bool:
        """Return whether a paragraph is centred, by itself or by its style."""
        own = _is_centred(paragraph)
        if own is not None:
            return own
        stated = (self._centred[name] for name in lineage(style, self._above))
        return next((each for each in stated if each is not None), False)

    def _of_run(self, run: Any, style: str) -> Type:
        properties = run.find("rPr")
        if properties is None:
            return self._of_style(style)
        named = value_of(run, "rPr/rStyle")
        of_characters: dict[str, Any] = {}
        for name in reversed(list(lineage(named, self._above))):
            of_characters |= self._own[name]
        return replace(self._of_style(style), **(of_characters | _stated(properties)))

    def _of_style(self, style: str) -> Type:
        if style not in self._known:
            type_ = self._usual
            for name in reversed(list(lineage(style, self._above))):
                type_ = replace(type_, **self._own[name])
            self._known[style] = type_
        return self._known[style]


def _runs(paragraph: Any) -> Iterator[Any]:
    """Yield the runs of a paragraph, not those of text boxes in it."""
    for run in paragraph.iter("r"):
        if next(run.iterancestors("p"), None) is paragraph:
            yield run


def _text(run: Any) -> str:
    return "".join(text.text or "" for text in run.iterchildren("t"))


def _stated(properties: Any) -> dict[str, Any]:
    """Return what properties of runs state, by the fields of `Type`."""
    found: dict[str, Any] = {}
    if properties is None:
        return found
    size = number_of(properties, "sz")
    if size is not None and size > 0:
        found["size"] = size / 2
    for name, tags in _SWITCHES.items():
        for tag in tags:
            element = properties.find(tag)
            if element is not None:
                found[name] = attribute(element, "val") not in OFF or found.get(name, False)
    return found


def _is_centred(element: Any) -> bool | None:
    stated = value_of(element, "pPr/jc")
    return None if stated is None else stated == "center"
