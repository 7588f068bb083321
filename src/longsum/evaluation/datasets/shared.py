"""Reader of the shared data sets: JSON lines of one schema; the table is `shared.yaml`."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from longsum.common.structured_text import shipped_yaml
from longsum.evaluation.datasets.info import (
    HASHED_SPLITS,
    Dataset,
    DatasetInfo,
    Example,
    as_paragraphs,
    hash_split,
    other_fields,
)
from longsum.evaluation.datasets.record_files import json_lines, no_split_file

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_WITHOUT_SPLITS = "all"
_USED = (
    *("id", "title", "text", "sections", "sentences", "paragraph_unit"),
    *("summary", "summaries", "split", "license"),
)


@cache
def shared_datasets() -> tuple[Dataset, ...]:
    """Return the sets of `shared.yaml`, in its order."""
    table = shipped_yaml("longsum.evaluation.datasets", "shared.yaml")
    return tuple(_dataset(name, row) for name, row in table.items())


def _dataset(name: str, row: Mapping[str, Any]) -> Dataset:
    split_files: dict[str, list[str]] = row.get("files", {})
    info = DatasetInfo(
        name=name,
        description=row["description"],
        license=row["license"],
        ships=row["ships"],
        kind=row.get("kind", "text"),
        splits=HASHED_SPLITS if _WITHOUT_SPLITS in split_files else tuple(split_files),
        source=row["source"],
        paper_or_url=row.get("paper", ""),
        note=row.get("note", ""),
    )
    return Dataset(info, partial(_read, info, row.get("folder", name), split_files))


def _read(
    info: DatasetInfo,
    folder: str,
    split_files: Mapping[str, list[str]],
    root: Path,
    split: str,
) -> Iterator[Example]:
    """Yield the examples of a split; a set without splits is divided by `hash_split`."""
    hashed = _WITHOUT_SPLITS in split_files
    for name in split_files[_WITHOUT_SPLITS if hashed else split]:
        path = root / folder / name
        if not path.is_file():
            raise no_split_file(root / folder, split, name)
        for record in json_lines(path):
            if not hashed or hash_split(record["id"]) == split:
                yield _example(info, record, split)


def _example(info: DatasetInfo, record: Mapping[str, Any], split: str) -> Example:
    return info.example(
        _document_record(record),
        id=record["id"],
        references=record.get("summaries") or [record["summary"]],
        split=split,
        license=record.get("license") or "",
        extra=other_fields(record, *_USED),
    )


def _document_record(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Convert a record, whether divided into sentences, turns or paragraphs, to one form.

    No set with `text` has headings, so they are not searched for: a line in capitals is speech.
    """
    if "sections" in record:
        return record
    title, text = record.get("title") or "", record["text"]
    if "sentences" in record:
        return as_paragraphs(record["sentences"], title) | {"paragraph_unit": "sentence"}
    paragraphs = _paragraphs(text)
    if title and paragraphs[:1] == [title]:
        return as_paragraphs(paragraphs[1:], title)
    # A title taken from the running text would occur twice.
    return as_paragraphs(paragraphs, "" if text.startswith(title) else title)


def _paragraphs(text: str) -> list[str]:
    """Split at blank lines if there are any, else at every line (one turn per line)."""
    blocks = _BLANK_LINE.split(text) if _BLANK_LINE.search(text) else text.splitlines()
    return [" ".join(block.split()) for block in blocks]
