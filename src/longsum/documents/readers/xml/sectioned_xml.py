"""Walks XML in which sections are elements that contain their titles: JATS and TEI."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lxml import etree

from longsum.common.errors import LongsumError
from longsum.documents.model import Kind, Source
from longsum.documents.readers.html.html_tree import without_entities
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.structure.contents_and_indexes import ListingsBuilder
from longsum.documents.readers.xml.xml_tree import parse_xml, shown
from longsum.language.characters import clean

_RAISED = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the elements of a format mean. Those that it does not name are inline.

    Attributes:
        sections: Elements that are sections.
        titles: Elements that are the title of the section around them.
        labels: Elements that are the number of that section.
        blocks: Elements that are paragraphs, with the kinds that they state.
        left_out: Elements that are left out of the text, with their kinds.
        skipped: Elements that only describe the document or repeat its text.
    """

    sections: frozenset[str]
    titles: frozenset[str]
    labels: frozenset[str]
    blocks: Mapping[str, Kind | None]
    left_out: Mapping[str, str]
    skipped: frozenset[str]


@dataclass(slots=True)
class _Open:
    """A section while it is read: its element, whether it has a title, and its number."""

    element: Any
    titled: bool
    label: str = ""


class SectionedWalk(ABC):
    """Walks elements without recursion, and adds their text to a builder.

    A section's level is the number of sections with a title around it. What is left out does not
    end the paragraph that contains it.
    """

    vocabulary: ClassVar[Vocabulary]

    def __init__(self) -> None:
        self.builder = ListingsBuilder()
        self.page: int | None = None
        self._text: list[str] = []
        self._beside: list[tuple[str, str]] = []
        self._open: list[_Open] = []
        self._kinds: list[tuple[Any, Kind | None]] = []
        self._title: Any = None

    def read(self, root: Any) -> None:
        """Add everything below an element."""
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            if event == "start":
                if self._start(element):
                    walker.skip_subtree()
                else:
                    self._text.append(element.text or "")
            else:
                self._end(element)
                if element is not root:
                    self._text.append(element.tail or "")
        self.flush()

    @abstractmethod
    def special(self, element: Any) -> bool:
        """Handle an element as its format demands; return whether it needs no further processing.

        Called for every element before its meaning is looked up.
        """

    def rank(self, title: Any) -> int:
        """Return the rank of the heading of the innermost section, by default its level."""
        del title
        return sum(section.titled for section in self._open)

    def is_titled(self, section: Any) -> bool:
        """Return whether a section has a heading, by default whether it contains one."""
        return any(child.tag in self.vocabulary.titles for child in section)

    def add(self, text: str) -> None:
        """Add a text to the open paragraph."""
        self._text.append(text)

    def leave_out(self, kind: str, text: str) -> None:
        """Leave out a part after the open paragraph."""
        self._beside.append((kind, text))

    def listing(self, element: Any, kind: str, tags: tuple[str, ...]) -> None:
        """Leave out a list, entry by entry."""
        self.flush()
        for entry in element.iter(*tags):
            if text := clean(" ".join(entry.itertext())):
                self.builder.omit(kind, text, self.page)

    @property
    def _kind(self) -> Kind | None:
        return self._kinds[-1][1] if self._kinds else None

    def flush(self) -> None:
        """End the open paragraph or title."""
        text, self._text = clean("".join(self._text)), []
        beside, self._beside = self._beside, []
        if text and self._title is not None:
            section = self._open[-1] if self._open else None
            label = section.label if section else ""
            self.builder.heading(self.rank(self._title), f"{label} {text}")
            self._title = None
        elif text:
            self.builder.paragraph(text, self.page, self._kind)
        for what, said in beside:
            self.builder.omit(what, said, self.page)

    def _start(self, element: Any) -> bool:
        tag, words = element.tag, self.vocabulary
        if self.special(element) or tag in words.skipped:
            return True
        if tag in words.left_out:
            self.leave_out(words.left_out[tag], shown(element))
            return True
        if tag in words.sections:
            self.flush()
            self._open_section(element)
        elif tag in words.labels and self._is_of_section(element):
            self._open[-1].label = clean("".join(element.itertext()))
            return True
        elif tag in words.titles and self._is_of_section(element):
            self.flush()
            self._title = element
        elif tag in words.blocks:
            self.flush()
            self._kinds.append((element, words.blocks[tag] or self._kind))
        return False

    def _end(self, element: Any) -> None:
        if element is self._title:
            self.flush()
            self._title = None
        elif self._kinds and self._kinds[-1][0] is element:
            self.flush()
            self._kinds.pop()
        elif self._open and self._open[-1].element is element:
            self.flush()
            self._open.pop()

    def _open_section(self, element: Any) -> None:
        titled = self.is_titled(element)
        self._open.append(_Open(element, titled))
        before = element.getprevious()
        has_text = any(child.tag in self.vocabulary.blocks for child in element)
        follows = before is not None and before.tag in self.vocabulary.sections
        if not titled and has_text and follows:
            # Text without a heading is not part of the section before it.
            self.builder.heading(1 + self.rank(element), "")

    def _is_of_section(self, element: Any) -> bool:
        return bool(self._open) and self._open[-1].element is element.getparent()


def parse_whole(text: str, source: Source, limits: ReadLimits) -> Any:
    """Parse XML into its root.

    Raises:
        LongsumError: It is not well formed or nested too deeply.
    """
    root = parse_xml(without_entities(text), limits)
    if root is None:
        raise LongsumError(
            f"{source.name or 'The input'} is not well-formed XML or is nested too deeply; "
            "get the file again."
        )
    return root


def shifted(text: str, *, up: bool) -> str:
    """Return a super- or subscript as Unicode characters if all of them exist: `10⁵`, `CO₂`."""
    characters = _RAISED if up else _LOWERED
    known = all(ord(character) in characters for character in text)
    return text.translate(characters) if known else text
