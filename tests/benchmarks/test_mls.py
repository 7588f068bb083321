"""MLS at five lengths: an interrupted measurement continues, and its tables are right."""

import pytest

import mls
from longsum import load_system
from longsum.evaluation.datasets import Example
from longsum.lab.comparison.comparison import compare


@pytest.fixture
def examples(small, monkeypatch: pytest.MonkeyPatch) -> list[Example]:
    monkeypatch.setattr(mls, "METRICS", ("rouge", "copying"))
    monkeypatch.setattr(mls, "SCORES", {name: mls.SCORES[name] for name in ("rouge1", "coverage")})
    reference = small.sentences[4].text
    return [Example(str(number), small, (reference,), "test", "", {}) for number in range(2)]


def test_a_measurement_can_be_resumed(examples, tmp_path, monkeypatch) -> None:
    path = tmp_path / "mine.jsonl"
    mls.evaluate("lead", examples, path)
    whole = path.read_text()
    first, second = whole.splitlines()
    path.write_text(first + "\n" + second[:40])
    mls.evaluate("lead", examples, path)
    assert len(mls.gathered(path, ["lead"], ["0", "1"])) == 5
    monkeypatch.setattr(mls, "_system", lambda _: pytest.fail("all is measured"))
    mls.evaluate("lead", examples, path)


def test_kept_results_equal_the_measured_ones(examples, tmp_path) -> None:
    path = tmp_path / "mine.jsonl"
    names = ["mls=lead", "systematic"]
    for name in names:
        mls.evaluate(name, examples, path)
    found = mls.gathered(path, names, ["1", "0"])
    for results, budget in zip(found, mls.BUDGETS, strict=True):
        systems = [load_system("mls", prototype="lead"), load_system("systematic")]
        fresh = compare(examples, systems, budget, metrics=mls.METRICS).systems
        assert [one.scores for one in results.systems] == [one.scores for one in fresh]
        assert [one.words for one in results.systems] == [one.words for one in fresh]
    assert "| new words | mls | 100.00 | 100.00 | 0.00 | 0.00 | 0.00 |" in mls.tables(found)
    assert "| words of the document | systematic |" in mls.differences(found)
