"""What hostile files cost before they end as a summary or in one sentence.

Run: python benchmarks/hostile.py [--only TEXT] [--json FILE]
     python benchmarks/hostile.py --cost [--json FILE]

The files are those of the checklist in docs/limits.md (tests/support/hostile_files.py). A separate
program reads each with `longsum.read_bytes`, which itself reads in another process, and summarizes
the document in 200 words. Seconds are processor time of both processes; memory is their peak beyond
what they used before the file. `--cost` compares reading in one process with reading in two.
"""

import argparse
import json
import os
import platform
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

import longsum
from hostile_files import Hostile, hostile_files
from longsum.common.errors import LongsumError
from longsum.documents.readers import detect, read_bytes
from longsum.documents.readers.isolation import reading_process, worker

MOST_SECONDS, MOST_MEGABYTES = 5, 300
WORDS = (10, 100, 1_000, 10_000, 100_000)
SENTENCE = "<p>The river carries water from the mountains to the sea every year.</p>\n"


def main() -> None:
    """Print the table; with `--json FILE` write it as JSON as well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--only", default="", help="only files so described")
    parser.add_argument("--cost", action="store_true", help="compare reading in and out of process")
    parser.add_argument("--case", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args()
    if options.case is not None:
        print(json.dumps(measure(list(hostile_files())[options.case])))
        return
    rows = costs() if options.cost else table(options.only)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def table(only: str) -> list[dict[str, Any]]:
    """Measure every file in a process of its own; print a row for each."""
    rows = []
    print(f"{'item':>4} {'file':<46}{'kB':>8}{'reading':>9}{'summary':>9}{'MB':>6}  end")
    for number, file in enumerate(hostile_files()):
        if only not in file.what:
            continue
        command = [sys.executable, __file__, "--case", str(number)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        row = {"item": file.item, "file": file.what, **json.loads(done.stdout)}
        rows.append(row)
        kept = "" if row["as it must"] else "NOT AS IT MUST: "
        print(
            f"{file.item:>4} {file.what:<46}{row['kb']:>8,.0f}{row['reading']:>9.2f}"
            f"{row['seconds'] - row['reading']:>9.2f}{row['mb']:>6.0f}  {kept}{row['end'][:70]}",
            flush=True,
        )
    if not rows:
        raise SystemExit(f"No file's description has {only!r}.")
    within = [row for row in rows if row["seconds"] < MOST_SECONDS and row["mb"] < MOST_MEGABYTES]
    good = sum(row["as it must"] for row in rows)
    print(
        f"{len(rows)} files: {good} end as they must, {len(within)} under {MOST_SECONDS} s "
        f"and {MOST_MEGABYTES} MB; at most {max(row['seconds'] for row in rows):.2f} s "
        f"and {max(row['mb'] for row in rows):.0f} MB"
    )
    return rows


def measure(file: Hostile) -> dict[str, Any]:
    """Read and summarize a file; return the cost and the outcome."""
    with _reports() as report:
        # Modules loaded by the first documents belong to the idle process.
        for page in (b"The sea is wide. It is deep.", *[b"<html><p>The sea is wide. Yes."] * 2):
            idle_document = read_bytes(page, "a.html")
        report(), report()
        longsum.summarize(idle_document, length=200)
        data = file.make()
        # The peak from now on, not since the file was created.
        Path("/proc/self/clear_refs").write_text("5")
        idle, start = _resident(), process_time()
        try:
            document = read_bytes(data, file.name)
            read = process_time()
            summary = longsum.summarize(document, length=200)
        except LongsumError as error:
            end, text = str(error), None
            read = process_time()
        else:
            end, text = repr(summary), document.text
        seconds, held = process_time() - start, _most() - idle
        reading_process._SERVER.stop()
        apart_seconds, apart_held = report()
    return {
        "kb": len(data) / 1000,
        "reading": read - start + apart_seconds,
        "seconds": seconds + apart_seconds,
        "mb": (held + apart_held) / 1e6,
        "end": end,
        "as it must": _as_it_must(file, end, text),
    }


def costs() -> list[dict[str, Any]]:
    """Measure the overhead of reading in another process; print a row for each length."""
    rows = []
    print(f"{'words':>8}{'here s':>9}{'apart s':>9}{'of it here':>12}")
    with _reports() as report:
        for words in WORDS:
            data = b"<html>" + SENTENCE.encode() * (words // 12 + 1)
            here, apart, asking = [], [], []
            for _ in range(7):
                start = process_time()
                detect.parse(data, "a.html")
                here.append(process_time() - start)
                start = process_time()
                read_bytes(data, "a.html")
                asking.append(process_time() - start)
                apart.append(asking[-1] + report()[0])
            row = {"words": words, "here": median(here), "apart": median(apart)}
            rows.append({**row, "asking": median(asking)})
            print(f"{words:>8,}{row['here']:>9.3f}{row['apart']:>9.3f}{median(asking):>12.3f}")
        reading_process._SERVER.stop()
    return rows


def _as_it_must(file: Hostile, end: str, text: str | None) -> bool:
    if text is None:
        return file.refused is not None and re.search(file.refused, end) is not None
    return file.holds is not None and file.holds in text


@contextmanager
def _reports() -> Iterator[Callable[[], tuple[float, float]]]:
    """Have each reading process report its use: seconds, and bytes beyond its first.

    They are forks of this process, so that changes made here hold there.

    Yields:
        A function that waits for the next report; it returns zeros if no process is reading.
    """
    read, write = os.pipe()
    _report_to(write)
    reading_process.stand_by()
    os.close(write)
    with os.fdopen(read) as reports:
        yield lambda: tuple(json.loads(reports.readline() or "[0, 0]"))


def _report_to(file: int) -> None:
    """Make forks of this process write their use to a file when they end."""
    converse, leave = worker._converse, os._exit

    def reporting(connection: Any) -> None:
        idle = _resident()

        def report(status: int) -> None:
            used = [process_time(), max(0, _most() - idle)]
            os.write(file, json.dumps(used).encode() + b"\n")
            leave(status)

        os._exit = report
        converse(connection)

    def keep_both(control: int) -> None:
        for other in range(3, 64):
            if other not in (control, file):
                with suppress(OSError):
                    os.close(other)

    worker._keep_only = keep_both
    worker._converse = reporting


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _most() -> int:
    """Return this process's peak of memory in bytes, without the file that others need."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
