"""Files are read as before, with outline, kinds, speakers, and what is left out.

Those of `bold`, `columns`, `notes`, `plain` and `styled` are as LibreOffice and groff write them;
`paper`, `report` and `book` are as LaTeX does, with contents, notes, tables and running heads;
seven are of a genre each: a law, a patent, a pleading, a play, e-mail, subtitles and minutes. Those
of `looks` set lines off in every way; `parts` and `site` have everything that a format knows, by
all its names. The others hold in few words what a format has, and say what is meant to come of them
where it can be told.

Where a reader is meant to read them otherwise, `python tests/documents/readers/test_readings.py`
writes anew what is expected; its difference shows what has changed. Of the same files with gaps,
and with changes by chance, only checksums are kept, in `gaps.json`: they see what is near the
limits of the rules.
"""

import io
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
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
from document_views import CheckDocument
from told_readings import told

FOLDER = Path(__file__).parent / "readings"
# What is expected of `a.pdf` stands in `a.pdf.json`.
FILES = sorted(path for path in FOLDER.iterdir() if len(path.suffixes) == 1)
CHECKSUMS = Path(__file__).parent / "gaps.json"
GAPPED = [path for path in FILES if path.suffix not in (".docx", ".epub", ".odt")]
STEPS = (2, 3, 5, 9)
CHANCES = 4
# Attributes and texts of markup, control words and texts, values, and lines.
_MARKUP = re.compile(rb'\s(?!xmlns)[\w:.-]+="[^"]*"|(?<=>)[^<>&]+(?=<)')
_CONTROLS = re.compile(rb"\\[a-z]+-?\d* ?|[^\\{}]{9,}")
_VALUES, _LINES = re.compile(rb'(?<=: ")[^"\\]+(?=")'), re.compile(rb"[^\n]+\n")
EVERY = [2, 3, *(pytest.param(step, marks=pytest.mark.slow) for step in STEPS[2:])]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_read_as_before(check_document: CheckDocument, path: Path) -> None:
    expected = json.loads(path.with_suffix(f"{path.suffix}.json").read_text(encoding="utf-8"))
    document = parse(path.read_bytes(), path.name)
    check_document(document)
    assert told(document) == expected


def with_gaps(path: Path, every: int) -> Iterator[str]:
    """Yield what is read of a file without every so many lines or pieces of a page.

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


def changed(data: bytes, chance: Random) -> bytes:
    """Return a file in which parts by chance are gone, doubled, cut, larger, or set otherwise."""
    if data.startswith(b"PK"):
        written = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(written, "w") as new:
            for name in old.namelist():
                part = old.read(name)
                kept = re.search("rels|Types|META-INF|mimetype", name)
                new.writestr(name, part if kept else changed(part, chance))
        return written.getvalue()

    def other(found: re.Match[bytes]) -> bytes:
        part = found[0]
        if chance.random() > 0.15:
            return part
        if part.startswith((b" ", b"\\")) and not part.endswith(b"\n"):
            larger = re.sub(rb"\d+", lambda number: b"%d" % (int(number[0]) * 3 // 2), part)
            return chance.choice((b"", larger))
        more = part.upper(), b" ".join(part.split(b" ")[:3]), b"12. " + part, b"> " + part
        return chance.choice((b"", part + part, b"   " + part, part.strip() + b" ", *more))

    start = data.lstrip()[:2]
    parts = {b"{\\": _CONTROLS, b"{\n": _VALUES, b"[\n": _VALUES}.get(start, _LINES)
    return (_MARKUP if start.startswith(b"<") else parts).sub(other, data)


def jittered(path: Path, chance: Random) -> str:
    """Return what is read of a PDF whose pieces are moved, larger and bolder by chance."""
    parts = [*extract(path.read_bytes(), 99, 10**6)]
    for part in parts:
        for piece in part.get("pieces", []):
            if chance.random() < 0.15:
                piece[1] += chance.choice((0, 4, 9, 15, 30))
                piece[3] -= chance.choice((0, 1, 2, 4, 8))
                piece[4] *= chance.choice((0.8, 0.93, 1, 1.05, 1.2))
    return "\n".join(
        told(lay_out(gather(parts, path.name, ReadLimits()), Source(path.name, "pdf")))
    )


def with_changes(path: Path) -> Iterator[str]:
    """Yield what is read of a file with changes by chance."""
    for seed in range(CHANCES):
        chance = Random(f"{seed} {path.name}")
        try:
            if path.suffix == ".pdf":
                yield jittered(path, chance)
            else:
                yield "\n".join(told(parse(changed(path.read_bytes(), chance), path.name)))
        except LongsumError as error:
            yield str(error)


def checksums(path: Path, every: int) -> list[str]:
    texts = with_gaps(path, every) if every else with_changes(path)
    return [f"{crc32(text.encode()):08x}" for text in texts]


@pytest.mark.parametrize("path", GAPPED, ids=lambda path: path.name)
@pytest.mark.parametrize("every", EVERY)
def test_a_file_with_gaps_is_read_as_before(path: Path, every: int) -> None:
    start = sum(step for step in STEPS if step < every)
    expected = json.loads(CHECKSUMS.read_text(encoding="utf-8"))[path.name].split()
    assert checksums(path, every) == expected[start : start + every]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_with_changes_is_read_as_before(path: Path) -> None:
    expected = json.loads(CHECKSUMS.read_text(encoding="utf-8"))[path.name].split()
    assert checksums(path, 0) == expected[-CHANCES:]


if __name__ == "__main__":
    gaps = {
        path.name: " ".join(
            each for every in (*STEPS * (path in GAPPED), 0) for each in checksums(path, every)
        )
        for path in FILES
    }
    CHECKSUMS.write_text(f"{json.dumps(gaps, indent=0)}\n", encoding="utf-8")
    for path in FILES:
        found = json.dumps(told(parse(path.read_bytes(), path.name)), ensure_ascii=False, indent=1)
        path.with_suffix(f"{path.suffix}.json").write_text(f"{found}\n", encoding="utf-8")
