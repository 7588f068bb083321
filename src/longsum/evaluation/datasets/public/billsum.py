"""BillSum (Kornilova and Eidelman 2019): bills of the U.S. Congress and of California.

The form is the authors' (github:FiscalNote/BillSum, README): JSON lines
`us_train_data_final_OFFICIAL.jsonl`, `us_test_data_final_OFFICIAL.jsonl` and
`ca_test_data_final_OFFICIAL.jsonl` with `text`, `summary`, `title` and `bill_id` (in the
Californian file `external_id`). Files named after the split alone are read too.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from longsum.evaluation.datasets.info import Dataset, DatasetInfo, Example, other_fields
from longsum.evaluation.datasets.record_files import json_lines, require_split_file

_INFO = DatasetInfo(
    name="billsum",
    description="Bills of the U.S. Congress and of California with their official summaries",
    license="none stated (works of the U.S. and Californian governments)",
    ships=False,
    splits=("train", "test", "ca_test"),
    source="github:FiscalNote/BillSum",
    paper_or_url="https://aclanthology.org/D19-5406",
    note="No validation split; 'us_train' and 'us_test' are taken for 'train' and 'test'.",
    variable="LONGSUM_DATA_BILLSUM",
)
_PATTERNS = ("us_{split}_data_final_OFFICIAL.jsonl", "{split}_data_final_OFFICIAL.jsonl")


def read(root: Path, split: str) -> Iterator[Example]:
    """Yield the bills of a split."""
    named = _PATTERNS[1:] if split == "ca_test" else _PATTERNS
    path = require_split_file(root, split, *named, "{split}.jsonl")
    for number, record in enumerate(json_lines(path)):
        id = record.get("bill_id") or record.get("external_id") or f"{split}_{number}"
        yield _example(record, str(id), split)


def _example(record: Mapping[str, Any], id: str, split: str) -> Example:
    return _INFO.example(
        {"title": record.get("title"), "text": record["text"]},
        id=id,
        references=[record["summary"]],
        split=split,
        extra=other_fields(record, "title", "text", "summary"),
    )


DATASETS = (Dataset(_INFO, read),)
