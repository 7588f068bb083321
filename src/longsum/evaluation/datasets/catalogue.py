"""The catalogue of data sets, and one function to read any of them."""

import os
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.registry import load as load_entry
from longsum.common.registry import registered
from longsum.common.wording import did_you_mean, quote
from longsum.evaluation.datasets.info import (
    SHARED_VARIABLE,
    Dataset,
    DatasetInfo,
    Example,
    canonical_split,
    may_ship,
)
from longsum.evaluation.datasets.own_files import WHOLE, own_dataset
from longsum.evaluation.datasets.planted import PLANTED
from longsum.evaluation.datasets.public import PUBLIC_DATASETS
from longsum.evaluation.datasets.question_sets import question_datasets
from longsum.evaluation.datasets.shared import shared_datasets


def datasets() -> list[DatasetInfo]:
    """Return all known data sets: shared, derived and public ones."""
    return [dataset.info for dataset in _all().values()]


def dataset_info(name: str) -> DatasetInfo:
    """Return the catalogue entry of a data set.

    Raises:
        LongsumError: There is no such set.
    """
    return _find(name).info


def load(
    name: str,
    split: str,
    *,
    root: Path | None = None,
    limit: int | None = None,
    shippable: bool = False,
) -> Iterator[Example]:
    """Read a split of a data set, one example at a time.

    Examples without a sentence or without a reference summary are left out.

    Args:
        name: Name of the set, as `datasets` lists it; or your own data, as
            `longsum.evaluation.datasets.own_files` reads them.
        split: A split of the set; `val`, `valid` and `dev` mean `validation`.
        root: Folder of the data. The default for a shared set is the folder in LONGSUM_DATA, with a
            subfolder for each set; for a public set, the folder in its own variable
            (`DatasetInfo.variable`, for example LONGSUM_DATA_GOVREPORT).
        limit: Maximum number of examples, at least 1; None yields all.
        shippable: Whether to leave out examples whose licence does not allow models trained on them
            to be redistributed (`may_ship`); the limit counts the others.

    Raises:
        LongsumError: There is no such set or split, it has no text examples, the limit is below 1,
            the data are missing or (while reading) malformed, or no example may ship although
            `shippable` is set.
    """
    dataset = _find(name)
    info = dataset.info
    if info.kind != "text":
        raise LongsumError(
            f"'{name}' contains {info.kind if info.kind == 'ratings' else 'tables'}, not documents "
            "with summaries; choose a set that 'longsum data' lists as text."
        )
    canonical = canonical_split(split)
    if canonical not in info.splits:
        raise LongsumError(
            f"'{name}' has no split '{split}'; choose one of {', '.join(info.splits)}."
        )
    if limit is not None and limit < 1:
        raise LongsumError(f"The limit is {limit}; give at least 1 example.")
    examples = _usable(dataset, _root(info, root), canonical)
    return islice(_shippable(info, examples, split) if shippable else examples, limit)


@cache
def _all() -> dict[str, Dataset]:
    others = (dataset for entry in registered("datasets").values() for dataset in load_entry(entry))
    every = (*shared_datasets(), *question_datasets(), *PLANTED, *others, *PUBLIC_DATASETS)
    return {dataset.info.name: dataset for dataset in every}


def _find(name: str) -> Dataset:
    dataset = _all().get(name) or own_dataset(name)
    if dataset is None:
        raise LongsumError(
            f"There is no data set {quote(name)}; 'longsum data' lists them, or give a file of "
            f"your own.{did_you_mean(name, _all())}"
        )
    return dataset


def usual_split(name: str) -> str:
    """Return the split to measure if none is named.

    It is `validation`; if there is none, the first split; for data without splits, the whole.

    Raises:
        LongsumError: There is no such set.
    """
    splits = dataset_info(name).splits
    usual = (split for split in (WHOLE, "validation") if split in splits)
    return next(usual, splits[0] if splits else "validation")


def data_folder(name: str) -> Path:
    """Return the folder of a data set.

    Raises:
        LongsumError: There is no such set, or its folder is not set.
    """
    return _root(dataset_info(name), None)


def check_folders(names: str) -> None:
    """Reject data sets, joined by `+`, whose folders are not set, before anything is read.

    Unknown names are left to the reader.
    """
    for name in names.split("+"):
        if name in _all():
            data_folder(name)


def _root(info: DatasetInfo, root: Path | None) -> Path:
    if not info.variable:
        # The reader of a user's files, or of generated data, needs no folder.
        return Path()
    given = str(root) if root is not None else os.environ.get(info.variable, "")
    if given and Path(given).is_dir():
        return Path(given)
    content = "the data sets" if info.variable == SHARED_VARIABLE else f"'{info.name}'"
    problem = f"{given} is not a folder" if given else f"The folder of '{info.name}' is not set"
    raise LongsumError(f"{problem}: set {info.variable} to the folder with {content}.")


def _shippable(info: DatasetInfo, examples: Iterator[Example], split: str) -> Iterator[Example]:
    any_ships = False
    for example in examples:
        if may_ship(info, example):
            any_ships = True
            yield example
    if not any_ships:
        raise LongsumError(
            f"The licences of '{info.name}' do not allow models trained on its split '{split}' to "
            "be shared; choose another set, or train for private use with data.shippable=false."
        )


def _usable(dataset: Dataset, root: Path, split: str) -> Iterator[Example]:
    name, any_usable = dataset.info.name, False
    try:
        for example in dataset.read(root, split):
            if example.references and example.document.sentences:
                any_usable = True
                yield example
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LongsumError(
            f"A record of '{name}' does not have the form that longsum reads ({error!r}); check "
            f"that {root} contains the release that 'longsum data' names."
        ) from error
    if not any_usable:
        # A data set without a folder of its own is a user's file.
        of_release = f" in {root}", "check that the folder contains the whole release."
        of_file = "", "give more documents, or say which field names their splits (--map split=…)."
        where, advice = of_release if dataset.info.variable else of_file
        raise LongsumError(
            f"The split '{split}' of '{name}'{where} has no document with a summary; {advice}"
        )
