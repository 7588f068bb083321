import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.common.errors import LongsumError
from longsum.documents import Document, DocumentBuilder, Source
from longsum.documents.document_json import SCHEMA, document_from_json, document_to_json
from longsum.documents.model import Evidence


def _document() -> Document:
    builder = DocumentBuilder()
    builder.inferred_heading(1, "One", Evidence(0.5, ("bold", "numbered")))
    builder.lines([("First here. Second here.", 1)])
    builder.heading(2, "Deeper")
    builder.lines([("Third here.", 2)])
    builder.heading(1, "Two")
    builder.lines([("Fourth here.", 2)])
    builder.omit("table", "A\tB\nC\tD", 3)
    builder.warnings.append("Something was left out.")
    return builder.build("Title", Source("file.pdf", "pdf"))


def test_the_form() -> None:
    data = document_to_json(_document())
    assert data["schema"] == SCHEMA == "longsum/document/1"
    assert data["source"] == {"name": "file.pdf", "format": "pdf"}
    assert data["sections"][1] == {
        "number": 1,
        "parent": 0,
        "level": 2,
        "title": "Deeper",
        "start": 38,
        "end": 57,
    }
    # "Title" 0–5, "One" 7–10, "First here." 12–23, "Second here." 24–36, "Deeper" 38–44,
    # "Third here." 46–57.
    assert data["paragraphs"][0] == {
        "section": 0,
        "sentences": [{"start": 12, "end": 23, "page": 1}, {"start": 24, "end": 36, "page": 1}],
    }
    assert "Something was left out." in data["warnings"]
    assert data["sections"][0]["evidence"] == {"confidence": 0.5, "signs": ["bold", "numbered"]}
    assert data["omitted"] == [{"kind": "table", "text": "A\tB\nC\tD", "place": 76, "page": 3}]


# Where a document file is changed, and what stands there instead: `...` for nothing.
_DAMAGES = [
    ("source", ...),
    ("paragraphs", ...),
    ("sections", 2, {"title": "", "start": 46}),
    ("text", ["a"]),
    ("text", "Title"),
    ("text", "\x1b[31m" + "x" * 90),
    ("text", "\ud800" + "x" * 90),
    ("title", 3),
    ("title", "Other"),
    ("sections", 1, "title", "Other"),
    ("title", "a\nb"),
    ("text", "Title\u200b" + "x" * 90),
    ("source", "name", None),
    ("sections", {}),
    ("sections", 0, 5),
    ("sections", 0, "number", 1),
    ("sections", 0, "parent", 2),
    ("sections", 2, "parent", 1),
    ("sections", 1, "parent", 1),
    ("sections", 1, "level", 1),
    ("sections", 0, "level", True),
    ("sections", 0, "title", None),
    ("sections", 0, "start", -1),
    ("sections", 2, "end", 10_000),
    ("sections", 0, "end", 40),
    ("sections", 2, "start", 30),
    ("paragraphs", 1, "section", 0),
    ("sections", 0, "start", 7.5),
    ("paragraphs", 0, "section", 3),
    ("paragraphs", 0, "section", -1),
    ("paragraphs", 0, "sentences", []),
    ("paragraphs", 0, "sentences", 0, "end", 12),
    ("paragraphs", 2, "sentences", 0, "end", 10_000),
    ("paragraphs", 0, "sentences", 1, "end", 50),
    ("paragraphs", 0, "sentences", 1, "start", 20),
    ("paragraphs", 0, "sentences", 0, "end", 24),
    ("paragraphs", 0, "sentences", 0, "page", 0),
    ("paragraphs", 0, "sentences", 0, "page", "1"),
    ("omitted", 0, "place", 77),
    ("omitted", 0, "place", -1),
    ("omitted", 0, "page", 0),
    ("omitted", 0, "text", "A\tB\nC\x1b[31m"),
    ("omitted", 0, "kind", "a\nb"),
    ("sections", 0, "evidence", "confidence", 1.01),
    ("sections", 0, "evidence", "confidence", -0.1),
    ("sections", 0, "evidence", "confidence", True),
    ("sections", 0, "evidence", "signs", ["a\nb"]),
    ("sections", 0, "evidence", "signs", "bold"),
    ("warnings", "abc"),
    ("warnings", [None]),
]


def test_names_and_warnings_of_a_file_are_not_obeyed() -> None:
    data = document_to_json(_document())
    data["source"]["name"] = "photo\u202egnp.exe"
    data["warnings"] = ["Left\x1b[2J out\u2066."]
    document = document_from_json(data)
    assert document.source.name == "photognp.exe"
    assert document.warnings == ("Left out.",)


@pytest.mark.parametrize("damage", _DAMAGES, ids=str)
def test_a_damaged_file_is_refused(damage: tuple) -> None:
    data = holder = document_to_json(_document())
    *way, key, value = damage
    for step in way:
        holder = holder[step]
    if value is ...:
        del holder[key]
    else:
        holder[key] = holder[key] | value if isinstance(value, dict) and value else value
    with pytest.raises(LongsumError, match="document file is damaged"):
        document_from_json(data)


@pytest.mark.parametrize("data", [None, 3, "text", [], {}, {"schema": SCHEMA}])
def test_data_without_a_document_are_refused(data) -> None:
    with pytest.raises(LongsumError, match="document file is damaged"):
        document_from_json(data)


def test_sections_nested_too_deep_are_refused() -> None:
    rows = [
        {
            "number": n,
            "parent": n - 1 if n else None,
            "level": n + 1,
            "title": "",
            "start": 0,
            "end": 1,
        }
        for n in range(5000)
    ]
    data = document_to_json(_document()) | {"sections": rows, "paragraphs": [], "text": "x"}
    with pytest.raises(LongsumError, match="document file is damaged"):
        document_from_json(data)


_VALUES = st.none() | st.booleans() | st.integers(-3, 80) | st.text(max_size=4) | st.just([])


@given(data=st.data())
@settings(max_examples=examples(240), derandomize=True)
def test_any_change_is_refused_or_gives_a_valid_document(data: st.DataObject) -> None:
    values = copy.deepcopy(document_to_json(_document()))
    for _ in range(data.draw(st.integers(1, 3))):
        holder = values
        while True:
            keys = sorted(holder) if isinstance(holder, dict) else range(len(holder))
            key = data.draw(st.sampled_from(keys))
            if isinstance(holder[key], dict | list) and holder[key] and data.draw(st.booleans()):
                holder = holder[key]
            else:
                holder[key] = data.draw(_VALUES)
                break
    try:
        document = document_from_json(values)
    except LongsumError:
        return
    reached = 0
    for sentence in document.sentences:
        assert document.text[sentence.start : sentence.end] == sentence.text
        assert sentence.start >= reached
        reached = sentence.end
    assert [section.number for section in document.walk()] == list(range(len(document.walk())))
