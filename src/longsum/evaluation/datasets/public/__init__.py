"""Readers of data sets in the forms in which they were published; most have a module each.

A set is read from the folder that `LONGSUM_DATA_<NAME>` names, or that is given as the root.
"""

from longsum.evaluation.datasets.info import Dataset
from longsum.evaluation.datasets.public import (
    booksum,
    cnn_dailymail,
    document_lines,
    govreport,
    mls,
    summscreen,
)

PUBLIC_DATASETS: tuple[Dataset, ...] = (
    *govreport.DATASETS,
    *document_lines.DATASETS,
    *booksum.DATASETS,
    *summscreen.DATASETS,
    *cnn_dailymail.DATASETS,
    *mls.DATASETS,
)
