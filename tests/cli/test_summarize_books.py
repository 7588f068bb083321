"""`longsum summarize` of a text that is divided, from the user's side."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def divided(tmp_path) -> Path:
    """A recipe that divides the example."""
    path = tmp_path / "mine.yaml"
    path.write_text(
        "name: mine\ntitle: t\npaper: p\nkind: recursive\nsettings:\n"
        "  {chapters: graph, whole: graph, undivided: 300, part_words: 300}\n"
    )
    return path


def test_levels_in_json_and_the_same_bytes_with_a_working_folder(
    run, brief_path, divided, tmp_path
) -> None:
    asked = ("summarize", brief_path, "-s", divided, "-l", "60w", "--levels", "-f", "json")
    results = [
        json.loads(run(*asked, *more)[1])
        for more in ((), ("--work", tmp_path / "work"), ("--work", tmp_path / "work"))
    ]
    for result in results:
        result.pop("timings")
    assert results[0] == results[1] == results[2]
    parts = results[0]["levels"][0]["parts"]
    assert len(list((tmp_path / "work").glob("*.json"))) == len(parts) >= 5
    assert all(part["title"] for part in parts)


@pytest.mark.parametrize(("text", "told"), [((60, 13), 13), ((600, 1), 0), ((20, 13), 0)])
def test_chapters_are_reported_however_short_the_text(run, tmp_path, text, told) -> None:
    (tmp_path / "a.md").write_text(_book(*text))
    asked = ("summarize", tmp_path / "a.md", "-s", "graph", "-l", "40w")
    status, out, err = run(*asked, "--levels", "-f", "json")
    levels = json.loads(out).get("levels", [])
    assert (status, [len(level["parts"]) for level in levels]) == (0, [told] * bool(told))
    assert all(part["sentences"] for level in levels for part in level["parts"])
    assert ("no levels" in err) == (not told)
    shown, plain = run(*asked, "--levels")[1], run(*asked)[1]
    assert shown.startswith(plain)
    assert (shown == plain) == (not told)
    assert ("## Level 1: " in run(*asked, "--levels", "-f", "markdown")[1]) == bool(told)
    assert run(*asked, "--levels", "--at-once")[0] == 2


def _book(words: int, chapters: int) -> str:
    """Return a book with chapters of the given numbers of words, or without chapters."""
    prose = [f"River {n} of the valley has {n} boats past it." for n in range(words // 10)]
    told = [f"## Chapter {n}\n\n{' '.join(prose)}\n\n" for n in range(1, chapters + 1)]
    return "# Book\n\n" + ("".join(told) or " ".join(prose))


def test_the_extractor_divides_a_text_beyond_its_limit(
    run, example_path, monkeypatch, tmp_path
) -> None:
    from longsum.core.systems import system as systems

    monkeypatch.setattr(systems, "NEURAL_WORDS", 200)
    start = tmp_path / "start.md"
    start.write_text(example_path.read_text(encoding="utf-8")[:2400], encoding="utf-8")
    divided = json.loads(run("summarize", start, "-l", "80w", "-f", "json")[1])
    at_once = json.loads(run("summarize", start, "-l", "80w", "-f", "json", "--at-once")[1])
    assert "words was not read at once" in divided["warnings"][-1]
    assert divided["settings"]["undivided"] == 200
    assert divided["system"] == at_once["system"] == "stepwise"
    assert at_once["warnings"] == []
    assert 40 < divided["budget"]["reached"] <= 80
