"""The data and checkpoints that an experiment needs, and what is missing of them."""

from collections.abc import Iterator

from longsum.common.errors import LongsumError
from longsum.common.registry import registered
from longsum.evaluation.datasets import dataset_info, load
from longsum.lab.reproduction.row_runs import RowRuns


def needed(runs: RowRuns) -> list[str]:
    """Return the data sets that are read."""
    experiment = runs.experiment
    named = [*experiment.data, *(each.data for each in experiment.helpers.values() if each.data)]
    named += [row.learns for row in experiment.rows.values() if row and row.learns]
    if runs.data is not None:
        return [runs.data]
    return list(dict.fromkeys(map(runs.scale.stands_for, named)))


def check_data(runs: RowRuns) -> None:
    """Check that the data are there, before anything starts.

    Raises:
        LongsumError: Some are not; names all with their source and licence.
    """
    problems = list(_problems(runs))
    if problems:
        raise LongsumError(f"The experiment needs data that are not there. {' '.join(problems)}")


def _problems(runs: RowRuns) -> Iterator[str]:
    for name in needed(runs):
        info = dataset_info(name)
        split = runs.split if runs.split in info.splits else info.splits[0]
        try:
            next(iter(load(name, split, limit=1)))
        except LongsumError as error:
            yield f"{name} (from {info.source}, licence: {info.license}): {error}"


def checkpoints(runs: RowRuns, rows: list[str]) -> list[str]:
    """Return the checkpoints that trainings start from, which are fetched from the Hub."""
    found: dict[str, None] = {}
    for row in rows:
        recipe = runs.experiment.recipe(row)
        start = recipe.settings.get("checkpoint")
        if recipe.kind in registered("runs") and runs.scale.is_papers and start:
            found[start] = None
    return list(found)
