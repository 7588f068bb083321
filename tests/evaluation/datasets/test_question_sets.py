import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from longsum.common.errors import LongsumError
from longsum.documents import Document, DocumentBuilder, builder
from longsum.documents.model import Source
from longsum.evaluation import datasets
from longsum.evaluation.datasets import Example, load
from longsum.evaluation.datasets.question_sets import question_examples, question_trees

ROOT = Path(__file__).parents[3]
HELD_OUT = SimpleNamespace(splits=("validation", "test"))


def _lines(example: Example) -> list[list[tuple[int, str]]]:
    return [
        [(level, question.question) for level, question in tree.walk()]
        for tree in question_trees(example)
    ]


def _query(query: str, *spans: tuple[int, int]) -> dict:
    turns = [[str(first), str(last)] for first, last in spans]
    return {"query": query, "answer": f"About {query}", "relevant_text_span": turns}


@pytest.fixture
def meeting(tmp_path: Path, write_lines) -> Path:
    record = {
        "id": "m",
        "sections": [
            {"level": 1, "title": "Start", "paragraphs": [f"Turn {n}." for n in range(6)]},
            {"level": 1, "title": "End", "paragraphs": [f"Turn {n}." for n in range(6, 10)]},
        ],
        "summary": "All.",
        "general_queries": [
            {"query": " Sum up. ", "answer": "All.\n"},
            {"query": "Decisions?", "answer": "None."},
        ],
        "specific_queries": [
            _query("the start", (0, 5)),
            _query("the start again", (0, 5)),
            _query("what C thought", (1, 2), (4, 4)),
            _query("turn one", (1, 1)),
            _query("across", (4, 7)),
        ],
    }
    write_lines(tmp_path / "qmsum/train.jsonl.xz", [record])
    return tmp_path


def test_queries_are_below_those_whose_turns_contain_theirs(meeting: Path) -> None:
    (example,) = load("qmsum_questions", "train", root=meeting)
    assert _lines(example) == [
        [
            (1, "Sum up."),
            (2, "Decisions?"),
            # Of equal turns neither follows from the other; the first of equals takes what does.
            (2, "the start"),
            (3, "what C thought"),
            (4, "turn one"),
            (2, "the start again"),
            (2, "across"),
        ]
    ]
    ((_, top), *_) = question_trees(example)[0].walk()
    assert top.answer == "All."
    first = example.extra["questions"][0]["children"][1]["children"][0]
    assert first["paragraphs"] == [[1, 2], [4, 4]]
    paragraphs = list(example.document.paragraphs)
    assert [paragraphs[n][0].text for n in (1, 4)] == ["Turn 1.", "Turn 4."]


def test_a_set_and_what_is_derived_from_it_have_the_same_trees(meeting: Path) -> None:
    (parent,) = load("qmsum", "train", root=meeting)
    (derived,) = load("qmsum_questions", "train", root=meeting)
    assert question_trees(parent) == question_trees(derived)
    assert (parent.id, parent.references) == (derived.id, derived.references)
    assert parent.document.text == derived.document.text
    assert derived.document.source.format == "qmsum_questions"


def test_a_story_has_a_tree_for_each_set_of_answers(tmp_path: Path, write_lines) -> None:
    questions = [
        {"question": "What is the plot?", "answers": ["p1", "p2"]},
        {"question": "Who is Ann?", "answers": ["a1", "a2"]},
        {"question": "Where is it?", "answers": ["w1", "w2"]},
    ]
    record = {"id": "s", "text": "Ann slept.", "summaries": ["p1", "p2"], "questions": questions}
    write_lines(tmp_path / "squality/dev.jsonl.xz", [record | {"summary": "p1"}])
    (example,) = load("squality_questions", "validation", root=tmp_path)
    assert (
        _lines(example) == [[(1, "What is the plot?"), (2, "Who is Ann?"), (2, "Where is it?")]] * 2
    )
    answers = [[question.answer for _, question in t.walk()] for t in question_trees(example)]
    assert answers == [["p1", "a1", "w1"], ["p2", "a2", "w2"]]
    assert "paragraphs" not in example.extra["questions"][0]


_ANSWER = "It is so because all of the other ways are worse."


def _proposal(*sections: tuple[int, str, list[str]]) -> dict:
    return {
        "id": "p",
        "title": "P",
        "summary": "s",
        "sections": [
            {"level": level, "title": title, "paragraphs": paragraphs}
            for level, title, paragraphs in sections
        ],
    }


def test_headings_that_ask(tmp_path: Path, write_lines) -> None:
    record = _proposal(
        (1, "Motivation", ["Text.", "More."]),
        (1, "Why is it so?", [_ANSWER, "Second paragraph."]),
        (2, "Details", ["Text."]),
        (3, "Who said so?", [_ANSWER]),
        (2, "Could it be else?", ["Maybe:"]),
        (3, "What if not?", [_ANSWER]),
        (1, "Is that all?", [_ANSWER]),
    )
    write_lines(tmp_path / "python_peps/train.jsonl.xz", [record])
    write_lines(tmp_path / "rust_rfcs/train.jsonl.xz", [_proposal((1, "Unasked", ["Text."]))])
    (example,) = load("question_headings", "train", root=tmp_path)
    assert _lines(example) == [
        [(1, "Why is it so?"), (2, "Who said so?"), (2, "What if not?")],
        [(1, "Is that all?")],
    ]
    paragraphs = list(example.document.paragraphs)
    for node in example.extra["questions"]:
        ((first, last),) = node["paragraphs"]
        assert first == last
        assert " ".join(sentence.text for sentence in paragraphs[first]) == node["answer"]
    assert example.references == ("s",)


@pytest.mark.parametrize(
    ("title", "opening", "counts"),
    [
        ("Why is this?", _ANSWER, True),
        ("What next?", _ANSWER, False),
        ("Why is this", _ANSWER, False),
        ("Why is this?", "one two three four five six seven eight nine ten.", True),
        ("Why is this?", "one two three four five six seven eight nine.", False),
        ("Why is this?", _ANSWER.replace(".", ":"), False),
        ("Why is this?", _ANSWER.replace(".", "?"), False),
        ("Why is this?", _ANSWER.replace(".", '!"'), True),
        ("Why is this?", f"* {_ANSWER}", False),
        ("Why is this?", f"1. {_ANSWER}", False),
        ("Why is this?", f"(a) {_ANSWER}", False),
    ],
)
def test_an_answer_is_a_statement(tmp_path: Path, write_lines, title, opening, counts) -> None:
    record = _proposal((1, title, [opening]), (1, "Is there another one?", [_ANSWER]))
    write_lines(tmp_path / "rust_rfcs/test.jsonl.xz", [record])
    (example,) = load("rust_rfcs", "test", root=tmp_path)
    assert len(question_trees(example)) == 1 + counts


def test_a_set_without_questions_names_those_that_have_some(example: Document) -> None:
    other = Example("1", example, ("s",), "train", "", {})
    with pytest.raises(
        LongsumError,
        match=r"no question trees.* govreport_qs, planted, planted_far, qmsum_questions",
    ):
        question_trees(other)


@pytest.mark.data
@pytest.mark.slow
def test_the_figures_in_the_docs_are_what_their_code_prints(capsys, monkeypatch) -> None:
    # The trees of the training splits take three quarters of the time, and are made the same way.
    monkeypatch.setattr(datasets, "dataset_info", lambda _: HELD_OUT)
    # Kinds of sentences take half of the rest, and no tree knows them.
    monkeypatch.setattr(builder, "with_kinds", lambda document, *_: document)
    page = (ROOT / "docs/data/questions.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(code, "questions.md", "exec"), {})
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 6
    assert set(rows) <= set(page.splitlines())


def _node(question: str, answer: str, *children: dict) -> dict:
    return {"question": question, "answer": answer, "children": list(children)}


def test_a_question_of_several_trees_has_several_answers() -> None:
    trees = [
        _node("What?", "It closed.", _node("When?", "In May.")),
        _node("What?", "The port closed.", _node("Why?", "It was old.")),
    ]
    builder = DocumentBuilder()
    builder.paragraph("The port closed in May. It was old.")
    document = builder.build(source=Source("port.txt", "squality_questions"))
    example = Example("port", document, ("The whole.",), "test", "CC0-1.0", {"questions": trees})
    found = list(question_examples([example]))
    assert [(item.id, item.question, item.references) for item in found] == [
        ("port#1", "What?", ("It closed.", "The port closed.")),
        ("port#2", "When?", ("In May.",)),
        ("port#3", "Why?", ("It was old.",)),
    ]
    assert {item.document.text for item in found} == {document.text}
