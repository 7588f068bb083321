"""Data sets: streaming readers of shared and public sets into one schema."""

from longsum.datasets.aspect_statistics import AspectStatistics, aspect_statistics
from longsum.datasets.catalogue import dataset_info, datasets, load
from longsum.datasets.dataset_statistics import Statistics, statistics
from longsum.datasets.example import Example
from longsum.datasets.info import DatasetInfo, may_ship
from longsum.datasets.salient_positions import SalientPositions, salient_positions
from longsum.datasets.splits import canonical_split, hash_split

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
