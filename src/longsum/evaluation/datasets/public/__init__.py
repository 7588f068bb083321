"""Readers of the public forms of data sets that users have on disk, one file a form.

Each set is read from the folder that `LONGSUM_DATA_<NAME>` names, or that is given as the root.
"""

from longsum.evaluation.datasets.info import Dataset
from longsum.evaluation.datasets.public import (
    bigpatent,
    billsum,
    booksum,
    cnn_dailymail,
    govreport,
    govreport_qs,
    mls,
    scientific_papers,
    summscreen,
    wikibiosum,
)

PUBLIC_DATASETS: tuple[Dataset, ...] = (
    *govreport.DATASETS,
    *govreport_qs.DATASETS,
    *wikibiosum.DATASETS,
    *scientific_papers.DATASETS,
    *billsum.DATASETS,
    *bigpatent.DATASETS,
    *booksum.DATASETS,
    *summscreen.DATASETS,
    *cnn_dailymail.DATASETS,
    *mls.DATASETS,
)
