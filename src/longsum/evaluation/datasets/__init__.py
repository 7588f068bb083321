"""Data sets: streaming readers of shared and public sets into one schema."""

from longsum.evaluation.datasets.catalogue import dataset_info, datasets, load, usual_split
from longsum.evaluation.datasets.dataset_statistics import (
    AspectStatistics,
    SalientPositions,
    Statistics,
    aspect_statistics,
    salient_positions,
    statistics,
)
from longsum.evaluation.datasets.info import (
    DatasetInfo,
    Example,
    canonical_split,
    hash_split,
    may_ship,
)
from longsum.evaluation.datasets.own_files import OwnData, name_with_fields

__all__ = [
    "AspectStatistics",
    "DatasetInfo",
    "Example",
    "OwnData",
    "SalientPositions",
    "Statistics",
    "aspect_statistics",
    "canonical_split",
    "dataset_info",
    "datasets",
    "hash_split",
    "load",
    "may_ship",
    "name_with_fields",
    "salient_positions",
    "statistics",
    "usual_split",
]
