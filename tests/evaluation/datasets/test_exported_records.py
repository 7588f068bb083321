import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest
import yaml

from longsum.common.errors import LongsumError
from longsum.core.summaries import Budget
from longsum.evaluation.datasets import load
from longsum.evaluation.datasets.exported_records import export_records, lm_eval_task, prompt_for
from longsum.evaluation.datasets.record_files import records
from longsum.lab.comparison.comparison import compare
from longsum.lab.comparison.predictions import Predictions


@pytest.mark.parametrize("ending", [".parquet", ".jsonl"])
def test_exported_records_can_be_read_as_own_data(ending, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / f"planted{ending}"
    given = [
        replace(each, id=f"mine {each.id}", license="cc-by-4.0")
        for each in load("planted", "test", limit=3)
    ]
    assert export_records(iter(given), path) == 3
    found = list(load(str(path), "test"))
    assert [(each.id, each.license) for each in found] == [(e.id, e.license) for e in given]
    assert [each.references for each in found] == [each.references[:1] for each in given]
    assert [*records(path)] == [
        {
            "id": each.id,
            "title": each.document.title,
            "document": each.document.text,
            "summary": each.references[0],
            "summaries": [*each.references],
            "question": "",
            "license": "cc-by-4.0",
            "split": "test",
        }
        for each in given
    ]


@pytest.mark.slow
def test_datasets_reads_it(tmp_path):
    datasets = pytest.importorskip("datasets", reason="the package datasets is not installed")
    path = tmp_path / "planted.parquet"
    export_records(load("planted", "test", limit=3), path)
    loaded = datasets.load_dataset(
        "parquet", data_files=str(path), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert loaded.num_rows == 3
    assert loaded[0]["summary"] == next(load("planted", "test")).references[0]
    # And what it saves is read again.
    loaded.save_to_disk(str(tmp_path / "saved"))
    assert len(list(load(str(tmp_path / "saved"), "test"))) == 3


def test_another_form_is_refused(tmp_path):
    with pytest.raises(LongsumError, match=r"name it \.parquet or \.jsonl"):
        export_records(load("planted", "test", limit=1), tmp_path / "planted.xml")


@pytest.mark.slow
def test_lm_eval_runs_the_task_and_its_log_is_read(tmp_path):
    pytest.importorskip("lm_eval", reason="the package lm_eval is not installed")
    path, task = tmp_path / "planted_task.parquet", tmp_path / "planted_task.yaml"
    export_records(load("planted", "test", limit=2), path)
    task.write_text(lm_eval_task("planted_task", path, "test"))
    asked = ("--model", "dummy", "--tasks", "planted_task", "--include_path", tmp_path)
    kept = ("--log_samples", "--output_path", tmp_path / "out")
    command = [sys.executable, "-m", "lm_eval", "run", *map(str, (*asked, *kept))]
    subprocess.run(
        command,
        check=True,
        capture_output=True,
        env={**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"},
    )
    (log,) = (tmp_path / "out").rglob("samples_*.jsonl")
    records = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [each["doc"]["id"] for each in records] == ["test-0", "test-1"]
    # What the model wrote is scored by its documents.
    wrote = Predictions.load(f"theirs={log}")
    examples = list(load("planted", "test", limit=2))
    found = compare(examples, [wrote], Budget(50)).systems[0]
    assert wrote.texts == {each.id: "lol" for each in examples}
    assert found.words == [1, 1]
    assert found.scores["rouge1"] == [0, 0]


def test_a_task_names_the_absolute_path_of_its_file(tmp_path):
    for ending, form in ((".jsonl", "json"), (".parquet", "parquet")):
        path = (tmp_path / f"a{ending}").resolve()
        assert yaml.safe_load(lm_eval_task("planted_task", path, "test")) == {
            "task": "planted_task",
            "dataset_path": form,
            "dataset_kwargs": {"data_files": {"test": str(path)}},
            "test_split": "test",
            "output_type": "generate_until",
            "doc_to_text": "{{document}}\n\n{{question or 'Summarize the text above.'}}\n\n",
            "doc_to_target": "{{summary}}",
            "generation_kwargs": {"until": [], "max_gen_toks": 1024, "do_sample": False},
            "metric_list": [
                {"metric": "bypass", "aggregation": "bypass", "higher_is_better": True}
            ],
            "metadata": {"version": 1},
        }
    example = next(load("planted", "test"))
    for question, request in (("", "Summarize the text above."), ("Why?", "Why?")):
        asked = prompt_for(replace(example, question=question))
        assert asked == f"{example.document.text}\n\n{request}\n\n"
