"""One example of a data set: a document with its reference summaries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from longsum.common.wording import quote
from longsum.documents.model import Document
from longsum.evaluation.aspects import Labelled, labelled


@dataclass(frozen=True, slots=True)
class Example:
    """A document and its reference summaries.

    Attributes:
        id: Identifier in the data set, unique within a split.
        document: The document.
        references: The reference summaries, in the set's order; the set's paper scores against the
            first. If the set marks the sentences of a summary, there is one per line.
        split: `train`, `validation`, `test`, or a name of the set's own.
        license: Licence of this example as stated by its source.
        extra: Further fields of the set: questions, queries, section summaries, labels.
        question: What the references answer; empty if they summarize the document.
    """

    id: str
    document: Document
    references: tuple[str, ...]
    split: str
    license: str
    extra: Mapping[str, Any]
    question: str = ""

    def __repr__(self) -> str:
        return f"<Example {quote(self.id)} of the split {quote(self.split)}: {self.document!r}>"


def other_fields(record: Mapping[str, Any], *used: str) -> dict[str, Any]:
    """Return all fields of a record except those used, unchanged."""
    return {key: value for key, value in record.items() if key not in used}


def as_paragraphs(lines: Iterable[str], title: str = "") -> dict[str, Any]:
    """Return a record without headings, with one paragraph per line."""
    return {"title": title, "sections": [{"title": "", "paragraphs": list(lines)}]}


LABELLED_SUMMARY = "labelled_summary"
"""The further field with a summary as it stands with its titles, where the reference leaves them
out."""


def labelled_references(example: Example) -> list[Labelled]:
    """Return the references that have aspects, by their labels or by titles that the set keeps."""
    titled = example.extra.get(LABELLED_SUMMARY)
    texts = example.references if titled is None else (str(titled),)
    return [found for text in texts if (found := labelled(text)) is not None]
