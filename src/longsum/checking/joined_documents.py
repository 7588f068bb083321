"""Several documents as one, each a section of the first level."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from longsum.documents.model import Document, Paragraph, Section, Source

_BETWEEN = "\n\n"


def joined(documents: Sequence[Document]) -> Document:
    """Return documents as one whose sections of the first level are they, in order.

    A single document is returned as it is. Offsets are those of the joined text; warnings name the
    document that they are about.
    """
    if len(documents) == 1:
        return documents[0]
    numbers = count()
    text, tops, omitted = "", [], []
    for place, document in enumerate(documents, start=1):
        name = document.title or document.source.name or f"Document {place}"
        start = len(text)
        text += name + _BETWEEN
        number, moved = next(numbers), len(text)
        # What stands before the first heading needs no section of its own.
        untitled = document.sections[:1] if not document.sections[0].title else ()
        paragraphs = tuple(
            _moved_paragraph(each, moved) for top in untitled for each in top.paragraphs
        )
        sections = (
            *(child for top in untitled for child in top.children),
            *document.sections[len(untitled) :],
        )
        children = tuple(_moved(section, moved, numbers) for section in sections)
        omitted += [replace(part, place=part.place + moved) for part in document.omitted]
        text += document.text
        tops.append(Section(number, name, 1, paragraphs, children, start, len(text)))
        text += _BETWEEN
    languages = {document.language for document in documents}
    return Document(
        title=" · ".join(top.title for top in tops),
        text=text.rstrip(),
        sections=tuple(tops),
        source=Source(", ".join(filter(None, (each.source.name for each in documents)))),
        warnings=tuple(
            f"{top.title}: {warning}"
            for top, document in zip(tops, documents, strict=True)
            for warning in document.warnings
        ),
        omitted=tuple(omitted),
        language=languages.pop() if len(languages) == 1 else None,
    )


def _moved(section: Section, by: int, numbers: "count[int]") -> Section:
    """Return a section one level deeper, further on in the text, with numbers of its own."""
    number = next(numbers)
    return replace(
        section,
        number=number,
        level=section.level + 1,
        paragraphs=tuple(_moved_paragraph(paragraph, by) for paragraph in section.paragraphs),
        children=tuple(_moved(child, by, numbers) for child in section.children),
        start=section.start + by,
        end=section.end + by,
    )


def _moved_paragraph(paragraph: Paragraph, by: int) -> Paragraph:
    return tuple(replace(each, start=each.start + by, end=each.end + by) for each in paragraph)
