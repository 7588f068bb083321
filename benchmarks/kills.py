"""Whether runs over corpora lose or double documents when processes are killed at random.

    python benchmarks/kills.py --documents 2000 --kills 100 [--no-links] [--folder FOLDER]

A corpus of invented records is summarized by `longsum batch`; at random moments the driver, or one
of its workers, is killed, and the run resumed. In the end every document must have exactly
one row. `--no-links` refuses hard links to all processes, as FAT does.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_WORDS = [
    "river",
    "dam",
    "valley",
    "flood",
    "water",
    "field",
    "bridge",
    "train",
    "market",
    "report",
    "figure",
    "season",
]

_WITHOUT_LINKS = """
import errno, os

def link(*_, **__):
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

os.link = link
"""


def main() -> None:
    """Run it and print how many documents were lost or duplicated."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--system", default="lead")
    parser.add_argument("--format", default="jsonl")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-links", action="store_true")
    parser.add_argument("--folder", help="where to work, such as a mounted file system")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        if options.no_links:
            _refuse_links(Path(folder) / "imported first")
        corpus, out = Path(folder) / "corpus.jsonl", Path(folder) / "out"
        write_corpus(corpus, options.documents, chance)
        begin = [str(corpus), str(out), "--system", options.system, "--format", options.format]
        _run([*begin, "--block", "8", "--workers", "2"], None, chance)
        kills = {"driver": 0, "worker": 0}
        while sum(kills.values()) < options.kills:
            # A finished run starts again without half of its blocks.
            if _status(out)["done"] == options.documents:
                _forget_half(out, chance)
            victim = chance.choice(["driver", "worker"])
            kills[victim] += _run(["resume", str(out), "--workers", "2"], victim, chance)
        _run(["resume", str(out), "--workers", "2"], None, chance)
        found = json.loads(_longsum("verify", str(out), "--format", "json"))
        failures = _status(out)["failures"]
    print(
        f"{sum(kills.values())} kills ({kills['driver']} of the driver, {kills['worker']} of a "
        f"worker): {len(found['missing'])} lost, {len(found['doubled'])} doubled, "
        f"{len(found['damaged'])} files damaged; {found['rows']:,} rows of "
        f"{found['documents']:,} documents, failed: {failures}"
    )


def _refuse_links(folder: Path) -> None:
    """Prevent Python processes started from now on from making hard links."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_WITHOUT_LINKS, encoding="utf-8")
    paths = [str(folder), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)


def write_corpus(path: Path, count: int, chance: random.Random) -> None:
    """Write invented records as JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            said = (" ".join(chance.choices(_WORDS, k=12)) for _ in range(chance.randint(3, 30)))
            text = " ".join(f"The {sentence}." for sentence in said)
            file.write(json.dumps({"id": f"document {number}", "text": text}) + "\n")


def _run(arguments: list[str], victim: str | None, chance: random.Random) -> bool:
    """Run the command, and kill one of its processes; return whether one was killed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "longsum", "batch", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    if victim is None:
        process.wait()
        return False
    time.sleep(chance.uniform(0.3, 3.0))
    aim = process.pid if victim == "driver" else _worker_of(process.pid, chance)
    killed = aim is not None and process.poll() is None
    if killed:
        os.kill(aim, signal.SIGKILL)
    process.wait()
    return killed


def _worker_of(driver: int, chance: random.Random) -> int | None:
    """Return a process that the driver started, other than Python's resource tracker."""
    children = Path(f"/proc/{driver}/task/{driver}/children")
    workers = [
        int(child)
        for child in (children.read_text().split() if children.exists() else ())
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
    return chance.choice(workers) if workers else None


def _forget_half(out: Path, chance: random.Random) -> None:
    for rows in sorted((out / "rows").glob("block-*")):
        if chance.random() < 0.5:
            (out / "done" / f"{rows.stem}.json").unlink()
            rows.unlink()


def _status(out: Path) -> dict[str, int]:
    found: dict[str, int] = json.loads(_longsum("status", str(out), "--format", "json"))
    return found


def _longsum(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "longsum", "batch", *arguments],
        stdout=subprocess.PIPE,
        check=False,
        text=True,
    ).stdout


if __name__ == "__main__":
    main()
