import json

import pytest


def test_a_split_is_exported_with_a_task(run, tmp_path):
    pytest.importorskip("pyarrow")
    file, task = tmp_path / "planted.parquet", tmp_path / "mine.yaml"
    asked = ("data", "planted", "--split", "test", "--limit", 2, "--export", file)
    status, out, _ = run(*asked, "--lm-eval", task)
    assert status == 0
    assert out == f"{file}: 2 documents\n"
    assert task.read_text(encoding="utf-8").startswith("task: mine\n")
    assert "exists; add --force" in run(*asked)[2]
    assert "add --split" in run("data", "planted", "--export", tmp_path / "other.parquet")[2]
    assert "add --export" in run("data", "planted", "--split", "test", "--lm-eval", task)[2]


def test_a_set_is_measured_split_by_split_and_drawn(run, tmp_path):
    few = ("data", "planted", "--limit", 3)
    counts = json.loads(run(*few, "--format", "json")[1])
    assert [(row["split"], row["documents"]) for row in counts] == [
        *[("train", 3), ("validation", 3), ("test", 3)]
    ]
    heads, first, *_ = (line.split() for line in run(*few)[1].splitlines())
    assert heads == list(counts[0])
    assert first[:3] == ["planted", "train", "3"]
    some, plot = (*few, "--split", "test", "--positions"), tmp_path / "places.svg"
    rows = json.loads(run(*some, "--format", "json")[1])
    assert [row["ngrams"] for row in rows] == ["unigrams", "bigrams"]
    status, out, _ = run(*some, "--plot", plot)
    printed = [line.split() for line in out.splitlines()[1:]]
    for row, cells in zip(rows, printed, strict=True):
        assert cells[:4] == ["planted", "test", "3", row["ngrams"]]
        means = [100 * tenth["mean"] for tenth in row["tenths"]]
        assert list(map(float, cells[4:])) == pytest.approx(means, rel=5e-3)
        assert all(tenth["low"] <= tenth["mean"] <= tenth["high"] for tenth in row["tenths"])
    assert (status, b"planted, test" in plot.read_bytes()) == (0, True)
    assert "add --force" in run(*some, "--plot", plot)[2]
    assert "no known picture format" in run(*some, "--plot", tmp_path / "places.gif")[2]
    assert "choose another data set" in run(*few, "--aspects")[2]


def test_aspects_are_measured(run, tmp_path):
    file = tmp_path / "own.jsonl"
    summary = "Background: Rivers flood.\nResults: Dams held water."
    file.write_text(json.dumps({"id": "1", "document": "Rivers flood towns.", "summary": summary}))
    found = {
        line.split()[3]: line.split()[4:7]
        for line in run("data", file, "--aspects")[1].splitlines()[1:]
    }
    assert list(found) == ["introduction", "methods", "results", "conclusion"]
    assert (found["results"], found["methods"][1]) == (["1", "1.00", "3.00"], "0.00")
