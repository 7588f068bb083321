"""Time and memory from command to result, against sumy on the same files in the same run.

Run: python benchmarks/speed.py [--repeat N] [--words N …] [--systems S …] [--busy N] [--json FILE]

Every figure is for a whole process: the command line for longsum, a short program for sumy that
reads the same file, splits it with longsum's splitter and scores its sentences. Times are medians
of N runs in turns, after a warm-up run, with compiled bytecode as in an installed package; memory
is the largest resident size of any run. With `--busy N`, N programs that only count run at the same
time.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from longsum.documents.readers import read
from longsum.language.words import count_words

HERE = Path(__file__).parent
EXAMPLE = HERE.parent / "examples" / "crypto-mining.md"
COMMAND = [sys.executable, "-c", "from longsum.cli import main; main()"]
PEER = [
    sys.executable,
    "-c",
    "import sys; sys.path.insert(0, sys.argv[1]); from sumy_systems import Sumy; "
    "from longsum.documents.readers import read; from longsum.core.summaries import Budget; "
    "print(Sumy(sys.argv[2]).summarize(read(sys.argv[3]), Budget(250)).text)",
    str(HERE),
]
# sumy compares every pair of sentences; beyond this many words it would take hours.
MOST_WORDS_FOR_PEERS = 11_000


def main() -> None:
    """Print the table; with `--json FILE` write it as JSON as well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="runs; the median is reported")
    parser.add_argument("--words", type=int, nargs="+", default=[2_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--systems", nargs="+", default=["stepwise", "kernels", "graph"])
    parser.add_argument(
        "--busy", type=int, default=0, help="number of programs computing at the same time"
    )
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, busy(options.busy):
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        rows = [{"case": "longsum --help", "words": 0, **measure([[*COMMAND, "--help"]], 9)[0]}]
        for words in options.words:
            file = Path(folder) / f"{words}.txt"
            size = write_text(file, words)
            repeat = options.repeat if words < 1_000_000 else 1
            rows.extend(compare(file, size, options.systems, repeat))
    print(f"{'case':<24}{'words':>9}{'seconds':>9}{'MB':>7}{'× stepwise':>11}")
    for row in rows:
        ratio = f"{row['ratio']:>11.1f}" if "ratio" in row else ""
        print(f"{row['case']:<24}{row['words']:>9}{row['seconds']:>9.2f}{row['mb']:>7.0f}{ratio}")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Run programs that compute during the measurement."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()


def compare(
    file: Path, words: int, systems: list[str], repeat: int
) -> list[dict[str, float | int | str]]:
    """Measure the systems and, if feasible, the peers on one file."""
    cases = {
        f"longsum {system}": [*COMMAND, "summarize", str(file), "--system", system]
        for system in systems
    }
    if words <= MOST_WORDS_FOR_PEERS:
        cases |= {
            f"sumy {name}": [*PEER, name, str(file)] for name in ("textrank", "lsa", "lexrank")
        }
    found = measure(list(cases.values()), repeat)
    return [
        {"case": case, "words": words, **row, "ratio": row["seconds"] / found[0]["seconds"]}
        for case, row in zip(cases, found, strict=True)
    ]


def measure(commands: list[list[str]], repeat: int) -> list[dict[str, float]]:
    """Run the commands in turn; return the median time and the largest memory of each."""
    seconds: list[list[float]] = [[] for _ in commands]
    memory = [0.0] * len(commands)
    for turn in range(repeat + 1):
        for place, command in enumerate(commands):
            began = time.perf_counter()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            if turn:
                seconds[place].append(time.perf_counter() - began)
            if status:
                sys.exit(f"{command} failed")
            memory[place] = max(memory[place], usage.ru_maxrss / 1024)
    return [
        {"seconds": statistics.median(times), "mb": peak}
        for times, peak in zip(seconds, memory, strict=True)
    ]


def write_text(file: Path, words: int) -> int:
    """Write a text of about this many words: the example repeated with varied words.

    Each repetition gets a mark of its own in every tenth word, so that vocabulary grows with
    length, as it does in real text.
    """
    document = read(EXAMPLE)
    written = 0
    with file.open("w", encoding="utf-8") as out:
        for copy in range(words):
            for section in document.walk():
                out.write(f"{copy + 1}. {section.title}\n\n")
                for paragraph in section.paragraphs:
                    text = " ".join(sentence.text for sentence in paragraph).split()
                    varied = [
                        f"{word}x{copy}" if place % 10 == 5 and word.isalpha() else word
                        for place, word in enumerate(text)
                    ]
                    out.write(" ".join(varied) + "\n\n")
                    written += count_words(" ".join(varied))
                    if written >= words:
                        return written
    return written


if __name__ == "__main__":
    main()
