import pytest

from document_views import outline, sentences
from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import load

from ..conftest import section

_PAPER = {
    "article_id": "PMC1",
    "article_text": ["first one . with a dot", "second ."],
    "abstract_text": ["<S> we show it . </S>", "<S> it works . </S>"],
    "labels": None,
    "section_names": ["introduction", "results"],
    "sections": [["first one . with a dot"], ["second ."]],
}


@pytest.mark.parametrize(
    ("name", "file"),
    [
        *(("pubmed", "pubmed-dataset/val.txt"), ("arxiv", "arxiv-release/val.txt")),
        *(("arxiv", "val.jsonl"), ("arxiv", "val.json")),
    ],
)
def test_papers_keep_sections_and_sentences(tmp_path, write_lines, name, file) -> None:
    write_lines(tmp_path / file, [_PAPER])
    (example,) = load(name, "validation", root=tmp_path)
    assert example.id == "PMC1"
    assert outline(example.document) == [(1, "introduction"), (1, "results")]
    assert sentences(example.document) == _PAPER["article_text"]
    assert example.references == ("we show it .\nit works .",)
    assert dict(example.extra) == {"labels": None}


def test_a_paper_without_sections_has_its_sentences(tmp_path, write_lines) -> None:
    write_lines(tmp_path / "test.txt", [_PAPER | {"section_names": [""], "sections": [[]]}])
    (example,) = load("arxiv", "test", root=tmp_path)
    assert sentences(example.document) == _PAPER["article_text"]


def test_names_and_sections_of_different_number_are_an_error(tmp_path, write_lines) -> None:
    write_lines(tmp_path / "test.txt", [_PAPER | {"section_names": ["one"]}])
    with pytest.raises(LongsumError, match="A record of 'pubmed' does not have the form"):
        next(load("pubmed", "test", root=tmp_path))


@pytest.mark.parametrize("folder", ["bigPatentData", "bigPatentDataNonTokenized", "."])
def test_patents_by_class_and_file(tmp_path, write_lines, folder) -> None:
    patent = {
        "application_number": "US-1",
        "abstract": "A device.",
        "description": "BACKGROUND OF THE INVENTION\nDevices exist. They fail.\nDETAILS\nMore.",
    }
    for file, number in (("h/data_0", "US-3"), ("a/data_1", "US-2"), ("a/data_0", "US-1")):
        path = tmp_path / folder / "val" / f"{file}.gz"
        write_lines(path, [patent | {"publication_number": number}])
    examples = list(load("bigpatent", "validation", root=tmp_path))
    assert [(example.id, example.extra["class"]) for example in examples] == [
        ("US-1", "a"),
        ("US-2", "a"),
        ("US-3", "h"),
    ]
    first = examples[0]
    assert first.references == ("A device.",)
    assert outline(first.document) == [(1, "BACKGROUND OF THE INVENTION"), (1, "DETAILS")]
    assert sentences(first.document) == ["Devices exist.", "They fail.", "More."]
    assert first.extra == {"application_number": "US-1", "class": "a"}


_BILL = {"text": "SECTION 1. SHORT TITLE.\n\nThis Act is short.", "summary": "Short.", "title": "A"}


@pytest.mark.parametrize(
    ("split", "file", "key"),
    [
        ("train", "us_train_data_final_OFFICIAL.jsonl", "bill_id"),
        ("us_train", "us_train_data_final_OFFICIAL.jsonl", "bill_id"),
        ("test", "us_test_data_final_OFFICIAL.jsonl", "bill_id"),
        ("ca_test", "ca_test_data_final_OFFICIAL.jsonl", "external_id"),
        ("us_test", "us_test.jsonl", "bill_id"),
        ("test", "test.jsonl", "bill_id"),
    ],
)
def test_bills(tmp_path, write_lines, split: str, file: str, key: str) -> None:
    write_lines(tmp_path / file, [_BILL | {key: "110_hr37", "text_len": 40}])
    (example,) = load("billsum", split, root=tmp_path)
    assert example.id == "110_hr37"
    assert example.split == split.removeprefix("us_")
    assert example.document.title == "A"
    assert "This Act is short." in sentences(example.document)
    assert example.references == ("Short.",)
    assert example.extra == {key: "110_hr37", "text_len": 40}


def test_bills_without_an_id_are_numbered(tmp_path, write_lines) -> None:
    write_lines(tmp_path / "train.jsonl", [_BILL, _BILL])
    found = [example.id for example in load("billsum", "train", root=tmp_path)]
    assert found == ["train_0", "train_1"]


def test_sections_of_all_levels_and_the_lead(tmp_path, write_lines) -> None:
    school = section("School", "She learned.")
    record = {
        "id": 7,
        "report": section("", subsections=(section("Life", "Born.", subsections=(school,)),)),
        "summary": ["Ada was a poet.", "She counted."],
        "born": 1815,
    }
    write_lines(tmp_path / "wikibiosum/valid.jsonl", [record])
    (example,) = load("wikibiosum", "validation", root=tmp_path)
    assert example.extra == {"born": 1815}
    assert (example.id, example.references) == ("7", ("Ada was a poet.\nShe counted.",))
    assert outline(example.document) == [(1, "Life"), (2, "School")]
