"""The paragraphs and fields of a Word file while they are read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from longsum.documents.builder import clean
from longsum.documents.readers.docx_styles import Style
from longsum.documents.readers.listings import LISTED, REFERENCE

# What the result of a field is, by the first words of its instruction (ECMA-376, Part 1, §17.16.5).
_FIELDS = {
    "TOC": LISTED,
    "INDEX": LISTED,
    "TOA": LISTED,
    "BIBLIOGRAPHY": REFERENCE,
    "ADDIN ZOTERO_BIBL": REFERENCE,
    "ADDIN EN.REFLIST": REFERENCE,
    "ADDIN MENDELEY BIBLIOGRAPHY": REFERENCE,
}
_LONGEST_FIELD_NAME = 100


@dataclass(slots=True)
class Paragraph:
    """A paragraph while it is read.

    Attributes:
        element: Its element.
        style: Its style, and the id of that.
        pieces: Its text, and the page that each piece starts on.
        listed: Texts that are the result of a field that makes a list, by what they are.
        beside: What is left out in it.
        within: The paragraphs of text boxes in it, which follow it.
    """

    element: Any
    style: Style
    style_id: str
    pieces: list[tuple[list[str], int | None]]
    listed: dict[str, list[str]] = field(default_factory=dict)
    beside: list[tuple[str, str]] = field(default_factory=list)
    within: list["Paragraph"] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its text on one line."""
        return clean("".join("".join(parts) for parts, _ in self.pieces))

    def follow(self, before: Sequence["Paragraph"]) -> None:
        """Make those before it, whose ends are deleted, one paragraph with it, in its style."""
        joined = [*before, self]
        self.pieces = [piece for each in joined for piece in each.pieces]
        self.beside = [part for each in joined for part in each.beside]
        self.within = [inner for each in joined for inner in each.within]
        listed: dict[str, list[str]] = {}
        for each in joined:
            for kind, texts in each.listed.items():
                listed.setdefault(kind, []).extend(texts)
        self.listed = listed


@dataclass(slots=True)
class Field:
    """A field while it is read.

    Attributes:
        kind: What its result is, or that of a field around it; None for text.
        instruction: The beginning of its instruction.
    """

    kind: str | None
    instruction: str = ""

    def instruct(self, more: str) -> None:
        """Add to the instruction, whose first words tell what the result is."""
        if self.kind is None and len(self.instruction) < _LONGEST_FIELD_NAME:
            self.instruction += more
            self.kind = _field_kind(self.instruction)


def _field_kind(instruction: str) -> str | None:
    words = " ".join(instruction.split()).upper()
    return next(
        (kind for name, kind in _FIELDS.items() if f"{words} ".startswith(f"{name} ")), None
    )
