from pathlib import Path

import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import load
from longsum.evaluation.datasets.question_sets import question_trees


def _section(title: str | None, *paragraphs: str, subsections: tuple = ()) -> dict:
    return {
        "section_title": title,
        "paragraphs": list(paragraphs),
        "subsections": list(subsections),
    }


def _question(question: str, answer: str, *children: dict) -> dict:
    return {"question": question, "answer": answer, "child_questions": list(children)}


_NESTED = {
    "sample_id": "GAO-1_2",
    "section": _section(
        "",
        subsections=(_section("Market", subsections=(_section("Prices", "They rose.", "Much."),)),),
    ),
    "questions": [
        _question(
            "Who sells?",
            "Shops sell. Brokers sell.",
            _question("Why?", "It pays.", _question("How much?", "A lot.")),
            _question("Where?", "Brokers sell. Online."),
        ),
        _question("Who buys?", "People buy."),
    ],
}
_COLUMNS = {
    "doc_id": "GAO-1",
    "summary_paragraph_index": 2,
    "document_sections": {
        "title": ["Market", "Prices"],
        "paragraphs": ["", "They rose.\nMuch."],
        "depth": [1, 2],
    },
    "question_summary_pairs": {
        "question": ["Who sells?", "Why?", "How much?", "Where?", "Who buys?"],
        "summary": [
            "Shops sell. Brokers sell.",
            "It pays.",
            "A lot.",
            "Brokers sell. Online.",
            "People buy.",
        ],
        "parent_pair_index": [-1, 0, 1, 0, -1],
    },
}


@pytest.mark.parametrize(
    ("folder", "record", "id"),
    [("gov-report-qs", _NESTED, "GAO-1_2_0"), (".", _COLUMNS, "GAO-1_2_0")],
)
def test_both_forms_give_the_same(
    tmp_path: Path, write_lines, folder: str, record: dict, id: str
) -> None:
    write_lines(tmp_path / folder / "valid.jsonl", [record])
    (example,) = load("govreport_qs", "validation", root=tmp_path)
    assert example.id == id
    assert [(section.level, section.title) for section in example.document.walk()] == [
        (1, "Market"),
        (2, "Prices"),
    ]
    assert len(list(example.document.paragraphs)) == 2
    (tree,) = question_trees(example)
    assert [(level, question.question) for level, question in tree.walk()] == [
        (1, "Who sells?"),
        (2, "Why?"),
        (3, "How much?"),
        (2, "Where?"),
        (1, "Who buys?"),
    ]
    # "Brokers sell." answers two questions and stands in the paragraph once.
    assert example.references == (
        "Shops sell.\nBrokers sell.\nIt pays.\nA lot.\nOnline.\nPeople buy.",
    )


def test_paragraphs_of_one_report_have_ids_of_their_own(tmp_path: Path, write_lines) -> None:
    write_lines(tmp_path / "train.jsonl", [_NESTED, _NESTED])
    first, second = load("govreport_qs", "train", root=tmp_path)
    assert first.id != second.id
    assert first.extra["sample_id"] == second.extra["sample_id"] == "GAO-1_2"


def test_a_question_that_follows_from_a_later_one_is_an_error(tmp_path: Path, write_lines) -> None:
    pairs = _COLUMNS["question_summary_pairs"] | {"parent_pair_index": [1, 0, 1, 0, -1]}
    write_lines(tmp_path / "train.jsonl", [_COLUMNS | {"question_summary_pairs": pairs}])
    with pytest.raises(LongsumError, match="follows from a later one"):
        next(load("govreport_qs", "train", root=tmp_path))
