import json

import pytest


@pytest.fixture
def files(tmp_path):
    (tmp_path / "dam.md").write_text("# Dam\n\nThe dam was finished in 1931.\n")
    (tmp_path / "town.txt").write_text("The dam was finished in 1932. Fishermen sold boats.\n")
    return tmp_path


def summarize(run, files, *options):
    return run("summarize", files / "dam.md", files / "town.txt", "-s", "graph", *options)


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_every_format_names_the_documents_and_contradictions(run, files, form):
    status, written, told = summarize(run, files, "-f", form, "--explain")
    assert status == 0
    assert all(name in written for name in ("Dam", "town.txt"))
    assert "where it has the date 1931, town.txt, sentence 1, has 1932" in written
    assert "contradict each other: 2 sentences" in told
    assert "town.txt: 2 sentences read; 2 sentences of the summary, 9 words" in written


def test_a_file_that_cannot_be_read_leaves_the_others(run, files):
    status, written, told = summarize(run, files, files / "none.pdf", "-f", "json")
    assert status == 2
    found = json.loads(written)
    assert [each["name"] for each in found["document"]["documents"]] == ["Dam", "town.txt"]
    assert "There is no file" in told
    assert "There is no file" in found["warnings"][0]
    status, written, told = run("summarize", files / "a", files / "b", "-s", "graph")
    assert (status, written, told.count("There is no file")) == (2, "", 2)
    assert "--levels" in summarize(run, files, "--levels")[2]


def test_a_model_behind_an_endpoint_reads_the_whole_tree(run, files, server):
    water = "".join(f" The water of lake {number} is cold in winter." for number in range(9))
    (files / "dam.md").write_text(f"# Dam\n\nIt is old.{water}\n")
    options = ("--model", server.address, "--context", "900", "-l", "80w", "-f", "json")
    given = (files / "dam.md", files / "town.txt", *options)
    status, written, told = run("summarize", *given)
    assert status == 0, told
    found = json.loads(written)
    origins = [each["sources"][0]["origin"] for each in found["summary"]["sentences"]]
    own = [(files / name).read_text() for name in ("dam.md", "town.txt")]
    assert {each["document"] for each in origins} == {0, 1}
    assert all(each["end"] <= len(own[each["document"]]) for each in origins)
    assert [each["sentences_read"] for each in found["coverage"]["documents"]] == [10, 2]
