"""Trains a given run in the processes that torchrun starts; see `trained_together`."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Job:
    """A run: its recipe, changes to its settings, its folder, and where it is stopped.

    One that is only estimated comes last, since its processes part then; each writes what it found.
    """

    recipe: Any
    changes: Mapping[str, Any]
    folder: Path
    stop: int | None = None
    estimated: bool = False


def trained_together(
    jobs: Sequence[Job], examples: Mapping[str, Sequence[Any]], folder: Path
) -> None:
    """Run jobs in two processes, one after the other, on examples by the name of their data."""
    told = folder / "jobs.pickle"
    told.write_bytes(pickle.dumps((jobs, examples)))
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    done = subprocess.run(
        [*launcher, "--nproc_per_node=2", __file__, str(told)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *sys.path])},
        capture_output=True,
        text=True,
        timeout=1500,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]


def train(jobs: Sequence[Job], examples: Mapping[str, Sequence[Any]]) -> None:
    """Run jobs in this process, without its randomness."""
    import pytest

    from interrupted import interrupted
    from longsum.evaluation.datasets import dataset_info
    from longsum.models.training import documents, estimate
    from longsum.models.training.run_seq2seq import run_for

    with pytest.MonkeyPatch.context() as patched:
        without_dropout(patched)
        patched.setattr(documents, "load_part", lambda part: examples[part.name])
        patched.setattr(documents, "dataset_info", lambda _: dataset_info("pmc_jats"))
        patched.setattr(estimate, "load_part", lambda part: examples[part.name])
        patched.setattr(estimate, "TIMED", 2)
        for job in jobs:
            run = run_for(job.recipe.kind)
            settings = run.settings_of(job.recipe, job.changes)
            if job.estimated:
                found = estimate.tried(job.recipe.kind, settings)
                job.folder.mkdir(exist_ok=True, parents=True)
                written = job.folder / f"{os.environ['RANK']}.json"
                written.write_text(json.dumps(asdict(found)), encoding="utf-8")
            elif job.stop is None:
                run.train(job.recipe, settings, job.folder)
            else:
                with interrupted(patched, job.stop):
                    run.train(job.recipe, settings, job.folder)


def without_dropout(patched: Any) -> None:
    """Turn dropout off, since each process would drop something else."""
    import torch
    from torch.nn import functional

    from longsum.models.attention.dropout import WeightDropout

    attend, drop = functional.scaled_dot_product_attention, functional.dropout

    def keep(given: Any, *_: Any, **__: Any) -> Any:
        return given

    def attend_to_all(*given: Any, dropout_p: float = 0.0, **named: Any) -> Any:  # noqa: ARG001
        return attend(*given, **named)

    everywhere = [module for name, module in sys.modules.items() if name.startswith("longsum")]
    for module in (functional, *everywhere):
        if getattr(module, "dropout", None) is drop:
            patched.setattr(module, "dropout", keep)
        if getattr(module, "scaled_dot_product_attention", None) is attend:
            patched.setattr(module, "scaled_dot_product_attention", attend_to_all)
    patched.setattr(WeightDropout, "drawn", lambda _rate: None)
    patched.setattr(torch.nn.Dropout, "forward", keep_input)


def keep_input(_: Any, given: Any) -> Any:
    return given


if __name__ == "__main__":
    from longsum.models.training.processes import leave
    from two_processes import train as do

    do(*pickle.loads(Path(sys.argv[1]).read_bytes()))
    leave()
