"""Are the claims of reports on the CSV files of a folder true? Each is recomputed.

PYTHONPATH=tests/support python benchmarks/table_files.py FOLDER
"""

import sys
from pathlib import Path

from longsum.common.errors import LongsumError
from report_claims import check_file


def main(folder: Path) -> None:
    """Print the wrong claims, and the counts."""
    claims = wrong = unread = refused = 0
    files = sorted(folder.glob("*.csv"))
    for path in files:
        try:
            made, false, others = check_file(path)
        except LongsumError as error:
            print(f"{path.name}: {error}")
            refused += 1
            continue
        claims, wrong, unread = claims + made, wrong + len(false), unread + len(others)
        for sentence in (*false, *(f"not read: {each}" for each in others)):
            print(f"{path.name}: {sentence}")
    print(
        f"{len(files)} files, {refused} refused; {claims} claims, {wrong} wrong; "
        f"{unread} sentences without a claim that is known"
    )


main(Path(sys.argv[1]))
