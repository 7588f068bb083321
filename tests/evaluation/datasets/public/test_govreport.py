import json
from pathlib import Path

import pytest

from document_views import outline, sentences
from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import load
from longsum.evaluation.datasets.dataset_statistics import AspectStatistics, aspect_statistics
from longsum.evaluation.datasets.info import labelled_references
from longsum.evaluation.datasets.public.govreport import nested_sections
from longsum.evaluation.datasets.question_sets import question_trees

from ..conftest import section


@pytest.fixture
def release(tmp_path: Path, write_text) -> Path:
    """The authors' release with one report of each agency."""
    folder = tmp_path / "gov-report"
    crs = {
        "id": "R1",
        "title": "Tickets",
        "released_date": "2020",
        "reports": section(
            None,
            "Preface.",
            subsections=(section("Market", "One.", subsections=(section("Prices", "Two."),)),),
        ),
        "summary": ["First paragraph.", "Second paragraph."],
    }
    gao = {
        "id": "GAO-1",
        "title": "Grants",
        "url": "u",
        "report": [section("Background", "One."), section("Conclusions", "Two.")],
        "highlight": [
            section("Why GAO Did This Study", "Because."),
            section("What GAO Found", "This."),
            section("What GAO Recommends", "That."),
        ],
    }
    write_text(folder / "crs/R1.json", json.dumps(crs))
    write_text(folder / "gao/GAO-1.json", json.dumps(gao))
    write_text(folder / "split_ids/crs_valid.ids", "R1\n")
    write_text(folder / "split_ids/gao_valid.ids", "GAO-1\n")
    return tmp_path


def test_release_keeps_the_section_tree(release: Path) -> None:
    crs, gao = load("govreport", "validation", root=release)
    assert crs.document.title == "Tickets"
    assert outline(crs.document) == [(1, ""), (1, "Market"), (2, "Prices")]
    assert outline(gao.document) == [(1, "Background"), (1, "Conclusions")]
    assert crs.split == "validation"


def test_sections_without_a_title_take_no_level() -> None:
    deep = section("A", "One.", subsections=(section(None, subsections=(section("B"),)),))
    found = [(each["level"], each["title"]) for each in nested_sections([deep, section("C")])]
    assert found == [(1, "A"), (2, "B"), (1, "C")]


def test_release_summaries_leave_recommendations_out(release: Path) -> None:
    crs, gao = load("govreport", "val", root=release)
    assert crs.references == ("First paragraph.\nSecond paragraph.",)
    assert gao.references == ("Because.\nThis.",)
    report = json.loads((release / "gov-report/gao/GAO-1.json").read_text())
    titles = ("Why GAO Did This Study", "What GAO Found", "What GAO Recommends")
    lines = [
        line for pair in zip(titles, ("Because.", "This.", "That."), strict=True) for line in pair
    ]
    assert gao.extra == {
        **{"url": "u", "highlight": report["highlight"], "agency": "gao"},
        "labelled_summary": "\n".join(lines),
    }
    assert crs.extra == {
        **{"released_date": "2020", "summary": ["First paragraph.", "Second paragraph."]},
        **{"agency": "crs", "labelled_summary": "First paragraph.\nSecond paragraph."},
    }
    assert (crs.id, gao.id) == ("R1", "GAO-1")


def test_the_titles_of_a_gao_summary_are_its_aspects(release: Path) -> None:
    crs, gao = load("govreport", "validation", root=release)
    assert labelled_references(crs) == []
    (found,) = labelled_references(gao)
    assert found.texts() == {"why": "Because.", "found": "This.", "recommends": "That."}
    by_aspect = {each.aspect: each for each in aspect_statistics("govreport", "val", root=release)}
    # "Background" and "Conclusions" are one word of two each; "Because.", "This." and "That.".
    assert by_aspect == {
        aspect: AspectStatistics("report", aspect, 1, 1.0, 1.0, share)
        for aspect, share in (("why", 0.5), ("found", 0.5), ("recommends", 0.0))
    }
    record = json.loads((release / "gov-report/gao/GAO-1.json").read_text())
    del record["highlight"][2]
    (release / "gov-report/gao/GAO-1.json").write_text(json.dumps(record))
    *_, none = aspect_statistics("govreport", "val", root=release)
    assert none == AspectStatistics("report", "recommends", 1, 0.0, 0.0, 0.0)


def test_a_missing_report_is_named(release: Path) -> None:
    (release / "gov-report/crs/R1.json").unlink()
    with pytest.raises(LongsumError, match=r"R1\.json is missing"):
        next(load("govreport", "validation", root=release))


@pytest.mark.parametrize(
    "record",
    [
        {"id": "a", "pid": "a_0", "input": "One. Two.", "output": "s"},
        {"id": "a", "document": "One. Two.", "summary": "s"},
        {"id": "a", "report": "One. Two.", "summary": "s"},
    ],
)
def test_flat_forms(tmp_path: Path, write_lines, record: dict) -> None:
    write_lines(tmp_path / "validation.jsonl", [record])
    (example,) = load("govreport", "validation", root=tmp_path)
    assert sentences(example.document) == ["One.", "Two."]
    assert (example.id, example.references) == ("a", ("s",))
    assert example.extra == ({"pid": "a_0"} if "pid" in record else {})
    write_lines(
        tmp_path / "train.jsonl", [{**record, "id": 7}, {"document": "One.", "summary": "s"}]
    )
    assert [each.id for each in load("govreport", "train", root=tmp_path)] == ["7", "1"]


def _question(question: str, answer: str, *children: dict) -> dict:
    return {"question": question, "answer": answer, "child_questions": list(children)}


_NESTED = {
    "sample_id": "GAO-1_2",
    "section": section(
        "",
        subsections=(section("Market", subsections=(section("Prices", "They rose.", "Much."),)),),
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
    ("folder", "record"),
    [("gov-report-qs", _NESTED), ("gov_report_qs", _NESTED), (".", _COLUMNS)],
)
def test_both_forms_give_the_same(tmp_path, write_lines, folder, record) -> None:
    write_lines(tmp_path / folder / "valid.jsonl", [record])
    (example,) = load("govreport_qs", "validation", root=tmp_path)
    assert example.id == "GAO-1_2_0"
    assert outline(example.document) == [(1, "Market"), (2, "Prices")]
    assert len(list(example.document.paragraphs)) == 2
    (tree,) = question_trees(example)
    assert [(level, question.question) for level, question in tree.walk()] == [
        (1, "Who sells?"),
        (2, "Why?"),
        (3, "How much?"),
        (2, "Where?"),
        (1, "Who buys?"),
    ]
    asked = dict(example.extra)
    assert [node["answer"] for node in asked.pop("questions")] == [
        *("Shops sell. Brokers sell.", "People buy."),
    ]
    kept = ("sample_id",) if record is _NESTED else ("doc_id", "summary_paragraph_index")
    assert asked == {name: record[name] for name in kept}
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
