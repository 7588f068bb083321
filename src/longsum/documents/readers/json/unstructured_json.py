"""Reader of the elements that Unstructured writes as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from longsum.documents.conservation import RUNNING_HEAD
from longsum.documents.model import Document, Kind, Source
from longsum.documents.readers.structure.contents_and_indexes import ListingsBuilder
from longsum.documents.readers.structure.headings import heading_depth

_LEFT_OUT = {
    **dict.fromkeys(("Header", "Footer", "PageNumber"), RUNNING_HEAD),
    **dict.fromkeys(("Page-header", "Page-footer"), RUNNING_HEAD),
    **dict.fromkeys(("Table", "TableChunk"), "table"),
    **dict.fromkeys(("Image", "Picture"), "picture"),
    **dict.fromkeys(("FigureCaption", "Caption"), "caption"),
    "Figure": "figure",
    "Footnote": "footnote",
    "Formula": "formula",
    "CodeSnippet": "code block",
    "FormKeysValues": "form field",
}
_KINDS: dict[str, Kind] = {
    "ListItem": "list_item",
    "List-item": "list_item",
    "Address": "contact",
    "EmailAddress": "contact",
}
_HEADINGS = frozenset({"Title", "Section-header", "Headline", "Subheadline"})


def is_unstructured(value: Any) -> bool:
    """Return whether a JSON value is a list of elements with a type, a text and metadata."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(element, Mapping)
            and isinstance(element.get("type"), str)
            and isinstance(element.get("text"), str)
            and ("element_id" in element or "metadata" in element)
            for element in value
        )
    )


def read_unstructured(elements: Sequence[Mapping[str, Any]], source: Source) -> Document:
    """Read the elements of a file: titles make sections.

    The level of a title is its `category_depth`; where all have the same, their numbers give the
    levels. Tables, pictures, captions, formulas, code and running heads are left out, each as an
    `Omission`.

    Raises:
        TypeError, AttributeError, ValueError: The values have another form.
    """
    builder = ListingsBuilder()
    titles = [element for element in elements if element["type"] in _HEADINGS]
    flat = len({_metadata(title).get("category_depth") for title in titles}) < 2
    for element in elements:
        kind, text = element["type"], element["text"]
        page = _metadata(element).get("page_number")
        page = page if isinstance(page, int) and page > 0 else None
        if kind in _LEFT_OUT:
            builder.omit(_LEFT_OUT[kind], text, page)
        elif kind in _HEADINGS:
            depth = heading_depth(text) if flat else _metadata(element).get("category_depth")
            builder.heading(int(depth or 0), text)
        elif kind != "PageBreak":
            builder.paragraph(text, page, _KINDS.get(kind))
    languages = {str(tag) for element in elements for tag in _languages(element)}
    builder.language = languages.pop() if len(languages) == 1 else None
    return builder.build(None, source)


def _metadata(element: Mapping[str, Any]) -> Mapping[str, Any]:
    found = element.get("metadata") or {}
    if not isinstance(found, Mapping):
        raise TypeError("not an object")
    return found


def _languages(element: Mapping[str, Any]) -> Sequence[Any]:
    stated = _metadata(element).get("languages") or ()
    return stated if isinstance(stated, list) else ()
