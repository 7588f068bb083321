"""BIGPATENT (Sharma et al. 2019): U.S. patents with their abstracts.

The form is the authors' archive `bigPatentData`, unpacked: folders `train`, `val` and `test`, in
each a folder for each letter of the patent classification (a to h, and y), in each JSON-lines
files, gzipped, with `publication_number`, `description`, `abstract` and more. Letters that are not
there are left out, so a user may keep one alone.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from longsum.evaluation.datasets.info import (
    Dataset,
    DatasetInfo,
    Example,
    other_fields,
    split_names,
)
from longsum.evaluation.datasets.record_files import first_folder, json_lines, no_split_file

_INFO = DatasetInfo(
    name="bigpatent",
    description="1.3 million U.S. patents: the description with the abstract as its summary",
    license="CC BY 4.0",
    ships=True,
    source="evasharma.github.io/bigpatent",
    paper_or_url="https://aclanthology.org/P19-1212",
    note="The first release is lower-cased and tokenised, the second as filed.",
    variable="LONGSUM_DATA_BIGPATENT",
)


def read(root: Path, split: str) -> Iterator[Example]:
    """Yield the patents of a split, by class and then by file name."""
    folder = first_folder(root, "bigPatentData", "bigPatentDataNonTokenized")
    split_folder = first_folder(folder, *split_names(split))
    if split_folder == folder:
        raise no_split_file(folder, split, "{split}/<class>/*.gz")
    for path in sorted(split_folder.glob("[a-z]/*")):
        for record in json_lines(path):
            yield _example(record, path.parent.name, split)


def _example(record: Mapping[str, Any], patent_class: str, split: str) -> Example:
    # In the second release each line is a paragraph or a heading that stands alone.
    text = "\n\n".join(record["description"].splitlines())
    return _INFO.example(
        {"text": text},
        id=record["publication_number"],
        references=[record["abstract"]],
        split=split,
        extra=other_fields(record, "publication_number", "description", "abstract")
        | {"class": patent_class},
    )


DATASETS = (Dataset(_INFO, read),)
