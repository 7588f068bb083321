"""What an experiment needs: data, checkpoints, and time, measured on a few updates."""

from collections.abc import Iterator, Sequence

from longsum.common.errors import LongsumError
from longsum.common.wording import counted
from longsum.core.recipes.recipe import merged
from longsum.evaluation.datasets import dataset_info, load
from longsum.evaluation.datasets.catalogue import data_folder
from longsum.evaluation.datasets.downloads import check_downloads, told_downloads
from longsum.lab.reproduction.row_runs import RowRuns, Training

_BYTES_OF_WEIGHT = 4 * (1 + 2 * 3)
"""For the model, and two checkpoints with two optimizer states for each weight."""


def needed(runs: RowRuns, rows: Sequence[str]) -> list[str]:
    """Return the data sets that are used for measurement or training."""
    measured = [runs.stands_for(each.data) for each in runs.columns]
    learned = "+".join(each.overrides["data"]["names"] for each in _trainings(runs, rows))
    return list(filter(None, dict.fromkeys([*measured, *learned.split("+")])))


def check_data(runs: RowRuns, rows: Sequence[str]) -> None:
    """Check that the data are available, before anything starts.

    Raises:
        LongsumError: Some are not, or not as published; names their sources and licences.
    """
    problems = []
    for name in needed(runs, rows):
        info = dataset_info(name)
        try:
            next(load(name, runs.split if runs.split in info.splits else info.splits[0]))
            check_downloads(name, data_folder(name))
        except LongsumError as error:
            told = f"from {info.source}, licence: {info.license}; {told_downloads(name)}"
            problems.append(f"{name} ({told}): {error}")
    if problems:
        raise LongsumError(f"The experiment needs data that are not there. {' '.join(problems)}")


def told_costs(runs: RowRuns, rows: Sequence[str], seeds: int = 1) -> Iterator[str]:
    """Yield lines on data and checkpoints, the costs of each training, and the sums over seeds.

    Raises:
        LongsumError: As `longsum.models.training.estimate.estimate`.
    """
    from longsum.models.training.estimate import duration, estimate
    from longsum.models.training.run_seq2seq import run_for

    for name in needed(runs, rows):
        yield f"Data: {name} (licence: {dataset_info(name).license}; {told_downloads(name)})"
    trainings = _trainings(runs, rows)
    starts = {str(each.recipe.settings.get("checkpoint") or "") for each in trainings} - {""}
    if runs.scale.is_papers and starts:
        yield f"Checkpoints of the Hugging Face Hub: {', '.join(sorted(starts))}"
    seconds, disk, memory, device = 0.0, 0, 0, "CPU"
    for training in trainings:
        runs.prepare(training)
        run = run_for(training.recipe.kind)
        # The prepared data of the run itself do not exist yet.
        overrides = merged(training.overrides, {"data": {"prepared": None}})
        cost = estimate(run, run.settings_of(training.recipe, overrides))
        kept = _BYTES_OF_WEIGHT * cost.parameters
        yield (
            f"{training.folder.name}: {cost.updates:,} updates, {duration(cost.seconds)}, "
            f"{cost.memory / 1e9:.2f} GB of memory, {kept / 1e9:.2f} GB of disk"
        )
        seconds, disk = seconds + seeds * cost.seconds, disk + seeds * kept
        memory, device = max(memory, cost.memory), cost.device
    kind = "processor" if "CPU" in device else "GPU"
    yield (
        f"In all, {counted(seeds, 'seed')}: {duration(seconds)} on {device} "
        f"({seconds / 3600:.2f} {kind} hours), at most {memory / 1e9:.2f} GB of memory, "
        f"{disk / 1e9:.2f} GB of disk; without the preparation of data and without scoring"
    )


def _trainings(runs: RowRuns, rows: Sequence[str]) -> list[Training]:
    found = (
        each for row in rows for column in runs.columns for each in runs.trainings(row, column, 0)
    )
    return list({each.folder: each for each in found}.values())
