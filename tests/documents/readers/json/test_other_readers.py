import json

import pytest

from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.readers import read_bytes
from tables import rows

_SENTENCE = "The river rises in the hills and flows for a hundred miles."


def _docling(*texts: dict, **parts) -> bytes:
    """Return a DoclingDocument of texts in reading order."""
    children = [{"$ref": f"#/texts/{number}"} for number in range(len(texts))]
    value = {
        "schema_name": "DoclingDocument",
        "texts": [{"label": "text", **text} for text in texts],
        "groups": [{"label": "list", "children": children}],
        "body": {"children": [{"$ref": "#/groups/0"}, *parts.pop("after", [])]},
        **parts,
    }
    return json.dumps(value).encode()


def _header(text: str, level: int = 1) -> dict:
    return {"label": "section_header", "level": level, "text": text}


def _outline(data: bytes) -> list[tuple[int, str]]:
    return [(s.level, s.title) for s in read_bytes(data, "a.json").walk() if s.title]


def test_headers_of_one_level_have_those_of_their_numbers() -> None:
    text = {"text": _SENTENCE}
    titles = ["1 Aims", "1.1 Scope", "Thanks"]
    flat = _docling(text, *(part for title in titles for part in (_header(title), text)))
    assert _outline(flat) == [(1, "1 Aims"), (2, "1.1 Scope"), (1, "Thanks")]
    deep = _docling(text, _header("1.1 Scope"), text, _header("Ways", 2), text)
    assert _outline(deep) == [(1, "1.1 Scope"), (2, "Ways")]


@pytest.mark.parametrize("parts", rows(__file__, "other_forms_are_refused"))
def test_other_forms_are_refused(parts: dict) -> None:
    with pytest.raises(LongsumError, match="not of the form that longsum reads"):
        read_bytes(_docling({"text": _SENTENCE}, **parts), "a.json")
    data = _docling(_header("Springs", 2), {"text": _SENTENCE})
    with pytest.raises(LongsumError, match="not of the form"):
        read_bytes(data.replace(b'"level": 2', b'"level": 1e999'), "a.json")


def test_items_that_contain_each_other_are_read_once() -> None:
    group = {"label": "list", "children": [{"$ref": "#/groups/0"}, {"$ref": "#/texts/0"}]}
    document = read_bytes(_docling({"text": _SENTENCE}, groups=[group]), "a.json")
    assert document.text == _SENTENCE


def test_omitted_parts_keep_their_place_between_texts() -> None:
    parts = {"tables": [{"label": "table", "data": {}}], "pictures": [{"label": "picture"}]}
    shown = [{"$ref": f"#/{name}/0"} for name in parts]
    group = {"label": "list", "children": [*shown, {"$ref": "#/texts/0"}]}
    document = read_bytes(_docling({"text": _SENTENCE}, groups=[group], **parts), "a.json")
    assert document.text == _SENTENCE
    assert [part.kind for part in document.omitted] == ["table", "picture"]


def _element(kind: str, text: str, **metadata) -> dict:
    return {"type": kind, "element_id": "1", "text": text, "metadata": metadata}


def _read(*elements: dict) -> Document:
    return read_bytes(json.dumps(elements).encode(), "a.json")


_LEFT_OUT = {
    "running head": "Header Footer PageNumber Page-header Page-footer",
    "table": "Table TableChunk",
    "picture": "Image Picture",
    "figure": "Figure",
    "caption": "FigureCaption Caption",
    "footnote": "Footnote",
    "formula": "Formula",
    "code block": "CodeSnippet",
    "form field": "FormKeysValues",
}


def test_omitted_texts_of_docling_keep_their_kind() -> None:
    told = {
        "running head": "page_header page_footer",
        "form field": "field_key field_value empty_value checkbox_selected checkbox_unselected",
        **{kind: kind for kind in ("caption", "footnote", "formula")},
        "code block": "code",
    }
    for kind, labels in told.items():
        for label in labels.split():
            part = {"label": label, "text": "It was never read."}
            document = read_bytes(_docling({"text": _SENTENCE}, part), "a.json")
            assert [each.kind for each in document.omitted] == [kind], label
            assert document.text == _SENTENCE


@pytest.mark.parametrize("kind", _LEFT_OUT)
def test_omitted_elements_keep_their_kind(kind: str) -> None:
    for name in _LEFT_OUT[kind].split():
        document = _read(_element("Text", _SENTENCE), _element(name, "It was never read."))
        assert [part.kind for part in document.omitted] == [kind], name
        assert [sentence.text for sentence in document.sentences] == [_SENTENCE]


def test_elements_are_headings_or_text_of_their_kinds() -> None:
    for name in ("Title", "Section-header", "Headline", "Subheadline"):
        document = _read(_element(name, "Springs"), _element("Text", _SENTENCE))
        assert document.title == "Springs"
    kinds = {"ListItem": "list_item", "List-item": "list_item"}
    for name, kind in {**kinds, "Address": "contact", "EmailAddress": "contact"}.items():
        document = _read(_element("Text", _SENTENCE), _element(name, _SENTENCE))
        assert [sentence.kind for sentence in document.sentences] == ["prose", kind], name


def test_titles_of_one_depth_have_those_of_their_numbers() -> None:
    text = _element("NarrativeText", _SENTENCE)
    document = _read(text, _element("Title", "1 Aims"), text, _element("Title", "1.1 Scope"), text)
    assert [s.level for s in document.walk()] == [1, 1, 2]
    for aims, depth in (({}, 0), ({"category_depth": 0}, 1)):
        ways = _element("Title", "Ways", category_depth=depth)
        document = _read(text, _element("Title", "Aims", **aims), text, ways, text)
        assert [s.level for s in document.walk()] == [1, 1, 1 + depth]
    with pytest.raises(LongsumError, match="not of the form that longsum reads"):
        _read(_element("NarrativeText", _SENTENCE), _element("Title", "x") | {"metadata": 3})


@pytest.mark.parametrize("element", [3, {"type": "Title"}])
def test_a_list_with_other_elements_is_read_as_any_json(element) -> None:
    document = _read(_element("NarrativeText", _SENTENCE), element)
    assert document.sentences[0].text == _SENTENCE
    assert document.warnings[0].startswith("No reader knows this kind of JSON")
