import pytest

from document_views import sentences, texts
from longsum.evaluation.datasets import load
from longsum.evaluation.datasets.info import hash_split


def test_sections_references_and_extra(tmp_path, write_lines) -> None:
    record = {
        "id": "q1",
        "domain": "academic",
        "sections": [{"level": 1, "title": "Start", "paragraphs": ["A: Hello there. Go on."]}],
        "title": "A meeting",
        "text": "Not read.",
        "paragraph_unit": "sentence",
        "summary": "They met.",
        "summaries": ["They met.", " ", " Hello. "],
        "license": "CC0",
        "general_queries": [{"query": "Sum up.", "answer": "They met."}],
        "split": "train",
        "source": "github:somewhere",
    }
    write_lines(tmp_path / "qmsum/train.jsonl.xz", [record])
    plain = {"summaries": [], "license": None, "paragraph_unit": None}
    write_lines(tmp_path / "qmsum/train.jsonl.xz", [record, record | plain])
    example, other = load("qmsum", "train", root=tmp_path)
    assert (example.id, example.document.title) == ("q1", "A meeting")
    assert example.references == ("They met.", "Hello.")
    assert (example.split, example.license) == ("train", "CC0")
    assert dict(example.extra) == {
        "domain": "academic",
        "general_queries": record["general_queries"],
        "source": "github:somewhere",
    }
    assert [section.title for section in example.document.walk()] == ["Start"]
    assert sentences(example.document) == ["A: Hello there. Go on."]
    assert sentences(other.document) == ["A: Hello there.", "Go on."]
    assert (other.references, other.license) == (("They met.",), "MIT")


@pytest.mark.parametrize(
    ("name", "title", "text", "expected_title", "expected"),
    [
        # The title is also the first line.
        ("squality", "THE PLAGUE", "THE PLAGUE\n\nBy T. Keller", "THE PLAGUE", ["By T. Keller"]),
        # The "title" is the start of the running text.
        ("squality", "One of", "One of two.\n\nTwo.", "", ["One of two.", "Two."]),
        # Speech in capitals is no heading; lines within a paragraph are joined.
        ("squality", "", '"YES!\nCOMING!"\n\nOne.', "", ['"YES! COMING!"', "One."]),
        # A turn a line is a paragraph each.
        ("dialogsum", "", "#A#: Hi, you\n#B#: Bye. Bye.", "", ["#A#: Hi, you", "#B#: Bye. Bye."]),
    ],
)
def test_text_without_sections(
    tmp_path, write_lines, name, title, text, expected_title, expected
) -> None:
    record = {"id": "1", "title": title, "text": text, "summary": "s"}
    write_lines(tmp_path / name / "test.jsonl.xz", [record])
    (example,) = load(name, "test", root=tmp_path)
    assert example.document.title == expected_title
    assert texts(example.document) == expected
    assert all(section.title == "" for section in example.document.walk())


def test_known_sentences_are_not_split_again(tmp_path, write_lines) -> None:
    record = {
        "id": "1",
        "text": "One. Two.\nThree.",
        "sentences": ["One. Two.", "Three."],
        "source_labels": [0, 1],
        "summary": "s",
    }
    write_lines(tmp_path / "scitldr_a/train.jsonl.xz", [record])
    (example,) = load("scitldr_a", "train", root=tmp_path)
    assert sentences(example.document) == ["One. Two.", "Three."]
    assert dict(example.extra) == {"source_labels": [0, 1]}


def test_sets_without_splits_are_split_by_hash(tmp_path, write_lines) -> None:
    ids = [f"meeting {number}" for number in range(60)]
    write_lines(
        tmp_path / "ami/meetings.jsonl.xz",
        [{"id": id, "text": "One.", "summary": "s"} for id in ids],
    )
    parts = {
        split: [example.id for example in load("ami", split, root=tmp_path)]
        for split in ("train", "validation", "test")
    }
    assert sorted(id for part in parts.values() for id in part) == sorted(ids)
    assert all(hash_split(id) == split for split, part in parts.items() for id in part)


def test_examples_without_a_summary_are_left_out(tmp_path, write_lines) -> None:
    section = {"level": 1, "title": "", "paragraphs": ["One."]}
    papers = [
        {"id": "a", "sections": [section], "summary": ""},
        {"id": "b", "sections": [section], "summary": "s"},
        {"id": "c", "sections": [], "summary": "s"},
    ]
    write_lines(tmp_path / "scisummnet/train.jsonl.xz", papers)
    assert [example.id for example in load("scisummnet", "train", root=tmp_path)] == ["b"]
