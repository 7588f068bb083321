"""The sentences of a document as a summary copies them: whole, or shortened."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from longsum.documents.model import Document
from longsum.language.compression import (
    DEFAULT_KINDS,
    Deletion,
    DeletionKind,
    Shortened,
    shorten,
)
from longsum.summaries import Budget

_UNSAID: tuple[DeletionKind, ...] = ("noise",)
"""What no summary says of speech."""


@dataclass(frozen=True, slots=True)
class Copies:
    """What a summary would say for each sentence of a document.

    Attributes:
        texts: The sentences, in document order.
        deletions: What each leaves out, with offsets into `Document.text`.
    """

    texts: Sequence[str]
    deletions: Sequence[tuple[Deletion, ...]]

    @classmethod
    def whole(cls, document: Document) -> "Copies":
        """Return the sentences as they are; of speech, what is said, without noise."""
        found = [
            shorten(sentence.text, _UNSAID) if sentence.speaker else Shortened(sentence.text)
            for sentence in document.sentences
        ]
        return cls._of(document, found)

    @classmethod
    def shortened(
        cls, document: Document, kinds: Collection[DeletionKind] = DEFAULT_KINDS
    ) -> "Copies":
        """Return the sentences without what they can do without; see `language.compression`."""
        return cls._of(document, [shorten(each.text, kinds) for each in document.sentences])

    @classmethod
    def _of(cls, document: Document, found: Sequence[Shortened]) -> "Copies":
        return cls(
            [shorter.text for shorter in found],
            [
                tuple(each.shifted(sentence.start) for each in shorter.deletions)
                for sentence, shorter in zip(document.sentences, found, strict=True)
            ],
        )

    def costs(self, budget: Budget) -> list[int]:
        """Return the cost of each sentence in the budget's unit."""
        return [budget.cost(text) for text in self.texts]
