"""`longsum data --export`."""

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
