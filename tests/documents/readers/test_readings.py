"""Files are read as before, with outline, kinds, speakers and omissions.

Those of `bold`, `columns`, `notes`, `plain` and `styled` are as LibreOffice and groff write them;
`paper`, `report` and `book` are as LaTeX does, with contents, notes, tables and running heads;
seven are of a genre each: a law, a patent, a pleading, a play, e-mail, subtitles and minutes. Those
of `looks` set lines off in every way; `parts`, `site` and `directives` have everything that a
format knows, by all its names. The others hold in few words what a format has, and say what is
meant to come of them where it can be told.

Where a reader is meant to read them otherwise, `python tests/documents/readers/test_readings.py`
writes anew what is expected; its difference shows what has changed. Of the same files with gaps
only checksums are kept, in `gaps.json`: they see what is near the limits of the rules.
"""

import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from longsum.common.errors import LongsumError
from longsum.documents import Source
from longsum.documents.readers import ReadLimits
from longsum.documents.readers.detect import parse
from longsum.documents.readers.pdf.pdf import lay_out
from longsum.documents.readers.pdf.pdf_content import gather
from longsum.documents.readers.pdf.pdf_extraction import extract

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))
from told_readings import told

FOLDER = Path(__file__).parent / "readings"
# What is expected of `a.pdf` stands in `a.pdf.json`.
FILES = sorted(path for path in FOLDER.iterdir() if len(path.suffixes) == 1)
CHECKSUMS = Path(__file__).parent / "gaps.json"
GAPPED = [path for path in FILES if path.suffix not in (".docx", ".epub", ".odt")]
STEPS = (3, 5, 9)
EVERY = [3, *(pytest.param(step, marks=pytest.mark.slow) for step in STEPS[1:])]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_read_as_before(check_document, path: Path) -> None:
    expected = json.loads(path.with_suffix(f"{path.suffix}.json").read_text(encoding="utf-8"))
    document = parse(path.read_bytes(), path.name)
    check_document(document)
    assert told(document) == expected


_TEXTS = [path for path in GAPPED if path.suffix not in (".pdf", ".json")]


@pytest.mark.parametrize("path", _TEXTS, ids=lambda path: path.name)
def test_a_byte_order_mark_and_other_line_ends_change_nothing(path: Path) -> None:
    data = path.read_bytes()
    expected = told(parse(data, path.name))
    assert told(parse(BOM_UTF8 + data, path.name)) == expected
    assert told(parse(data.replace(b"\n", b"\r\n"), path.name)) == expected
    if path.suffix in (".txt", ".info", ".tex", ".xml"):
        assert told(parse(data.replace(b"\n", b" \t\n"), path.name)) == expected


def with_gaps(path: Path, every: int) -> Iterator[str]:
    """Yield the readings of a file from which every n-th line or piece of a page was removed.

    Of those that are left as many stand lower, more to the right, and in larger type.
    """
    data, name = path.read_bytes(), path.name
    for first in range(every):
        try:
            if path.suffix == ".pdf":
                parts = [*extract(data, 99, 10**6)]
                for part in parts:
                    pieces = part.get("pieces", [])
                    del pieces[first::every]
                    for piece in pieces[::every]:
                        piece[1:5] = [piece[1] + 3, piece[2], piece[3] - 2, piece[4] * 1.25]
                document = lay_out(gather(parts, name, ReadLimits()), Source(name, "pdf"))
            else:
                lines = data.split(b"\n")
                del lines[first::every]
                document = parse(b"\n".join(lines), name)
            yield "\n".join(told(document))
        except LongsumError as error:
            yield str(error)


def checksums(path: Path, every: int) -> list[str]:
    return [f"{crc32(text.encode()):08x}" for text in with_gaps(path, every)]


@pytest.mark.parametrize("path", GAPPED, ids=lambda path: path.name)
@pytest.mark.parametrize("every", EVERY)
def test_a_file_with_gaps_is_read_as_before(path: Path, every: int) -> None:
    start = sum(step for step in STEPS if step < every)
    expected = json.loads(CHECKSUMS.read_text(encoding="utf-8"))[path.name].split()
    assert checksums(path, every) == expected[start : start + every]


if __name__ == "__main__":
    gaps = {
        path.name: " ".join(each for every in STEPS for each in checksums(path, every))
        for path in GAPPED
    }
    CHECKSUMS.write_text(f"{json.dumps(gaps, indent=0)}\n", encoding="utf-8")
    for path in FILES:
        found = json.dumps(told(parse(path.read_bytes(), path.name)), ensure_ascii=False, indent=1)
        path.with_suffix(f"{path.suffix}.json").write_text(f"{found}\n", encoding="utf-8")
