"""What an experiment needs: data, checkpoints, and time, estimated from a few updates."""

from collections.abc import Iterator, Sequence

from longsum.common.errors import LongsumError
from longsum.common.wording import counted
from longsum.core.recipes.recipe import merged
from longsum.evaluation.datasets import dataset_info, load
from longsum.evaluation.datasets.catalogue import data_folder
from longsum.evaluation.datasets.downloads import check_downloads, describe_downloads
from longsum.lab.reproduction.row_runs import RowRuns, Training

_BYTES_OF_WEIGHT = 4 * (1 + 2 * 3)
"""Bytes on disk for a weight: the model, and two checkpoints with two optimizer states each."""


def needed(runs: RowRuns, rows: Sequence[str]) -> list[str]:
    """Return the data sets that are used for measurement or training."""
    measured = [runs.stands_for(column.data) for column in runs.columns]
    learned = "+".join(training.overrides["data"]["names"] for training in _trainings(runs, rows))
    return list(filter(None, dict.fromkeys([*measured, *learned.split("+")])))


def check_data(runs: RowRuns, rows: Sequence[str]) -> None:
    """Check that the data are available, before anything starts.

    Raises:
        LongsumError: Some are missing or differ from the published files; names their sources and
            licences.
    """
    problems = []
    for name in needed(runs, rows):
        info = dataset_info(name)
        try:
            next(load(name, runs.split if runs.split in info.splits else info.splits[0]))
            check_downloads(name, data_folder(name))
        except LongsumError as error:
            origin = f"from {info.source}, licence: {info.license}; {describe_downloads(name)}"
            problems.append(f"{name} ({origin}): {error}")
    if problems:
        raise LongsumError(f"The experiment needs data that are missing. {' '.join(problems)}")


def cost_lines(runs: RowRuns, rows: Sequence[str], seeds: int = 1) -> Iterator[str]:
    """Yield lines on data, checkpoints, the cost of each training, and the total over seeds.

    Raises:
        LongsumError: As for `longsum.models.training.estimate.estimate`.
    """
    from longsum.models.training.estimate import duration, estimate
    from longsum.models.training.run_seq2seq import run_for

    for name in needed(runs, rows):
        yield f"Data: {name} (licence: {dataset_info(name).license}; {describe_downloads(name)})"
    trainings = _trainings(runs, rows)
    checkpoints = {
        str(training.recipe.settings.get("checkpoint") or "") for training in trainings
    } - {""}
    if runs.scale.is_papers and checkpoints:
        yield f"Checkpoints of the Hugging Face Hub: {', '.join(sorted(checkpoints))}"
    seconds, disk, memory, device = 0.0, 0, 0, "CPU"
    for training in trainings:
        runs.prepare(training)
        run = run_for(training.recipe.kind)
        # The run's own folder of prepared data does not exist yet.
        overrides = merged(training.overrides, {"data": {"prepared": None}})
        cost = estimate(run, run.settings_of(training.recipe, overrides))
        run_disk = _BYTES_OF_WEIGHT * cost.parameters
        yield (
            f"{training.folder.name}: {cost.updates:,} updates, {duration(cost.seconds)}, "
            f"{cost.memory / 1e9:.2f} GB of memory, {run_disk / 1e9:.2f} GB of disk"
        )
        seconds, disk = seconds + seeds * cost.seconds, disk + seeds * run_disk
        memory, device = max(memory, cost.memory), cost.device
    kind = "processor" if "CPU" in device else "GPU"
    yield (
        f"In all, {counted(seeds, 'seed')}: {duration(seconds)} on {device} "
        f"({seconds / 3600:.2f} {kind} hours), at most {memory / 1e9:.2f} GB of memory, "
        f"{disk / 1e9:.2f} GB of disk; without the preparation of data and without scoring"
    )


def _trainings(runs: RowRuns, rows: Sequence[str]) -> list[Training]:
    trainings = (
        training
        for row in rows
        for column in runs.columns
        for training in runs.trainings(row, column, 0)
    )
    return list({training.folder: training for training in trainings}.values())
