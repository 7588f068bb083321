"""Two processes on one machine, joined by gloo."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from .conftest import tiny


@pytest.mark.usefixtures("corpus")
def test_two_processes_train_one_model(tmp_path: Path, prepared: Path) -> None:
    recipe = {
        "name": "tiny",
        "title": "For tests",
        "paper": "none",
        "kind": "seq2seq",
        "settings": tiny(data={**tiny()["data"], "prepared": str(prepared)}),
    }
    path = tmp_path / "tiny.yaml"
    path.write_text(yaml.safe_dump(recipe), encoding="utf-8")
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    program = ["--nproc_per_node=2", "-m", "longsum", "train", str(path), "-o", "run"]
    done = subprocess.run(
        [*launcher, *program, "training.steps=12"],
        cwd=tmp_path,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    lines = (tmp_path / "run" / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    logged = [line for line in map(json.loads, lines) if "loss" in line]
    # Each step once, not once a process; each takes a batch on each process: 12 · 2 · 2 examples.
    assert [line["step"] for line in logged] == list(range(1, 13))
    assert logged[-1]["epoch"] == pytest.approx(12 * 2 * 2 / 12)
    assert logged[-1]["loss"] < logged[0]["loss"]
    assert (tmp_path / "run" / "model.safetensors").is_file()
