import json

import pytest

from longsum.common.errors import LongsumError
from longsum.documents import Document, DocumentBuilder, Source
from longsum.documents.document_json import document_to_json
from longsum.documents.readers import read_bytes
from longsum.documents.readers.json.json import document_from_record, holds_json, read_json
from tables import rows


def _read(value) -> Document:
    return read_json(json.dumps(value), Source("a.json", "json"))


def _texts(document: Document) -> list[list[str]]:
    return [[sentence.text for sentence in paragraph] for paragraph in document.paragraphs]


def test_sections() -> None:
    document = _read(
        {
            "title": "T",
            "sections": [
                {"level": 1, "title": "A", "paragraphs": ["One here. Two here.", "Three."]},
                {"level": 2, "title": "A1", "paragraphs": []},
                {"level": 1, "title": None, "paragraphs": ["Four."]},
                {"title": "No level", "paragraphs": ["Five."]},
                {"level": 2.0, "title": "No paragraphs"},
            ],
        }
    )
    assert document.title == "T"
    assert [(section.level, section.title) for section in document.walk()] == [
        *((1, "A"), (2, "A1"), (1, ""), (1, "No level"), (2, "No paragraphs"))
    ]
    assert _texts(document) == [["One here.", "Two here."], ["Three."], ["Four."], ["Five."]]


def test_a_text_is_read_as_a_plain_text_file_is() -> None:
    text = "1. Aims\n\nOne.\n\n2. Means\n\nTwo."
    for record in ({"title": "T", "text": text}, {"text": f"A TITLE\n\n{text}"}):
        document = _read(record)
        assert document.title == record.get("title", "A TITLE")
        assert [section.title for section in document.sections] == ["1. Aims", "2. Means"]


@pytest.mark.parametrize(
    ("record", "texts"),
    rows(__file__, "sentences_that_a_record_divides"),
    ids=["a paragraph a sentence", "a sentence a line"],
)
def test_sentences_that_a_record_divides(record, texts: list[list[str]]) -> None:
    assert _texts(_read(record)) == texts


def test_a_document_survives_a_round_trip_through_its_file() -> None:
    builder = DocumentBuilder()
    builder.heading(1, "A")
    builder.lines([("One.", 4)])
    document = builder.build("T", Source("b.pdf", "pdf"))
    assert _read(document_to_json(document)) == document
    with pytest.raises(LongsumError, match="document file is damaged"):
        _read({"schema": "longsum/document/1", "text": "x"})


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.txt"])
def test_of_several_documents_none_is_taken(name: str) -> None:
    # U+2028 may stand in a JSON text and ends no line of such a file.
    lines = '{"text": "One.\u2028Two."}\n{"text": "Three."}\n'
    (alone,) = read_bytes(lines.partition("\n")[2].encode(), "a.jsonl").sentences
    assert alone.text == "Three."
    with pytest.raises(LongsumError, match=rf"{name} contains 2 documents, one per line; give one"):
        read_bytes(lines.encode(), name)


@pytest.mark.parametrize(
    "text", ["{", '{"text": "a"', "{'text': 'a'}", "[" * 100_000, '{"a":' * 50_000, "[1,]"]
)
def test_invalid_json(text: str) -> None:
    with pytest.raises(LongsumError, match=r"a\.json is not valid JSON"):
        read_bytes(text.encode(), "a.json")
    for empty in (b'{"sections": []}', b'{"text": ""}'):
        with pytest.raises(LongsumError, match="has no sentences"):
            read_bytes(empty, "a.json")


@pytest.mark.parametrize(
    "value",
    [
        *([], ["a text"], {}, {"summary": "x"}, {"text": 3}, {"text": None}),
        {"title": 3, "text": "x"},
        *({"sections": 3}, {"sections": "abc"}, {"sections": {"a": 1}}, {"sections": ["abc"]}),
        *({"sections": [None]}, {"sections": [{"title": 3}]}, {"sections": [{"level": None}]}),
        *({"sections": [{"level": "1"}]}, {"sections": [{"level": float("nan")}]}),
        *({"sections": [{"level": float("inf")}]}, {"sections": [{"paragraphs": "One text."}]}),
        *({"sections": [{"paragraphs": None}]}, {"sections": [{"paragraphs": [3]}]}),
        {"sections": [{"paragraphs": [["a"]]}]},
    ],
)
def test_json_of_another_form(value) -> None:
    with pytest.raises(LongsumError, match=r"a\.json is JSON, but not of the form that"):
        _read(value)
    with pytest.raises(TypeError):
        document_from_record([value], Source())  # type: ignore[arg-type]


def test_messages_and_fields_of_any_json_are_read_in_their_order() -> None:
    said = [("ana", "Does it run?"), ("ben", "Yes."), ("ana", "Good."), ("ben", "I tried it.")]
    thread = [{"user": {"login": who}, "body": text, "id": 3} for who, text in said]
    ticket = {
        "id": "x-1",
        "subject": "Printer",
        "state": "open",
        "notes": "It stands on floor three of the old building.\n",
    }
    document = _read({"ticket": ticket | {"comments": thread}})
    assert document.title == "Printer"
    found = [(each.speaker, each.text) for each in document.sentences]
    assert found == [("", ticket["notes"].strip()), *said]
    for name, speaker in ((60 * "n", "ana"), (61 * "n", "")):
        named = [{"user": who.replace("ben", name), "body": text} for who, text in said]
        assert _read(named).sentences[0].speaker == speaker
    assert document.warnings[0].startswith("No reader knows this kind of JSON")


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_the_texts_of_a_table_are_read_row_by_row(sign: str) -> None:
    notes = ["It stands on floor three of the old building.", "It is blue."]
    table = "\n".join(sign.join(row) for row in [("no", "note"), ("1", notes[0]), ("2", notes[1])])
    assert [each.text for each in read_bytes(table.encode(), "a.csv").sentences] == notes
    with pytest.raises(LongsumError, match=r"a\.csv is a table without sentences; 'longsum table "):
        read_bytes(f"no{sign}height\n1{sign}3".encode(), "a.csv")


def test_a_notebook_is_its_text_with_the_code_left_out() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Rain\n", "\n", "It fell.\n", "\n", "It rose.\n"]},
        {"cell_type": "code", "source": "x = 1\n```", "outputs": [{"text": "One fell."}]},
        {"cell_type": "markdown", "source": "## Snow\n\nIt lay."},
    ]
    document = _read({"nbformat": 4, "cells": cells})
    assert [each.text for each in document.sentences] == ["It fell.", "It rose.", "It lay."]
    assert (document.title, document.sections[1].title) == ("Rain", "Snow")
    assert [(each.kind, each.text) for each in document.omitted] == [("code block", "x = 1\n```")]


def test_a_level_of_any_size() -> None:
    levels = [{"level": level, "title": "A", "paragraphs": ["x."]} for level in (10**400, -1, 0)]
    assert [section.level for section in _read({"sections": levels}).walk()] == [1, 1, 2]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        *(('{"a": 1}', True), ('[\n{"a": 1},\n{"b": 2}\n]', True), ('{\n"a":\n{"b": 2}}', True)),
        *(('{"a": 1}\n{"b": 2}', True), ('{"a": 1}\n{"b": ', True)),
        *(("[1] A reference.\n{see there}", False), ("{a brace} opens it.", False)),
        *(("[" * 100_000, False), ("", False)),
    ],
)
def test_holds_json(text: str, holds: bool) -> None:
    assert holds_json(text) is holds


@pytest.mark.parametrize(
    "name", ["speaker", "author", "user", "username", "sender", "from", "by", "role"]
)
def test_the_speaker_of_a_text_may_have_many_field_names(name: str) -> None:
    said = [{name: "Ann", "text": "It rains."}, {name: "Ben", "text": "It snows."}]
    document = read_bytes(json.dumps({"log": said}).encode(), "a.json")
    assert [each.text for each in document.sentences] == [
        *("Ann: It rains.", "Ben: It snows."),
    ]


@pytest.mark.parametrize(
    "name", ["text", "content", "body", "message", "transcript", "utterance", "comment"]
)
def test_a_text_is_read_however_short_by_many_names(name: str) -> None:
    rows = [{name: "Rain", "colour": "Blue", "title": "Today"}]
    document = read_bytes(json.dumps({"log": rows}).encode(), "a.json")
    assert [each.text for each in document.sentences] == ["Rain"]


@pytest.mark.parametrize("name", ["title", "subject", "heading", "headline"])
def test_a_title_has_many_names(name: str) -> None:
    document = read_bytes(json.dumps({"log": [{name: "Today", "text": "Rain"}]}).encode(), "a.json")
    assert (document.title, document.text) == ("Today", "Today\n\nRain")
