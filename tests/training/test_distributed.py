"""Two processes on one machine, joined by gloo."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from longsum.recipes import Recipe
from longsum.training.run_seq2seq import SEQ2SEQ

from .conftest import tiny

# What is random in a process would not be the same in two.
MODEL = tiny()["model"] | {"dropout": 0.0}
TRAINING = tiny()["training"] | {"steps": 8, "precision": "fp32", "group_by_length": False}


@pytest.fixture
def alike(prepared: Path) -> Recipe:
    """A system without random batches; an odd number of documents, three, are measured."""
    data = tiny()["data"] | {"prepared": str(prepared), "validation_limit": 3}
    settings = tiny(model=MODEL, data=data, training=TRAINING, save_every=8, evaluate_every=4)
    return Recipe("tiny", "For tests", "none", "seq2seq", settings, state="train first")


def logged(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.slow
@pytest.mark.usefixtures("corpus")
def test_two_processes_train_the_model_that_one_does(tmp_path: Path, alike: Recipe) -> None:
    """An update has the same four examples of different lengths, batched in another way."""
    path = tmp_path / "tiny.yaml"
    path.write_text(yaml.safe_dump(asdict(replace(alike, published=[]))), encoding="utf-8")
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    program = ["--nproc_per_node=2", "-m", "longsum", "train", str(path), "-o", "two"]
    done = subprocess.run(
        [*launcher, *program, "training.batch=2"],
        cwd=tmp_path,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    for folder, changes in (("one", {"batch": 4}), ("piecemeal", {"batch": 1, "accumulate": 4})):
        SEQ2SEQ.train(alike, SEQ2SEQ.settings_of(alike, {"training": changes}), tmp_path / folder)
    one, two, piecemeal = (logged(tmp_path / name) for name in ("one", "two", "piecemeal"))
    steps = [line for line in two if "loss" in line]
    # Each step once, not once a process; and four of twelve documents a step.
    assert [line["step"] for line in steps] == list(range(1, 9))
    assert steps[-1]["epoch"] == pytest.approx(8 * 4 / 12)
    assert steps[-1]["loss"] < steps[0]["loss"]
    for others in (two, piecemeal):
        for name in ("loss", "grad_norm", "eval_loss"):
            found, expected = (
                [line[name] for line in log if name in line] for log in (others, one)
            )
            assert len(found) == len(expected) > 1
            assert found == pytest.approx(expected, rel=2e-3), name
    assert (tmp_path / "two" / "model.safetensors").is_file()
