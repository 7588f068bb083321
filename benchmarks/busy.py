"""What the default takes next to other programs, with threads that sleep or spin while waiting.

Run: python benchmarks/busy.py [--words N] [--repeat N] [--loops N] [--threads N …] [--json FILE]

Every figure is for a whole process, from command to result, alone and next to loops that keep all
cores busy (two, or as many as there are cores). Wall time is how long a person waits, processor
time what is spent; both are medians of runs taken in turn. `asleep` is what longsum sets
(`longsum.common.threads`), `spinning` the default of GNU's OpenMP. The loops get their share of the
cores: next to as many of them as there are cores, the best possible time is twice that alone.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from speed import COMMAND, write_text

# GNU's default number of spins.
WAYS = {"asleep": {}, "spinning": {"GOMP_SPINCOUNT": "300000"}}
SETTINGS = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY", "OMP_NUM_THREADS")


def main(arguments: list[str] | None = None) -> None:
    """Print the table; with `--json FILE` write the figures as JSON as well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--words", type=int, default=6_000, help="words of the document")
    parser.add_argument("--repeat", type=int, default=3, help="runs; the median is reported")
    parser.add_argument("--loops", type=int, default=os.cpu_count() or 2, help="busy loops")
    parser.add_argument(
        "--threads", type=int, nargs="+", help="numbers of threads; by default PyTorch's own"
    )
    parser.add_argument("--system", default="stepwise", help="system")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "text.txt"
        words = write_text(file, options.words)
        command = [*COMMAND, "summarize", str(file), "--system", options.system]
        rows = measure(command, options)
    print(f"{options.system}, {words:,} words, beside {options.loops} busy loops")
    print(
        f"{'threads':>8} {'waiting':<10}{'beside':>7}{'wall s':>9}{'processor s':>13}{'× alone':>9}"
    )
    for row in rows:
        print(
            f"{row['threads'] or 'own':>8} {row['waiting']:<10}{row['loops']:>7}"
            f"{row['wall']:>9.2f}{row['processor']:>13.2f}{row['ratio']:>9.1f}"
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def measure(command: list[str], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Run the command each way, alone and next to the loops, in turn; return the medians."""
    cases = [
        (threads, way, loops)
        for threads in options.threads or [None]
        for way in WAYS
        for loops in (0, options.loops)
    ]
    found: dict[tuple[int | None, str, int], list[tuple[float, float]]] = {}
    for _ in range(options.repeat):
        for case in cases:
            threads, way, loops = case
            said = {} if threads is None else {"OMP_NUM_THREADS": str(threads)}
            with busy(loops):
                found.setdefault(case, []).append(run(command, WAYS[way] | said))
    rows = []
    for (threads, way, loops), times in found.items():
        wall, processor = (statistics.median(column) for column in zip(*times, strict=True))
        alone = statistics.median(wall for wall, _ in found[threads, way, 0])
        rows.append(
            {
                "threads": threads,
                "waiting": way,
                "loops": loops,
                "wall": wall,
                "processor": processor,
                "ratio": wall / alone,
            }
        )
    return rows


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep a number of cores busy."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def run(command: list[str], said: dict[str, str]) -> tuple[float, float]:
    """Run a command with only the settings of threads; return its wall and processor seconds."""
    environment = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment | said)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
