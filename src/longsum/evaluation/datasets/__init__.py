"""Data sets: streaming readers of shared and public sets into one schema."""

from longsum.evaluation.datasets.catalogue import dataset_info, datasets, load, usual_split
from longsum.evaluation.datasets.info import Example
from longsum.evaluation.datasets.own_files import OwnData

__all__ = ["Example", "OwnData", "dataset_info", "datasets", "load", "usual_split"]
