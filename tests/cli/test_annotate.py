"""`longsum annotate`: from files to pages, and from what people saved to tables."""

import csv
import io
import json

import pytest


@pytest.fixture
def given(tmp_path):
    lines = [
        {"id": document, "system": system, "summary": f"{document} has {system} words."}
        for document in ("a", "b")
        for system in ("one", "two")
    ]
    path = tmp_path / "summaries.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def answered(folder, person, path):
    """Save the answers of somebody who prefers the longer name."""
    key = json.loads((folder / "key.json").read_text())
    tasks = {
        task: {
            "done": True,
            "seconds": 1.0,
            "answer": {
                "choices": {
                    "x": {"best": of["systems"].index("two"), "worst": of["systems"].index("one")}
                }
            },
        }
        for task, of in key["tasks"].items()
    }
    value = {"schema": "longsum/annotations/1", "kind": "best-worst", "study": key["study"]}
    path.write_text(json.dumps(value | {"annotator": person, "tasks": tasks}))
    return path


def test_a_study_from_start_to_table(run, given, tmp_path):
    folder = tmp_path / "study"
    make = ("annotate", "make", "best-worst", given, "-o", folder, "--annotators", 2)
    status, out, err = run(*make, "--criterion", "x=Which?")
    assert (status, err) == (0, "")
    assert "comparisons of every two systems (λ): 4" in out
    assert sorted(file.name for file in folder.iterdir()) == [
        *("annotator-1.html", "annotator-2.html", "key.json")
    ]
    files = [answered(folder, person, tmp_path / f"{person}.json") for person in (1, 2)]
    read = ("annotate", "read", *files, "--key", folder / "key.json")
    status, out, err = run(*read)
    assert (status, err) == (0, "")
    assert "two     1.00 [1.00, 1.00]" in out
    assert "Annotator 2: 2 of 2 tasks done" in out
    assert json.loads(run(*read, "-f", "json")[1])["annotators"][0] == {
        "annotator": 1,
        "done": 2,
        "tasks": 2,
    }
    rows = list(csv.DictReader(io.StringIO(run(*read, "--format", "csv")[1])))
    assert [(row["system"], row["of"], float(row["mean"])) for row in rows] == [
        ("one", "x", -1),
        ("two", "x", 1),
    ]
    status, _, err = run(*make)
    assert (status, "not empty" in err) == (2, True)
    status, _, err = run(*read, "--trees", tmp_path / "trees.jsonl")
    assert (status, "No trees were written" in err) == (2, True)


def test_documents_of_a_data_set_are_shown_beside_the_texts_to_judge(run, data, told, given):
    given.write_text(given.read_text().replace('"a"', '"d0"').replace('"b"', '"d2"'))
    folder = data / "study"
    asked = ("annotate", "make", "faithfulness", given, "-o", folder, "--data", "scitldr_a")
    assert run(*asked, "--split", "val")[0] == 0
    pages = "".join(page.read_text(encoding="utf-8") for page in folder.glob("*.html"))
    assert [each in pages for each in told] == [True, False, True]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("make", "fact-checks", "{given}", "-o", "{new}"), "--questions"),
        (
            ("make", "best-worst", "{given}", "-o", "{new}", "--criterion", "x"),
            "is not a criterion",
        ),
        (("make", "trees", "{given}", "-o", "{new}"), "not a question tree"),
        (
            ("make", "trees", "{given}", "-o", "{new}", "--size", "3"),
            "--size is for the study 'best",
        ),
        (("make", "trees", "{given}", "-o", "{new}", "--tuples", "3"), "--tuples is for the study"),
        (("make", "trees", "{given}", "-o", "{new}", "--criterion", "x=?"), "--criterion is for"),
        (("make", "trees", "{given}", "-o", "{new}", "--questions", "x"), "--questions is for"),
        (("make", "questions", "{given}", "-o", "{new}", "--aspects", "paper"), "--aspects is for"),
        (("make", "fact-checks", "{given}", "-o", "{new}", "--raters", "2"), "leave out --raters"),
        (("make", "questions", "{new}", "-o", "{new}"), "There is no file"),
        (("make", "questions", "{given}", "-o", "{new}", "--with-references"), "--data"),
        (("read", "{given}", "--key", "{given}"), "cannot be read"),
    ],
)
def test_errors_are_reported_in_a_sentence(refused, given, tmp_path, words, problem):
    named = [word.format(given=given, new=tmp_path / "new") for word in words]
    refused(problem, "annotate", *named)
    assert not (tmp_path / "new").exists()
