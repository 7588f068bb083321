"""The places of a document's sections in its tree, and their numbers in print."""

from longsum.documents.model import Document, Section


class DocumentTree:
    """The section tree, whose sections are identified by `Section.number`."""

    def __init__(self, document: Document) -> None:
        self.document = document
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
