"""Names of sections as readers see them."""

from longsum.documents.readers.structure.headings import is_numbered
from longsum.documents.tree import DocumentTree


def section_label(tree: DocumentTree, section: int) -> str:
    """Return `§2.1`, or nothing if the title has its own number or there are no sections."""
    whole = len(tree.sections) == 1 and not tree.sections[section].title
    if whole or is_numbered(tree.sections[section].title):
        return ""
    return f"§{tree.label(section)}"


def section_heading(tree: DocumentTree, section: int) -> str:
    """Return the section's title, or a stand-in if it has none."""
    if title := tree.sections[section].title:
        return title
    if len(tree.sections) == 1:
        return ""
    return "Untitled section" if section else "Opening text"


def section_place(tree: DocumentTree, section: int) -> str:
    """Name a section as a citation does, `§2.1 Methods`; empty if there are no sections."""
    parts = (section_label(tree, section), section_heading(tree, section))
    return " ".join(part for part in parts if part)
