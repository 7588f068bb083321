"""What shortening deletes from a sentence."""

from dataclasses import dataclass
from typing import Literal, get_args

DeletionKind = Literal[
    "citation",
    "footnote_mark",
    "figure_reference",
    "noise",
    "connective",
    "frame",
]
"""What is deleted: a citation; the number or sign of a footnote; a reference to a figure, table or
section; what a transcript notes besides words, and words said twice; a connective that opens a
sentence; or a phrase that only announces what is said."""

KINDS: tuple[DeletionKind, ...] = get_args(DeletionKind)


@dataclass(frozen=True, slots=True)
class Deletion:
    """A span that is left out of a text.

    Attributes:
        start: Offset of its first code point.
        end: Offset after its last.
        kind: What it is.
    """

    start: int
    end: int
    kind: DeletionKind

    def shifted(self, distance: int) -> "Deletion":
        """Return the same span in a text that begins `distance` code points earlier."""
        return Deletion(self.start + distance, self.end + distance, self.kind)


@dataclass(frozen=True, slots=True)
class Shortened:
    """A sentence without some of its spans.

    Attributes:
        text: What is left: the sentence without the spans, its first letter a capital.
        deletions: The spans, with offsets into the sentence, in order and apart from each other.
    """

    text: str
    deletions: tuple[Deletion, ...] = ()
