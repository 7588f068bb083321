"""Data sets: streaming readers of shared and public sets into one schema."""

from longsum.evaluation.datasets.catalogue import dataset_info, datasets, load
from longsum.evaluation.datasets.dataset_statistics import (
    AspectStatistics,
    Statistics,
    aspect_statistics,
    statistics,
)
from longsum.evaluation.datasets.info import (
    DatasetInfo,
    Example,
    canonical_split,
    hash_split,
    may_ship,
)
from longsum.evaluation.datasets.salient_positions import SalientPositions, salient_positions

__all__ = [
    "AspectStatistics",
    "DatasetInfo",
    "Example",
    "SalientPositions",
    "Statistics",
    "aspect_statistics",
    "canonical_split",
    "dataset_info",
    "datasets",
    "hash_split",
    "load",
    "may_ship",
    "salient_positions",
    "statistics",
]
