"""A whole book from command to summary: time, memory, and whether interruptions leave traces.

Run: LONGSUM_DATA=… python benchmarks/books.py [--book NAME] [--kill N] [-- OPTION …]

The book is a textbook of `openstax_chapters` under CC BY, its chapters joined in order. Options
after `--` are passed to `longsum summarize`, such as `--system books`. Time and memory are those of
the whole process, memory as its largest resident size. With `--kill N` the book is summarized again
with a working folder (`--work`): N processes are killed, each at a random moment within the time of
a run, then one runs to the end, and must write the same bytes, timings aside.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from longsum.evaluation.datasets import Example, load

DATA = "openstax_chapters"
SPLITS = ("train", "validation", "test")
FREE = "creativecommons.org/licenses/by/"
COMMAND = [sys.executable, "-c", "from longsum.cli import main; main()", "summarize"]

SAME = "the same bytes"


def main() -> None:
    """Print the figures of one run, and the effect of interruptions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--book", default="Principles of Economics", help="part of its title")
    parser.add_argument("--chapters", type=int, help="only the first N")
    parser.add_argument("--length", default="1200w")
    parser.add_argument("--kill", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0, help="seed of the moments of interruption")
    parser.add_argument("options", nargs="*", help="of 'longsum summarize', after --")
    given = parser.parse_args()
    chapters = chapters_of(given.book)[: given.chapters]
    print(f"{chapters[0].extra['book']}, {len(chapters)} chapters, {given.length}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        book = folder / "book.md"
        book.write_text("\n\n".join(line for each in chapters for line in markdown(each)), "utf-8")
        fixed = ["--length", given.length, "--levels", "--format", "json", *given.options]
        command = [*COMMAND, str(book), *fixed]
        summary, seconds, megabytes = run(command, folder)
        levels = [len(level["parts"]) for level in summary.get("levels", ())]
        print(f"{'words':>9}{'seconds':>9}{'MB':>7}  parts of each level")
        print(f"{summary['document']['words']:>9}{seconds:>9.1f}{megabytes:>7.0f}  {levels}")
        if given.kill:
            command += ["--work", str(folder / "work")]
            moments = random.Random(given.seed)
            killed = sum(kill(command, moments.uniform(0, seconds)) for _ in range(given.kill))
            again, seconds, _ = run(command, folder)
            found = compared(summary, again)
            print(f"killed {killed} times of {given.kill}, then {seconds:.1f} s: {found}")
            sys.exit(found != SAME)


def chapters_of(title: str) -> list[Example]:
    """Return the chapters of the book whose title contains a text, in order."""
    chapters = [
        example
        for split in SPLITS
        for example in load(DATA, split)
        if FREE in example.license and title in example.extra["book"]
    ]
    if not chapters:
        sys.exit(f"{DATA} holds no book '{title}' under CC BY.")
    return sorted(
        chapters, key=lambda example: [int(each) for each in re.findall(r"\d+", example.id)]
    )


def markdown(chapter: Example) -> Iterator[str]:
    """Yield the blocks of a chapter."""
    yield f"# {chapter.document.title}"
    for section in chapter.document.walk():
        yield f"#{'#' * min(section.level, 5)} {section.title}"
        for paragraph in section.paragraphs:
            yield " ".join(sentence.text for sentence in paragraph)


def run(command: Sequence[str], folder: Path) -> tuple[dict[str, Any], float, float]:
    """Run to the end; return the output without timings, the seconds, and the megabytes."""
    began = time.perf_counter()
    with (folder / "summary.json").open("w+", encoding="utf-8") as written:
        process = subprocess.Popen(command, stdout=written, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        if status:
            sys.exit(f"{' '.join(command)} failed")
        written.seek(0)
        summary = json.load(written)
    del summary["timings"]
    return summary, seconds, usage.ru_maxrss / 1024


def compared(first: dict[str, Any], second: dict[str, Any]) -> str:
    """Say how two summaries differ."""
    if json.dumps(first) == json.dumps(second):
        return SAME
    same = first["summary"]["text"] == second["summary"]["text"]
    return "the same text, other numbers" if same else "another text"


def kill(command: Sequence[str], seconds: float) -> bool:
    """Run, and kill the process after some seconds; return whether it was still running."""
    silent = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=silent, stderr=silent) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return True
    return False


if __name__ == "__main__":
    main()
