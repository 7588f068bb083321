"""The document: plain text, a tree of sections, and sentences with exact offsets."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from longsum.common.wording import counted, quote

Kind = Literal[
    "prose",
    "list_item",
    "heading",
    "caption",
    "footnote",
    "reference",
    "contact",
    "table_row",
    "stage_direction",
    "boilerplate",
    "fragment",
]
"""What a unit of text is: prose; a list item; a heading that its format does not mark; the caption
or note of a figure or table; a footnote; a bibliography entry; an address; a table row; a
transcript's note about anything but speech; publication text, such as a copyright line; or a
fragment of any of these."""

MATERIAL: frozenset[Kind] = frozenset({"prose", "list_item"})
"""The kinds that summaries are made of."""

BACK_MATTER: frozenset[Kind] = frozenset({"reference", "contact", "boilerplate", "footnote"})
"""The kinds of text before and after the body of a document, or below its pages."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence.

    Attributes:
        text: Its words, on one line.
        start: Offset of its first code point in `Document.text`.
        end: Offset after its last; `document.text[start:end] == text` always.
        page: Page it starts on, counted from 1; None if the format has no pages.
        kind: What it is.
        speaker: The speaker, as named in the transcript; empty if it is not speech.
    """

    text: str
    start: int
    end: int
    page: int | None = None
    kind: Kind = "prose"
    speaker: str = ""

    @property
    def is_material(self) -> bool:
        """Whether it is of a kind that summaries are made of."""
        return self.kind in MATERIAL

    def __repr__(self) -> str:
        return f"<Sentence {self.start}:{self.end} {quote(self.text)}>"


Paragraph = tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence for a heading that its format does not mark.

    Attributes:
        confidence: The probability that it is a heading, from 0 to 1.
        signs: The signs found, the strongest first, such as `bold` or `in the outline`.
    """

    confidence: float
    signs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One section and everything under it.

    Attributes:
        number: Position among all sections in reading order, from 0; the section's identity.
        title: Heading, on one line; empty for text before the first heading.
        level: Depth in the tree, from 1.
        paragraphs: Its own text, excluding its children's.
        children: Its subsections, in reading order.
        start: Offset where its heading (or first sentence) starts in `Document.text`.
        end: Offset after its last descendant; intervals nest as sections do.
        evidence: The evidence for its heading; None if the format marks headings.
    """

    number: int
    title: str
    level: int
    paragraphs: tuple[Paragraph, ...]
    children: tuple["Section", ...]
    start: int
    end: int
    evidence: Evidence | None = None

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The section's own sentences, excluding its children's."""
        return tuple(sentence for paragraph in self.paragraphs for sentence in paragraph)

    def walk(self) -> Iterator["Section"]:
        """Yield this section and its descendants in reading order."""
        pending = [self]
        while pending:
            section = pending.pop()
            yield section
            pending.extend(reversed(section.children))

    def __repr__(self) -> str:
        return (
            f"<Section {self.number} {quote(self.title)}: level {self.level}, "
            f"{counted(len(self.sentences), 'sentence')}, "
            f"{counted(len(self.children), 'subsection')}>"
        )


@dataclass(frozen=True, slots=True)
class Source:
    """Where a document came from: the file's own name (never its folder) and its format."""

    name: str = ""
    format: str = "text"


@dataclass(frozen=True, slots=True)
class Omission:
    """A part of the source that is not part of the text: a table, a footnote, a running head.

    Attributes:
        kind: What it is, in the singular and in English: `table`, `footnote`, `contents or index
            line`.
        text: Its content; each row of a table is a line, with tabs between cells. Empty if there is
            nothing to quote.
        place: Offset in `Document.text` after which it was; 0 if its place is unknown.
        page: Page it is on, counted from 1; None if the format has no pages.
    """

    kind: str
    text: str
    place: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document, immutable. Make one with `longsum.read` or `DocumentBuilder`.

    Attributes:
        title: Title, or an empty string.
        text: The whole plain text: title, headings and paragraphs with blank lines between them.
            Every offset in longsum indexes it.
        sections: The sections of the first level, in reading order.
        source: Where it came from.
        warnings: Problems met while reading, one sentence each.
        language: Its language as a BCP 47 tag (`en`, `pt-BR`); None if unknown.
        omitted: What the source has besides the text, in reading order, if the reader of its format
            keeps it.
    """

    title: str
    text: str
    sections: tuple[Section, ...]
    source: Source = Source()
    warnings: tuple[str, ...] = ()
    language: str | None = None
    omitted: tuple[Omission, ...] = ()
    _sentences: tuple[Sentence, ...] = field(init=False, repr=False, compare=False)
    _section_of: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _all_sections: tuple[Section, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        walked = tuple(section for top in self.sections for section in top.walk())
        sentences: list[Sentence] = []
        section_of: list[int] = []
        for section in walked:
            own = section.sentences
            sentences.extend(own)
            section_of.extend([section.number] * len(own))
        object.__setattr__(self, "_all_sections", walked)
        object.__setattr__(self, "_sentences", tuple(sentences))
        object.__setattr__(self, "_section_of", tuple(section_of))

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences in reading order; a sentence is identified by its position here."""
        return self._sentences

    @property
    def paragraphs(self) -> Iterator[Paragraph]:
        """All paragraphs in reading order."""
        return (paragraph for section in self._all_sections for paragraph in section.paragraphs)

    def walk(self) -> tuple[Section, ...]:
        """Return all sections in reading order; `walk()[n].number == n`."""
        return self._all_sections

    def section_of(self, sentence: int) -> Section:
        """Return the section that contains the sentence at this position."""
        return self._all_sections[self._section_of[sentence]]

    def omitted_by_section(self) -> Iterator[tuple[Omission, int | None]]:
        """Yield the omitted parts, each with the number of its section.

        The number is None before the first section.
        """
        starts = [section.start for section in self._all_sections]
        for part in self.omitted:
            started = bisect_right(starts, part.place)
            yield part, started - 1 if started else None

    @property
    def sha256(self) -> str:
        """SHA-256 of the plain text in UTF-8, the identity of the document."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def __repr__(self) -> str:
        return (
            f"<Document {quote(self.title or self.source.name)}: "
            f"{counted(len(self.sentences), 'sentence')} in "
            f"{counted(len(self.walk()), 'section')}>"
        )
