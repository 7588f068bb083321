"""How `longsum batch` handles runs whose files have been damaged, swapped or deleted.

    python benchmarks/damages.py [--only WORD] [--state finished|half-done]

A small run is damaged in one way after another, both when it is finished and when half of it is
done. Each time `status` has to notice; `resume` has to repair the run, or to refuse it in a
sentence and continue once that was followed; `verify` then has to agree, and the rows have to be
those of an undamaged run.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

from kills import write_corpus

_SECONDS = 60
_ROWS, _RECORD = "rows/block-000001.jsonl", "done/block-000001.json"
_MANIFEST, _PLAN = "manifest.json", "plan.jsonl"

Damage = Callable[[Path], object]


def main() -> None:
    """Print a line for each damage, and how many were noticed and repaired."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only damages whose names contain this word")
    parser.add_argument("--state", choices=["finished", "half-done"], help="only this state")
    options = parser.parse_args()
    states = [options.state] if options.state else ["finished", "half-done"]
    print(
        "| damage | run | status | resume | verify | rows as undamaged |\n|---|---|---|---|---|---|"
    )
    told = []
    with tempfile.TemporaryDirectory() as folder:
        runs = _runs(Path(folder))
        for name, damage in _damages(runs):
            for state in states if options.only in name else ():
                told.append(_tried(name, damage, state, runs))
    for what in ("seen", "mended", "refused", "whole"):
        print(f"{what}: {sum(what in outcome for outcome in told)} of {len(told)}", end="; ")
    print()


def _runs(folder: Path) -> dict[str, Path]:
    """Make the runs: one to damage, half of it, and two others to take files from."""
    runs = {}
    for name, corpus, length in (
        ("finished", "corpus", "3s"),
        ("other settings", "corpus", "2s"),
        ("same settings", "corpus", "3s"),
        ("other corpus", "others", "3s"),
    ):
        path = folder / f"{corpus}.jsonl"
        if not path.exists():
            write_corpus(path, 20, random.Random(corpus))
        runs[name] = folder / name
        begin = [str(path), str(runs[name]), "--system", "lead", "--format", "jsonl"]
        _longsum(*begin, "--length", length, "--block", "4", "--workers", "1")
    runs["half-done"] = folder / "half-done"
    shutil.copytree(runs["finished"], runs["half-done"])
    for number in (3, 4):
        (runs["half-done"] / f"rows/block-00000{number}.jsonl").unlink()
        (runs["half-done"] / f"done/block-00000{number}.json").unlink()
    return runs


def _damages(runs: dict[str, Path]) -> Iterator[tuple[str, Damage]]:
    for file in (_MANIFEST, _PLAN, _RECORD, _ROWS):
        for name, damage in _OF_A_FILE.items():
            yield f"{file} {name}", lambda out, file=file, damage=damage: damage(out / file)
        for other in ("other settings", "same settings", "other corpus"):
            source = runs[other] / file
            yield (
                f"{file} of a run with {other.replace('same', 'the same')}",
                lambda out, file=file, source=source: shutil.copy(source, out / file),
            )
    for file in (_MANIFEST, _RECORD):
        fields = json.loads((runs["finished"] / file).read_text())
        for field, value in zip(fields, cycle(("a text", [3], None, 10**30)), strict=False):
            yield (
                f"{file} {field} {value!r}",
                lambda out, file=file, field=field, value=value: _set(out / file, field, value),
            )
    for folder in ("rows", "done"):
        yield f"{folder} deleted", lambda out, folder=folder: shutil.rmtree(out / folder)
        for name, damage in _OF_A_FOLDER.items():
            yield f"{folder} {name}", lambda out, folder=folder, damage=damage: damage(out / folder)
        yield f"{folder} swapped", lambda out, folder=folder: _swap(out / folder)
    yield "rows and records swapped", lambda out: (_swap(out / "rows"), _swap(out / "done"))
    yield "rows and done swapped", lambda out: _exchange(out / "rows", out / "done")
    yield (
        "rows and records of another run",
        lambda out: [
            shutil.copy(runs["other settings"] / file, out / file) for file in (_ROWS, _RECORD)
        ],
    )
    yield "a summary edited", lambda out: _edit(out / _ROWS, "The ", "A ")
    yield "a word of equal size", lambda out: _edit(out / _ROWS, "river", "RIVER")
    yield "a row doubled", lambda out: _lines(out / _ROWS, lambda lines: [*lines, lines[0]])
    yield "a row deleted", lambda out: _lines(out / _ROWS, lambda lines: lines[1:])
    yield "rows in another order", lambda out: _lines(out / _ROWS, lambda lines: lines[::-1])
    yield "a plan line doubled", lambda out: _lines(out / _PLAN, lambda it: [*it[:3], *it[2:]])
    yield "a plan line deleted", lambda out: _lines(out / _PLAN, lambda it: [*it[:2], *it[3:]])
    yield "the last plan line deleted", lambda out: _lines(out / _PLAN, lambda lines: lines[:-1])
    yield (
        "plan lines swapped",
        lambda out: _lines(out / _PLAN, lambda it: [*it[:-2], it[-1], it[-2]]),
    )
    yield (
        "a document of the plan renamed",
        lambda out: _edit(out / _PLAN, "document 5", "document X"),
    )
    yield "the plan's hash deleted", lambda out: _lines(out / _PLAN, lambda lines: lines[1:])


_OF_A_FILE: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "emptied": lambda path: path.write_bytes(b""),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-20]),
    "longer by a line": lambda path: path.write_bytes(path.read_bytes() + b"{}\n"),
    "of zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "binary": lambda path: path.write_bytes(random.Random(0).randbytes(5000)),
    "a list": lambda path: path.write_text("[]\n"),
    "a number": lambda path: path.write_text("7\n"),
    "an empty object": lambda path: path.write_text("{}\n"),
    "nested deeply": lambda path: path.write_text("[" * 200_000),
    "a long number": lambda path: path.write_text("9" * 10_000),
    "huge": lambda path: os.truncate(path, 2**31),
    "a folder": lambda path: (path.unlink(), path.mkdir(), (path / "mine").touch()),
    "a FIFO": lambda path: (path.unlink(), os.mkfifo(path)),
    "a link to itself": lambda path: (path.unlink(), path.symlink_to(path.name)),
    "a link to nothing": lambda path: (path.unlink(), path.symlink_to("nothing")),
    "a link to an endless device": lambda path: (path.unlink(), path.symlink_to("/dev/zero")),
}
_OF_A_FOLDER: dict[str, Callable[[Path], object]] = {
    "a file": lambda path: (shutil.rmtree(path), path.touch()),
    "a link to itself": lambda path: (shutil.rmtree(path), path.symlink_to(path.name)),
    "with a file more": lambda path: (path / "mine.txt").touch(),
    "with a block more": lambda path: shutil.copy(*_first_and_name(path, "block-000007")),
    "with a copy": lambda path: shutil.copy(*_first_and_name(path, "block-000000 (copy)")),
    "with a folder more": lambda path: (path / "block-000000").mkdir(),
}


def _first_and_name(folder: Path, name: str) -> tuple[Path, Path]:
    first = min(folder.iterdir())
    return first, folder / f"{name}{first.suffix}"


def _set(path: Path, field: str, value: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), field: value}))


def _swap(folder: Path) -> None:
    first, second = sorted(folder.iterdir())[:2]
    _exchange(first, second)


def _exchange(first: Path, second: Path) -> None:
    aside = first.rename(first.with_name("aside for now"))
    second.rename(first)
    aside.rename(second)


def _edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


def _lines(path: Path, change: Callable[[list[str]], list[str]]) -> None:
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))


def _tried(name: str, damage: Damage, state: str, runs: dict[str, Path]) -> set[str]:
    """Damage a run, print how it went, and return that in words."""
    out = runs["finished"].with_name("out")
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(runs[state], out)
    damage(out)
    expected = 20 if state == "finished" else 12
    status = _longsum("status", str(out), "--format", "json")
    found = json.loads(status.stdout) if status.returncode == 0 else None
    outcome = set()
    if found is None or found["damaged"] or found["done"] != expected:
        outcome.add("seen")
    resumed = _longsum("resume", str(out), "--workers", "1")
    if resumed.returncode == 0:
        outcome.add("mended")
    elif resumed.returncode == 2 and len(resumed.stderr.splitlines()) == 1:
        outcome.add("refused")
        # Its sentence asks for the file that belongs there.
        for file in (_MANIFEST, _PLAN):
            if (out / file).is_dir() and not (out / file).is_symlink():
                shutil.rmtree(out / file)
            (out / file).unlink(missing_ok=True)
            shutil.copy(runs[state] / file, out / file)
        _longsum("resume", str(out), "--workers", "1")
    verified = _longsum("verify", str(out))
    if verified.returncode == 0 and _rows(out) == _rows(runs["finished"]):
        outcome.add("whole")
    if any("Traceback" in run.stderr for run in (status, resumed, verified)):
        outcome.add("traceback")
    seen = "sees it" if "seen" in outcome else "**does not see it**"
    how = "mends it" if "mended" in outcome else f"refuses: {_sentence(resumed, out)}"
    print(
        f"| {name} | {state} | {status.returncode}: {seen} | {resumed.returncode}: {how} | "
        f"{verified.returncode} | {'yes' if 'whole' in outcome else '**no**'} "
        f"{'**traceback**' if 'traceback' in outcome else ''}|",
        flush=True,
    )
    return outcome


def _sentence(run: "subprocess.CompletedProcess[str]", out: Path) -> str:
    last = (run.stderr.splitlines() or [""])[-1]
    return last.replace(str(out), "OUTPUT").removeprefix("longsum: ")


def _rows(out: Path) -> list[dict[str, Any]]:
    rows = [
        json.loads(line)
        for path in sorted((out / "rows").glob("*.jsonl"))
        for line in path.read_text().splitlines()
    ]
    return [{**row, "seconds": 0} for row in rows]


def _longsum(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "longsum", "batch", *arguments]
    try:
        return subprocess.run(
            command, capture_output=True, check=False, text=True, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "It does not end.")


if __name__ == "__main__":
    main()
