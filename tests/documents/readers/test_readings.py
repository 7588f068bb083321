"""Files are read as before, with outline, kinds, speakers, and what is left out.

Those of `bold`, `columns`, `notes`, `plain` and `styled` are as LibreOffice and groff write them;
`paper`, `report` and `book` are as LaTeX does, with contents, notes, tables and running heads;
seven are of a genre each: a law, a patent, a pleading, a play, e-mail, subtitles and minutes. Those
of `looks` set lines off in every way; `parts` have everything that a format knows, by all its
names. The others hold in few words what a format has, and say what is meant to come of them where
it can be told.

Where a reader is meant to read them otherwise, `python tests/documents/readers/test_readings.py`
writes anew what is expected; its difference shows what has changed.
"""

import json
import sys
from pathlib import Path

import pytest

from document_views import CheckDocument
from longsum.documents.readers.detect import parse

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))
from told_readings import told

FOLDER = Path(__file__).parent / "readings"
# What is expected of `a.pdf` stands in `a.pdf.json`.
FILES = sorted(path for path in FOLDER.iterdir() if len(path.suffixes) == 1)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_read_as_before(check_document: CheckDocument, path: Path) -> None:
    expected = json.loads(path.with_suffix(f"{path.suffix}.json").read_text(encoding="utf-8"))
    document = parse(path.read_bytes(), path.name)
    check_document(document)
    assert told(document) == expected


if __name__ == "__main__":
    for path in FILES:
        found = json.dumps(told(parse(path.read_bytes(), path.name)), ensure_ascii=False, indent=1)
        path.with_suffix(f"{path.suffix}.json").write_text(f"{found}\n", encoding="utf-8")
