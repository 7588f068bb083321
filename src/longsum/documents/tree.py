"""Relations between the sections of a document (HIBRIDS, §3.1 and §3.2)."""

from enum import Enum

from longsum.documents.model import Document, Section


class Relation(Enum):
    """The salient relations that HIBRIDS_S keeps (§3.2), read as "first is … of second"."""

    SELF = "self"
    PARENT = "parent"
    CHILD = "child"
    ANCESTOR = "ancestor"
    DESCENDANT = "descendant"
    SIBLING = "sibling"
    NEIGHBOUR = "neighbour"
    SAME_TOP = "same_top"


class DocumentTree:
    """The section tree under a virtual root, and the relation of any two sections in it.

    Sections are identified by `Section.number`. Level 1 sections are children of the virtual root,
    so two of them are two steps apart. A query costs at most the depth of the tree; nothing of size
    sections × sections is stored.
    """

    def __init__(self, document: Document) -> None:
        self.sections: tuple[Section, ...] = document.walk()
        self._parent: list[int | None] = [None] * len(self.sections)
        self._label: list[str] = [""] * len(self.sections)
        for place, section in enumerate(document.sections, start=1):
            self._label[section.number] = str(place)
        for section in self.sections:
            for place, child in enumerate(section.children, start=1):
                self._parent[child.number] = section.number
                self._label[child.number] = f"{self._label[section.number]}.{place}"

    def parent(self, section: int) -> int | None:
        """Return the parent section; None on the first level, whose parent is the root."""
        return self._parent[section]

    def ancestors(self, section: int) -> list[int]:
        """Return the ancestors, the nearest first, without the virtual root."""
        found: list[int] = []
        above = self._parent[section]
        while above is not None:
            found.append(above)
            above = self._parent[above]
        return found

    def label(self, section: int) -> str:
        """Return the number of a section in print: `2.1` is the first child of the second.

        Text before the first heading counts as a section.
        """
        return self._label[section]

    def title_path(self, section: int) -> tuple[str, ...]:
        """Return the titles from the first level down to the section, skipping empty ones."""
        path = [*reversed(self.ancestors(section)), section]
        return tuple(title for number in path if (title := self.sections[number].title))

    def path_length(self, first: int, second: int) -> int:
        """Count the edges from one section to another, signed by reading order.

        Positive if `first` comes earlier in the text, negative if it comes later, 0 for a section
        and itself (§3.1: from §1 to §1.2 it is 1, back it is −1). In attention, `first` is the
        section of the query and `second` that of the key.
        """
        lineage = [first, *self.ancestors(first)]
        steps = {section: step for step, section in enumerate(lineage)}
        length = 0
        current: int | None = second
        while current is not None and current not in steps:
            current = self._parent[current]
            length += 1
        length += len(lineage) if current is None else steps[current]
        return length if first < second else -length

    def level_difference(self, first: int, second: int) -> int:
        """Return the level of `second` minus that of `first` (§3.1: from §1 to §1.2 it is 1)."""
        return self.sections[second].level - self.sections[first].level

    def relations(self, first: int, second: int) -> frozenset[Relation]:
        """Return every named relation between two sections; empty if there is none."""
        if first == second:
            return frozenset({Relation.SELF, Relation.SAME_TOP})
        above_first, above_second = self.ancestors(first), self.ancestors(second)
        found = set()
        if first in above_second:
            found.add(Relation.PARENT if above_second[0] == first else Relation.ANCESTOR)
        if second in above_first:
            found.add(Relation.CHILD if above_first[0] == second else Relation.DESCENDANT)
        if self._parent[first] == self._parent[second]:
            found.add(Relation.SIBLING)
        if abs(first - second) == 1:
            found.add(Relation.NEIGHBOUR)
        if [first, *above_first][-1] == [second, *above_second][-1]:
            found.add(Relation.SAME_TOP)
        return frozenset(found)
