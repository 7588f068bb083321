import csv
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from page_fixtures import as_before  # noqa: F401

WriteLines = Callable[[Path, list[dict[str, Any]]], None]


@pytest.fixture
def write_lines() -> WriteLines:
    """Write records as JSON lines, packed as the file's ending says."""

    def write(path: Path, records: list[dict[str, Any]]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(record) + "\n" for record in records)
        pack = {".xz": lzma.compress, ".gz": gzip.compress}.get(path.suffix, bytes)
        path.write_bytes(pack(text.encode()))

    return write


@pytest.fixture
def write_csv() -> WriteLines:
    """Write records of the same fields as CSV with a header."""

    def write(path: Path, records: list[dict[str, Any]]) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(records[0]))
            writer.writeheader()
            writer.writerows(records)

    return write


@pytest.fixture
def write_text() -> Callable[[Path, str], None]:
    """Write a text file and the folders above it."""

    def write(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    return write


def section(title: str | None, *paragraphs: str, subsections: tuple = ()) -> dict:
    """Make a section in the form of GovReport."""
    return {
        "section_title": title,
        "paragraphs": list(paragraphs),
        "subsections": list(subsections),
    }
