"""Files are read as before, with outline, kinds, speakers, and what is left out.

Those of `bold`, `columns`, `notes`, `plain` and `styled` are as LibreOffice and groff write them;
seven are of a genre each: a law, a patent, a pleading, a play, e-mail, subtitles and minutes.

Where a reader is meant to read them otherwise, `python tests/documents/readers/test_readings.py`
writes anew what is expected; its difference shows what has changed.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from longsum.documents import Document
from longsum.documents.readers.detect import parse

FOLDER = Path(__file__).parent / "readings"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".json")


def told(document: Document) -> dict[str, Any]:
    """Return what a reader found, headings by their levels before what stands below them."""
    lines: list[str] = []
    for section in document.walk():
        evidence = section.evidence
        why = f" ({evidence.confidence:.4f} {', '.join(evidence.signs)})" if evidence else ""
        lines.append(f"{'#' * section.level} {section.title}{why}")
        for paragraph in section.paragraphs:
            lines.append("")
            lines += [f"{each.kind} {each.page} {each.speaker}: {each.text}" for each in paragraph]
    return {
        "title": document.title,
        "language": document.language,
        "warnings": list(document.warnings),
        "omitted": [
            f"{part.place} {part.page} {part.kind}: {part.text}" for part in document.omitted
        ],
        "lines": lines,
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_read_as_before(path: Path) -> None:
    expected = json.loads(path.with_suffix(f"{path.suffix}.json").read_text(encoding="utf-8"))
    assert told(parse(path.read_bytes(), path.name)) == expected


if __name__ == "__main__":
    for path in FILES:
        found = json.dumps(told(parse(path.read_bytes(), path.name)), ensure_ascii=False, indent=1)
        path.with_suffix(f"{path.suffix}.json").write_text(f"{found}\n", encoding="utf-8")
