"""One example of a data set: a document with its reference summaries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from longsum.documents.model import Document, Source
from longsum.documents.readers.json import document_from_record
from longsum.wording import quote


@dataclass(frozen=True, slots=True)
class Example:
    """A document and what people wrote as its summary.

    Attributes:
        id: The data set's own name of the example, unique within a split.
        document: The document.
        references: The gold summaries, in the set's order, the first being the one that the set's
            paper scores against. Where the set tells a summary's sentences apart, each stands on a
            line of its own.
        split: `train`, `validation`, `test`, or a name of the set's own.
        license: Licence of this example as its source states it.
        extra: Further fields as the set has them: questions, queries, section summaries, labels.
    """

    id: str
    document: Document
    references: tuple[str, ...]
    split: str
    license: str
    extra: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"<Example {quote(self.id)} of the split {quote(self.split)}: {self.document!r}>"


def example_from_record(
    record: Mapping[str, Any],
    *,
    id: str,
    references: Iterable[str | None],
    split: str,
    license: str,
    dataset: str,
    extra: Mapping[str, Any],
) -> Example:
    """Make an example whose document is a record of `document_from_record`'s form.

    References that are None or blank are left out.

    Raises:
        TypeError, AttributeError, ValueError: The record is not of that form.
    """
    return Example(
        id=id,
        document=document_from_record(record, Source(id, dataset)),
        references=tuple(text.strip() for text in references if text and text.strip()),
        split=split,
        license=license,
        extra=extra,
    )


def other_fields(record: Mapping[str, Any], *used: str) -> dict[str, Any]:
    """Return the fields of a record that an example has no place for, untouched."""
    return {key: value for key, value in record.items() if key not in used}


def as_paragraphs(lines: Iterable[str], title: str = "") -> dict[str, Any]:
    """Return a record without headings in which each line is a paragraph."""
    return {"title": title, "sections": [{"title": "", "paragraphs": list(lines)}]}
