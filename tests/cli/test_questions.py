import json

import pytest


@pytest.fixture
def report(tmp_path):
    """A document small enough to summarize in a moment."""
    path = tmp_path / "valley.md"
    path.write_text(
        "# The valley\n\n## Rivers\n\nThe river carries water from the mountains to the sea. "
        "Water from the river feeds the fields of the valley in summer. "
        "Fishermen of the valley sell river trout at the market.\n\n"
        "### Why are there floods?\n\nFloods of the river damaged bridges and roads twice. "
        "Engineers built dams so that floods of the river do less damage.\n\n"
        "## Railways\n\nThe railway company runs trains through the valley to the coast. "
        "Trains carry passengers and coal along the railway.\n",
        encoding="utf-8",
    )
    return path


def test_only_the_tree_goes_to_standard_output(run, report):
    status, out, err = run("questions", report, "--length", "12w")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "The valley"
    assert "  §1 Rivers" in lines
    assert "    §1.1 Why are there floods?" in lines
    assert "  §2 Railways" in lines
    assert lines[-1] == "Built from the document's sections by stepwise."
    cut = run("questions", report, "-l", "12w", "--depth", "2")[1]
    assert ("floods?" in cut, "(1 more below)" in cut) == (False, True)


def test_a_question_heads_the_tree(run, report):
    question = "What did engineers do about floods?"
    out = run("questions", report, "-l", "15w", "-q", question, "-f", "json")[1]
    found = json.loads(out)
    assert found["question"] == question
    root, *children = found["nodes"]
    assert all(0 < node["words"] <= 15 for node in found["nodes"])
    assert (root["title"], root["kind"]) == (question, "question")
    assert "Engineers built dams" in root["text"]
    assert children[0]["title"] == "Why are there floods?"


def test_an_unrelated_question_is_reported_as_ignored(run, report):
    question = "favourite pasta recipes of astronauts"
    status, out, err = run("questions", report, "-q", question)
    assert status == 0
    assert "it is ignored" in err
    assert out.startswith("The valley\n")


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_every_format_to_a_file_in_the_same_bytes(run, report, tmp_path, form):
    written = []
    for name in ("a", "b"):
        target = tmp_path / name
        assert run("questions", report, "-f", form, "-o", target)[:2] == (0, "")
        written.append(target.read_text(encoding="utf-8"))
    assert written[0] == written[1]
    assert "Built from the document" in written[0]
    assert run("questions", report, "-o", tmp_path / "a")[0] == 2
