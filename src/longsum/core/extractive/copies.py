"""The sentences of a document as a summary copies them: whole, or shortened."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from longsum.core.summaries import Budget
from longsum.documents.model import Document
from longsum.language.compression import KINDS, Deletion, DeletionKind


@dataclass(frozen=True, slots=True)
class Copies:
    """What a summary would say for each sentence of a document.

    Attributes:
        texts: The sentences, in document order.
        deletions: What each leaves out, with offsets into `Document.text`.
        speakers: Who says each; empty where nobody does.
    """

    texts: Sequence[str]
    deletions: Sequence[tuple[Deletion, ...]]
    speakers: Sequence[str]

    @classmethod
    def whole(cls, document: Document) -> "Copies":
        """Return the sentences as they are."""
        texts = [sentence.text for sentence in document.sentences]
        return cls(texts, [()] * len(texts), [each.speaker for each in document.sentences])

    @classmethod
    def shortened(cls, document: Document, kinds: Collection[DeletionKind] = KINDS) -> "Copies":
        """Return the sentences without what they can do without; see `language.compression`."""
        from longsum.language.compression.compression import shorten

        found = [(sentence.start, shorten(sentence.text, kinds)) for sentence in document.sentences]
        return cls(
            [shorter.text for _, shorter in found],
            [tuple(each.shifted(start) for each in shorter.deletions) for start, shorter in found],
            [sentence.speaker for sentence in document.sentences],
        )

    def costs(self, budget: Budget) -> list[int]:
        """Return the cost of each sentence in the budget's unit, with the name of who says it.

        A summary names a speaker once for neighbouring sentences, so this is the most they cost.
        """
        said = zip(self.texts, self.speakers, strict=True)
        return [budget.cost(text) + budget.added(speaker) for text, speaker in said]
