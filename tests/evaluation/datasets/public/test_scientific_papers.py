from pathlib import Path

import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import load

_PAPER = {
    "article_id": "PMC1",
    "article_text": ["first one . with a dot", "second ."],
    "abstract_text": ["<S> we show it . </S>", "<S> it works . </S>"],
    "labels": None,
    "section_names": ["introduction", "results"],
    "sections": [["first one . with a dot"], ["second ."]],
}


@pytest.mark.parametrize(("name", "folder"), [("pubmed", "pubmed-dataset"), ("arxiv", "")])
def test_papers_keep_sections_and_sentences(
    tmp_path: Path, write_lines, name: str, folder: str
) -> None:
    write_lines(tmp_path / folder / "val.txt", [_PAPER])
    (example,) = load(name, "validation", root=tmp_path)
    assert example.id == "PMC1"
    assert [section.title for section in example.document.walk()] == ["introduction", "results"]
    assert [sentence.text for sentence in example.document.sentences] == _PAPER["article_text"]
    assert example.references == ("we show it .\nit works .",)
    assert dict(example.extra) == {"labels": None}


def test_a_paper_without_sections_has_its_sentences(tmp_path: Path, write_lines) -> None:
    write_lines(tmp_path / "test.txt", [_PAPER | {"section_names": [""], "sections": [[]]}])
    (example,) = load("arxiv", "test", root=tmp_path)
    assert [sentence.text for sentence in example.document.sentences] == _PAPER["article_text"]


def test_names_and_sections_of_different_number_are_an_error(tmp_path: Path, write_lines) -> None:
    write_lines(tmp_path / "test.txt", [_PAPER | {"section_names": ["one"]}])
    with pytest.raises(LongsumError, match="A record of 'pubmed' does not have the form"):
        next(load("pubmed", "test", root=tmp_path))
