"""Output to be judged, from longsum's own files and others'."""

import json

import pytest

from longsum.common.errors import LongsumError
from longsum.core.library import summarize
from longsum.documents.readers import read_bytes
from longsum.lab.studies.candidates import parse_candidates

TREE = [{"question": "What?", "answer": "This.", "children": [{"question": "Why?", "answer": ""}]}]


def test_result_files_and_lines_of_them_say_the_same():
    document = read_bytes(
        b"# Boats\n\nBoats float on water. Some of them sink. Most do not.", "b.md"
    )
    result = summarize(document, length="2s", system="lead").to_dict()
    (alone,) = parse_candidates(json.dumps(result, indent=1), "lead.json")
    line = {"id": "b-1", "system": "mine", "summary": result}
    (named,) = parse_candidates(json.dumps(line) + "\n", "lines.jsonl")
    assert alone.document == alone.sha256 == named.sha256 == document.sha256
    assert alone.sentences == named.sentences == ("Boats float on water.", "Some of them sink.")
    assert (named.document, named.system, alone.system) == ("b-1", "mine", "lead")
    assert alone.words == 8


def test_texts_and_trees_of_others():
    lines = [
        {"id": "a", "system": "x", "summary": "One is. Two are.\nThree"},
        {"id": "a", "system": "y", "tree": TREE},
    ]
    text, tree = parse_candidates("\n\n".join(map(json.dumps, lines)), "lines.jsonl")
    assert text.sentences == ("One is.", "Two are.", "Three")
    assert [(level, pair.question) for level, pair in tree.tree.walk()] == [
        (1, "What?"),
        (2, "Why?"),
    ]


def test_nodes_of_a_result_file_are_a_tree():
    nodes = [
        {"parent": parent, "title": title, "asks": asks, "text": title.upper()}
        for parent, title, asks in [(None, "a", ""), (0, "b", "B?"), (1, "c", ""), (0, "d", "")]
    ]
    value = {
        "schema": "longsum/questions/1",
        "document": {"title": "T", "sha256": "12"},
        "system": "x",
        "nodes": nodes,
    }
    (made,) = parse_candidates(json.dumps(value), "tree.json")
    walked = [(level, pair.question, pair.answer) for level, pair in made.tree.walk()]
    assert walked == [(1, "a", "A"), (2, "b [B?]", "B"), (3, "c", "C"), (2, "d", "D")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "3",
        "no JSON",
        "{}",
        '{"id": 3, "system": "x", "summary": "A."}',
        '{"id": "a", "system": "", "summary": "A."}',
        '{"id": "a", "system": "x", "summary": {"schema": 1}}',
        '{"schema": "longsum/questions/1", "document": {"title": "", "sha256": "1"}, "system": "x",'
        ' "nodes": [{"parent": 0, "title": "a", "asks": "", "text": ""}]}',
        "[" * 100_000,
    ],
)
def test_other_files_are_refused_in_a_sentence(text):
    with pytest.raises(LongsumError, match=r"^given\.json "):
        parse_candidates(text, "given.json")
