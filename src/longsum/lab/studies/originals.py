"""What people may look at beside what they judge: the documents, and their reference summaries."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.documents.model import Document
from longsum.lab.studies.candidates import Candidate, sentences_of

REFERENCE = "reference"
"""What reference summaries are called among systems."""
ShownSource = Literal["nothing", "title", "document"]
"""What people see of a document: nothing, its title, or all of it with its references."""


@dataclass(frozen=True, slots=True)
class Original:
    """A document and its references.

    Attributes:
        document: The document; None if it is not known.
        references: Its reference summaries; none if they are not known.
    """

    document: Document | None
    references: tuple[str, ...] = ()

    def shown(self, title: str, beside: ShownSource) -> dict[str, Any]:
        """Return what a page shows of it, as JSON values.

        Args:
            title: Its title, if it has none itself.
            beside: How much of it is shown.
        """
        named = (self.document.title if self.document else "") or title
        if beside != "document":
            return {"title": named if beside == "title" else "", "text": [], "references": []}
        return {"title": named, "text": self.text(), "references": list(self.references)}

    def text(self) -> list[dict[str, Any]]:
        """Return headings with their levels, and paragraphs, in reading order, as JSON values."""
        return [] if self.document is None else _text(self.document)


@dataclass(frozen=True, slots=True)
class Originals:
    """The documents of a study.

    Attributes:
        by_id: Each by its identifier in a data set, or by the SHA-256 of its text.
    """

    by_id: Mapping[str, Original]

    @classmethod
    def of_documents(cls, documents: Iterable[Document]) -> "Originals":
        """Return documents without references."""
        return cls({document.sha256: Original(document) for document in documents})

    def with_examples(self, examples: Iterable[tuple[str, Original]]) -> "Originals":
        """Return these and others, each with its identifier."""
        return Originals({**self.by_id, **dict(examples)})

    def with_references(self, made: Sequence[Candidate]) -> list[Candidate]:
        """Return what was made, and of each of its documents the first reference, as a system.

        Raises:
            LongsumError: A document has no reference.
        """
        first = {each.document: each for each in reversed(made)}
        found = list(made)
        for document, each in reversed(first.items()):
            references = self.of(each).references
            if not references:
                raise LongsumError(
                    f"The document {quote(document)} has no reference that is known; give the data "
                    "set that has one with --data."
                )
            sentences = sentences_of(references[0])
            found.append(Candidate(document, REFERENCE, each.title, sentences, sha256=each.sha256))
        return found

    def of(self, made: Candidate) -> Original:
        """Return the document that something was made of; an empty one if it is not there."""
        found = self.by_id.get(made.document) or self.by_id.get(made.sha256)
        return found or Original(None)


def _text(document: Document) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for section in document.walk():
        if section.title:
            found.append({"level": section.level, "text": section.title})
        for paragraph in section.paragraphs:
            found.append({"text": " ".join(sentence.text for sentence in paragraph)})
    return found
