"""What the trainings of an experiment would take, measured on a few updates of each."""

from collections.abc import Iterator, Sequence

from longsum.core.recipes.recipe import merged
from longsum.lab.reproduction.needed_data import checkpoints, needed
from longsum.lab.reproduction.row_runs import RowRuns, Training

_BYTES = 4
_KEPT = 2
_STATE = 3
"""Weights, and two numbers of the optimizer for each."""


def told_costs(runs: RowRuns, rows: Sequence[str]) -> Iterator[str]:
    """Yield lines: each training with its time, memory and disk, and their sums.

    Raises:
        LongsumError: As `longsum.models.training.estimate.estimate`.
    """
    from longsum.models.training.estimate import duration, estimate
    from longsum.models.training.run_seq2seq import run_for

    yield f"Data: {', '.join(needed(runs))}"
    if starts := checkpoints(runs, list(rows)):
        yield f"Checkpoints of the Hugging Face Hub: {', '.join(starts)}"
    seconds, disk, memory, device = 0.0, 0, 0, ""
    for training in _trainings(runs, rows):
        runs.prepare(training)
        run = run_for(training.recipe.kind)
        # The prepared data of the run itself are not there yet.
        overrides = merged(training.overrides, {"data": {"prepared": None}})
        cost = estimate(run, run.settings_of(training.recipe, overrides))
        kept = _BYTES * cost.parameters * (1 + _KEPT * _STATE)
        yield (
            f"{training.folder.name}: {cost.updates:,} updates, {duration(cost.seconds)}, "
            f"{cost.memory / 1e9:.2f} GB of memory, {kept / 1e9:.2f} GB of disk"
        )
        seconds, disk = seconds + cost.seconds, disk + kept
        memory, device = max(memory, cost.memory), cost.device
    kind = "GPU" if "CPU" not in device else "processor"
    yield (
        f"In all {duration(seconds)} on {device or 'this machine'} ({seconds / 3600:.2f} {kind} "
        f"hours), at most {memory / 1e9:.2f} GB of memory, {disk / 1e9:.2f} GB of disk; without "
        "the preparation of data and without scoring"
    )


def _trainings(runs: RowRuns, rows: Sequence[str]) -> list[Training]:
    found = {
        each.folder: each
        for row in rows
        for column in runs.columns
        for each in runs.trainings(row, column, 0)
    }
    return list(found.values())
