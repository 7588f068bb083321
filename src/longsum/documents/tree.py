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
    """The section tree under a virtual root, for questions about two sections at a time.

    Sections are named by `Section.number`. Level 1 sections hang under the virtual root, so two of
    them are two steps apart. Each question costs at most the depth of the tree; nothing of size
    sections × sections is kept.
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
        """Return the section above; None for the first level, which hangs under the root."""
        return self._parent[section]

    def ancestors(self, section: int) -> list[int]:
        """Return the sections above, the nearest first, without the virtual root."""
        found: list[int] = []
        above = self._parent[section]
        while above is not None:
            found.append(above)
            above = self._parent[above]
        return found

    def label(self, section: int) -> str:
        """Return the section's place as readers write it: `2.1` is the first child of the second.

        Text before the first heading counts as a section.
        """
        return self._label[section]

    def title_path(self, section: int) -> tuple[str, ...]:
        """Return the titles from the first level down to the section, empty ones left out."""
        path = [*reversed(self.ancestors(section)), section]
        return tuple(title for number in path if (title := self.sections[number].title))

    def path_length(self, first: int, second: int) -> int:
        """Count the edges from one section to another, signed by reading order.

        Positive where `first` comes earlier in the text, negative where it comes later, 0 for a
        section and itself (§3.1: from §1 to §1.2 it is 1, back it is −1). With attention in mind,
        `first` is the query's section and `second` the key's.
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
        """Return the level of `second` less that of `first` (§3.1: from §1 to §1.2 it is 1)."""
        return self.sections[second].level - self.sections[first].level

    def relations(self, first: int, second: int) -> frozenset[Relation]:
        """Return every named relation that holds between two sections; empty where none does."""
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
