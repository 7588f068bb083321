"""The JSON that other readers write: Docling and Unstructured."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from longsum.documents.conservation import RUNNING_HEAD
from longsum.documents.model import Document, Kind, Source
from longsum.documents.readers.structure.contents_and_indexes import (
    LISTED,
    REFERENCE,
    ListingsBuilder,
)
from longsum.documents.readers.structure.headings import heading_depth

SCHEMA_NAME = "DoclingDocument"
"""The value of the field `schema_name` in such a file."""

_FURNITURE = (
    *("page_header", "page_footer"),
    *("Header", "Footer", "PageNumber", "Page-header", "Page-footer"),
)
_FIELDS = (
    *("field_key", "field_value", "empty_value", "checkbox_selected", "checkbox_unselected"),
    "FormKeysValues",
)
_LEFT_OUT = {
    **dict.fromkeys(_FURNITURE, RUNNING_HEAD),
    **dict.fromkeys(("caption", "FigureCaption", "Caption"), "caption"),
    **dict.fromkeys(("footnote", "Footnote"), "footnote"),
    **dict.fromkeys(("formula", "Formula"), "formula"),
    **dict.fromkeys(("code", "CodeSnippet"), "code block"),
    "reference": REFERENCE,
    "document_index": LISTED,
    **dict.fromkeys(_FIELDS, "form field"),
    **dict.fromkeys(("Table", "TableChunk"), "table"),
    **dict.fromkeys(("Image", "Picture"), "picture"),
    "Figure": "figure",
}
"""Labels of what is left out, each with a type; Docling's come first."""
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("list_item", "ListItem", "List-item"), "list_item"),
    **dict.fromkeys(("Address", "EmailAddress"), "contact"),
}


def read_docling(value: Mapping[str, Any], source: Source) -> Document:
    """Read a DoclingDocument: section headers make sections, by their levels.

    Docling gives all headers of a PDF the same level; their numbers then give the levels. Tables,
    pictures, captions, footnotes, formulas, code and the texts of the layer `furniture` are left
    out, each as an `Omission`.

    Raises:
        TypeError, AttributeError, ValueError, KeyError: The values have another form.
    """
    items = list(_items(value))
    headers = [item for item in items if item.get("label") == "section_header"]
    flat = len({header.get("level", 1) for header in headers}) < 2
    builder = ListingsBuilder()
    titles = [str(item["text"]) for item in items if item.get("label") == "title"]
    for item in items:
        label, page = item.get("label"), _page(item)
        if "data" in item and not isinstance(item.get("text"), str):
            builder.omit(LISTED if label == "document_index" else "table", _rows(item), page)
            continue
        if "text" not in item:
            builder.omit("picture", "", page)
            continue
        text = str(item["text"])
        if label in _LEFT_OUT or item.get("content_layer", "body") != "body":
            builder.omit(_LEFT_OUT.get(str(label), RUNNING_HEAD), text, page)
        elif label == "title":
            if len(titles) > 1:
                builder.heading(-1, text)
        elif label == "section_header":
            depth = heading_depth(text) if flat else None
            builder.heading(depth or int(item.get("level", 1)), text)
        else:
            builder.paragraph(text, page, _KINDS.get(str(label)))
    return builder.build(titles[0] if len(titles) == 1 else None, source)


def _items(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield texts, tables and pictures in reading order: the tree of references, each item once."""
    seen: set[str] = set()
    pending = [*reversed(_references(value.get("furniture", {})))]
    pending += reversed(_references(value["body"]))
    while pending:
        reference = pending.pop()
        if reference in seen:
            continue
        seen.add(reference)
        item = _resolved(value, reference)
        if reference.split("/")[1] != "groups":
            yield item
        # The captions of a table or picture are among its children.
        pending.extend(reversed(_references(item)))


def _references(item: Mapping[str, Any]) -> list[str]:
    return [str(child.get("$ref") or child.get("cref")) for child in item.get("children", ())]


def _resolved(value: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    """Return the item that a reference such as `#/texts/3` points to."""
    _, collection, number = reference.split("/")
    item = value[collection][int(number)]
    if not isinstance(item, Mapping):
        raise TypeError("not an object")
    return item


def _page(item: Mapping[str, Any]) -> int | None:
    places = item.get("prov") or ()
    return _whole(places[0].get("page_no")) if places else None


def _whole(page: Any) -> int | None:
    return page if isinstance(page, int) and page > 0 else None


def _rows(table: Mapping[str, Any]) -> str:
    """Return the cells of a table with tabs between them, rows on lines of their own."""
    cells = table["data"].get("table_cells") or ()
    rows: dict[int, list[str]] = {}
    for cell in cells:
        rows.setdefault(int(cell["start_row_offset_idx"]), []).append(
            " ".join(str(cell["text"]).split())
        )
    return "\n".join("\t".join(rows[row]) for row in sorted(rows))


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

    The level of a title is its `category_depth`; if all are the same, their numbers give the
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
        page = _whole(_metadata(element).get("page_number"))
        if kind in _LEFT_OUT:
            builder.omit(_LEFT_OUT[kind], text, page)
        elif kind in _HEADINGS:
            depth = heading_depth(text) if flat else _metadata(element).get("category_depth")
            builder.heading(int(depth or 0), text)
        else:
            builder.paragraph(text, page, _KINDS.get(kind))
    stated = (_metadata(element).get("languages") for element in elements)
    languages = {str(tag) for tags in stated if isinstance(tags, list) for tag in tags}
    builder.language = languages.pop() if len(languages) == 1 else None
    return builder.build(None, source)


def _metadata(element: Mapping[str, Any]) -> Mapping[str, Any]:
    found = element.get("metadata") or {}
    if not isinstance(found, Mapping):
        raise TypeError("not an object")
    return found
