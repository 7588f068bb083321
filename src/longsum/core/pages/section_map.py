"""The sections of a document: their map, an icicle plot with width by words, and their list."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from longsum.common.wording import counted
from longsum.core.pages.lengths_view import LengthsView
from longsum.documents.model import Section
from longsum.language.words import count_words

ROWS = 3
"""Number of tree levels shown."""

_NARROWEST = 0.5
"""Neighbours narrower than this percentage are merged, which bounds the number of cells."""
_ROW_HEIGHT = 24
_LETTERS_PER_PERCENT = 0.9
"""Letters that fit in a cell at the usual width of the pane; the script adjusts them."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One rectangle of the map.

    Attributes:
        row: Row, from 0 for the first level.
        sections: Its sections: one, or a run of narrow neighbours.
        start: Left edge in percent of the document's words.
        width: Width in percent.
        words: Words of its sections, descendants included.
    """

    row: int
    sections: tuple[int, ...]
    start: float
    width: float
    words: int


@dataclass(frozen=True, slots=True)
class SectionMap:
    """The cells, and the positions of sections in them.

    Attributes:
        cells: Row by row, each row in reading order.
        cell_of: Position of the cell of each section that has one.
        section_words: Words of each section, descendants included.
        words: Words of the whole document, headings not counted.
    """

    cells: tuple[Cell, ...]
    cell_of: dict[int, int]
    section_words: tuple[int, ...]
    words: int

    def chain(self, view: LengthsView, section: int) -> list[int]:
        """Return the cells that contain a section, narrowest first."""
        lineage = [section, *view.tree.ancestors(section)]
        return [self.cell_of[number] for number in lineage if number in self.cell_of]


def lay_out(view: LengthsView) -> SectionMap:
    """Lay out the sections, in time linear in the number of sections and words."""
    before, within, total = _measure(view)
    percent = 100 / max(total, 1)
    cells: list[Cell] = []
    cell_of: dict[int, int] = {}
    families = [(0, view.document.sections)]
    for row, siblings in families:  # grows during iteration
        widths = [within[sibling.number] * percent for sibling in siblings]
        for run in _runs(siblings, widths):
            numbers = tuple(section.number for section in run)
            words = sum(within[number] for number in numbers)
            left = before[numbers[0]] * percent
            cell_of.update(dict.fromkeys(numbers, len(cells)))
            cells.append(Cell(row, numbers, left, words * percent, words))
            if row + 1 < ROWS and len(run) == 1 and run[0].children:
                families.append((row + 1, run[0].children))
    return SectionMap(tuple(cells), cell_of, tuple(within), total)


def _measure(view: LengthsView) -> tuple[list[int], list[int], int]:
    """Return the words before each section, in it and its descendants, and in all sections."""
    sections = view.tree.sections
    before, within = [0] * len(sections), [0] * len(sections)
    reached = 0
    for section in sections:
        before[section.number] = reached
        reached += sum(count_words(sentence.text) for sentence in section.sentences)
        within[section.number] = reached - before[section.number]
    for section in reversed(sections):
        parent = view.tree.parent(section.number)
        if parent is not None:
            within[parent] += within[section.number]
    return before, within, reached


def _runs(siblings: tuple[Section, ...], widths: list[float]) -> list[list[Section]]:
    """Merge neighbours that are too narrow to see or click."""
    runs: list[list[Section]] = []
    after_narrow = False
    for section, width in zip(siblings, widths, strict=True):
        narrow = width < _NARROWEST
        if narrow and after_narrow:
            runs[-1].append(section)
        else:
            runs.append([section])
        after_narrow = narrow
    return runs


def render_map(view: LengthsView, layout: SectionMap) -> str:
    """Return the map as SVG in percentages, so that it fits any width."""
    rows = 1 + max((cell.row for cell in layout.cells), default=0)
    cells = "\n".join(_cell(view, cell) for cell in layout.cells)
    return (
        f'<svg width="100%" height="{rows * _ROW_HEIGHT}" role="group" '
        f'aria-label="Sections by length">\n{cells}\n</svg>'
    )


def _cell(view: LengthsView, cell: Cell) -> str:
    first = cell.sections[0]
    name = view.place(first)
    if len(cell.sections) > 1:
        name = f"{name}, and {len(cell.sections) - 1} more short ones"
    name = f"{name}: {counted(cell.words, 'word')}"
    label = "" if len(cell.sections) > 1 else view.heading(first)
    return (
        f'<a href="#sec-{first}" aria-label="{escape(name)}"><title>{escape(name)}</title>'
        f'<svg class="cell" x="{cell.start:.2f}%" y="{cell.row * _ROW_HEIGHT}"'
        f' width="{cell.width:.2f}%" height="{_ROW_HEIGHT}">'
        f'<rect width="100%" height="100%"/><text x="6" y="16" data-label="{escape(label)}">'
        f"{escape(_fitted(label, int(cell.width * _LETTERS_PER_PERCENT)))}</text></svg></a>"
    )


def _fitted(label: str, letters: int) -> str:
    """Return as many whole words of a label as fit; possibly none."""
    if len(label) <= letters:
        return label
    words = label.split()
    while words and len(" ".join(words)) >= letters:
        words.pop()
    return " ".join(words) + ("…" if words else "")


def render_contents(view: LengthsView, layout: SectionMap) -> str:
    """Return the sections as nested lists of links, which the script turns into a tree.

    Empty if the document has no sections.
    """
    if not any(section.title for section in view.tree.sections):
        return ""
    return "".join(_items(view, layout))


def _items(view: LengthsView, layout: SectionMap) -> Iterator[str]:
    depth = 0
    for section in view.tree.sections:
        level = 1 + len(view.tree.ancestors(section.number))
        if level > depth:
            yield "<ul>" * (level - depth)
        else:
            yield "</li>" + "</ul></li>" * (depth - level)
        depth = level
        words = counted(layout.section_words[section.number], "word")
        yield (
            f'<li id="in-{section.number}"><a href="#sec-{section.number}">'
            f"<bdi>{escape(view.heading(section.number))}</bdi> <small>{words}</small></a>"
        )
    yield "</li></ul>" * depth
