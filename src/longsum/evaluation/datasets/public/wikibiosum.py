"""WikiBioSum (Cao and Wang 2022, HIBRIDS, §5.1): biographies of Wikipedia with their leads.

The form is what the authors' released reader takes (github:ShuyangCao/hibrids_summ): a folder
`wikibiosum` with `train.jsonl`, `valid.jsonl` and `test.jsonl`; a line has `id`, `report` (one
section, `{"section_title", "paragraphs", "subsections"}`, that holds all) and `summary`, a list of
paragraphs. The files themselves were not at hand when this was written.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from longsum.evaluation.datasets.info import Dataset, DatasetInfo, Example, other_fields
from longsum.evaluation.datasets.public.govreport import nested_sections
from longsum.evaluation.datasets.record_files import first_folder, json_lines, require_split_file

_INFO = DatasetInfo(
    name="wikibiosum",
    description="Biographies of Wikipedia in nested sections with their lead paragraphs",
    license="CC BY-SA 3.0 (Wikipedia)",
    ships=False,
    source="github:ShuyangCao/hibrids_summ",
    paper_or_url="https://aclanthology.org/2022.acl-long.58",
    note="Share-alike; the lead is the summary, and no longer part of the document.",
    variable="LONGSUM_DATA_WIKIBIOSUM",
)


def read(root: Path, split: str) -> Iterator[Example]:
    """Yield the biographies of a split."""
    folder = first_folder(root, "wikibiosum")
    path = require_split_file(folder, split, "{split}.jsonl")
    for record in json_lines(path):
        yield _example(record, split)


def _example(record: Mapping[str, Any], split: str) -> Example:
    return _INFO.example(
        {"sections": list(nested_sections([record["report"]]))},
        id=str(record["id"]),
        references=["\n".join(record["summary"])],
        split=split,
        extra=other_fields(record, "id", "report", "summary"),
    )


DATASETS = (Dataset(_INFO, read),)
