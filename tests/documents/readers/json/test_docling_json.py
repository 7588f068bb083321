import json
from typing import Any

import pytest

from longsum.common.errors import LongsumError
from longsum.documents.readers import read_bytes

_SENTENCE = "The river rises in the hills and flows for a hundred miles."


def _docling(*texts: dict[str, Any], **parts: Any) -> bytes:
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


def _header(text: str, level: int = 1) -> dict[str, Any]:
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


@pytest.mark.parametrize(
    "parts",
    [
        {"body": {"children": [{"$ref": "#/texts/9"}]}},
        {"body": {"children": [{"$ref": "elsewhere"}]}},
        {"body": {"children": 3}},
        {"texts": [3]},
    ],
)
def test_other_forms_are_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(LongsumError, match="not of the form that longsum reads"):
        read_bytes(_docling({"text": _SENTENCE}, **parts), "a.json")


def test_items_that_contain_each_other_are_read_once() -> None:
    group = {"label": "list", "children": [{"$ref": "#/groups/0"}, {"$ref": "#/texts/0"}]}
    document = read_bytes(_docling({"text": _SENTENCE}, groups=[group]), "a.json")
    assert document.text == _SENTENCE


def test_a_level_that_is_no_number_is_refused() -> None:
    data = _docling(_header("Springs", 2), {"text": _SENTENCE})
    with pytest.raises(LongsumError, match="not of the form"):
        read_bytes(data.replace(b'"level": 2', b'"level": 1e999'), "a.json")
