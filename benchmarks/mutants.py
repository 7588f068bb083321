"""Whether the tests notice faults: each mutant is a fault in a copy of the source.

Run: python benchmarks/mutants.py [AREA|PART OF A NAME …] [--jobs N] [--seconds N]

The mutants are in `tests/mutants/AREA.yaml`, listed by the file of `src` that they change. Each
says what is wrong in it, the text that it replaces (which occurs there once), and the tests of
which at least one must fail, unless they are the default: the file's own tests, or if it has none,
those of its folder. The same tests must pass on the unchanged source, which is tried first. A
mutant whose tests all pass has survived. One whose tests time out counts as killed, with a note.

The exit status is 1 if more than 5 % survive, or if a mutant could not be tried: its text is gone,
or its tests fail without it or cannot be run.
"""

import argparse
import compileall
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import SimpleQueue
from threading import Lock

import yaml

ROOT = Path(__file__).parent.parent
MOST_SURVIVE = 0.05

KILLED, LATE, SURVIVED, STALE, BROKEN = "killed", "killed (time)", "survived", "stale", "broken"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault, and the tests that should notice it.

    Attributes:
        area: Name of its list.
        name: What is wrong in it.
        file: Path of the changed file from the root of the repository; it lies in `src`.
        old: Text that occurs once in that file.
        new: The replacement.
        tests: Paths or node ids, from the root, of which at least one fails.
    """

    area: str
    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a mutant: a word for it, details, and the seconds it took."""

    mutant: Mutant
    fate: str
    detail: str = ""
    seconds: float = 0.0


def main() -> None:
    """Try the requested mutants, and print the outcome of each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("chosen", nargs="*", help="areas or parts of names; all by default")
    parser.add_argument("--jobs", type=int, default=1, help="mutants tried in parallel")
    parser.add_argument("--seconds", type=float, default=300, help="limit for a mutant's tests")
    options = parser.parse_args()
    mutants = choose(read_mutants(ROOT / "tests" / "mutants"), options.chosen)
    if not mutants:
        parser.error("no mutant has that name")
    verdicts = []
    for verdict in tried(mutants, ROOT, jobs=options.jobs, seconds=options.seconds):
        verdicts.append(verdict)
        print(told(verdict), flush=True)
    counts = Counter(verdict.fate for verdict in verdicts)
    print(", ".join(f"{number} {fate}" for fate, number in counts.items()))
    share = survival(verdicts)
    print(f"{share:.1%} of {len(verdicts)} mutants survive; {MOST_SURVIVE:.0%} may")
    sys.exit(share > MOST_SURVIVE or counts[STALE] + counts[BROKEN] > 0)


def read_mutants(folder: Path) -> list[Mutant]:
    """Return the mutants of all lists of a folder."""
    return [
        Mutant(path.stem, file=file, tests=tuple(entry.pop("tests", [own_tests(file)])), **entry)
        for path in sorted(folder.glob("*.yaml"))
        for file, entries in (yaml.safe_load(path.read_text(encoding="utf-8")) or {}).items()
        for entry in entries
    ]


def own_tests(file: str) -> str:
    """Return the tests of a source file, or if it has none, of its folder."""
    folder = Path("tests", *Path(file).parts[2:-1])
    own = folder / f"test_{Path(file).name}"
    return str(own if (ROOT / own).exists() else folder)


def choose(mutants: Sequence[Mutant], wanted: Sequence[str]) -> list[Mutant]:
    """Return the mutants of these areas or with these parts of names; all if none are given."""
    return [
        mutant
        for mutant in mutants
        if not wanted
        or any(word == mutant.area or word.lower() in mutant.name.lower() for word in wanted)
    ]


def tried(
    mutants: Sequence[Mutant], root: Path, *, jobs: int = 1, seconds: float = 300
) -> Iterator[Verdict]:
    """Yield the verdict on each mutant, in order.

    Args:
        mutants: What to try.
        root: The repository: `src`, and the tests, which are run from here.
        jobs: How many are tried in parallel, each in its own copy of `src`.
        seconds: Time limit for a mutant's tests.
    """
    with tempfile.TemporaryDirectory() as folder:
        # Tests that act as another user need access to the files that they create below it.
        Path(folder).chmod(0o711)
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(jobs):
            copies.put(Copy(root, Path(folder) / str(number), seconds))
        baseline = Baseline()

        def attempt(mutant: Mutant) -> Verdict:
            copy = copies.get()
            try:
                return judge(mutant, copy, baseline)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(attempt, mutants)


class Copy:
    """A copy of `src` for a fault, and the repository's tests run on it."""

    def __init__(self, root: Path, folder: Path, seconds: float) -> None:
        self.root, self.folder, self.seconds = root, folder, seconds
        shutil.copytree(root / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
        # Byte code is checked by hash: a fault may be made within the clock's resolution.
        compileall.compile_dir(
            folder / "src", quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH
        )
        # Stray files of a faulty program are deleted with the copy.
        homes = {"HOME": folder / "home", "TMPDIR": folder / "temporary"}
        for home in homes.values():
            home.mkdir()
        self.environment = {
            "PYTHONPATH": str(folder / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
            **{name: str(home) for name, home in homes.items()},
        }

    @contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[None]:
        """Hold the fault."""
        path = self.folder / mutant.file
        given = path.read_text(encoding="utf-8")
        path.write_text(given.replace(mutant.old, mutant.new), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(given, encoding="utf-8")

    def run(self, tests: Sequence[str]) -> tuple[int | None, str]:
        """Return the exit status of pytest, None if time ran out, and the end of its output."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--import-mode=importlib"]
        # Without the project's options that deselect tests and start workers.
        command += ["-o", "addopts=", "-p", "no:cacheprovider", "--tb=line", *tests]
        process = subprocess.Popen(
            command,
            cwd=self.root,
            env={"OMP_NUM_THREADS": "1", **os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=self.seconds)
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            if process.poll() is None:
                # Including processes started by the tests.
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
        return process.returncode, " | ".join(said.strip().splitlines()[-3:])


class Baseline:
    """Whether tests pass on the unchanged source; each set of them is run once."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, ...], str] = {}
        self.lock = Lock()

    def complaint(self, tests: tuple[str, ...], copy: Copy) -> str:
        """Return what is wrong with the tests, or nothing."""
        with self.lock:
            if tests not in self.found:
                status, said = copy.run(tests)
                late = f"tests that take more than {copy.seconds:g} s without the mutant"
                failing = f"tests fail without the mutant: {said}"
                self.found[tests] = late if status is None else failing if status else ""
            return self.found[tests]


def judge(mutant: Mutant, copy: Copy, baseline: Baseline) -> Verdict:
    """Return the verdict on a mutant in a copy of the source."""
    found = faults(mutant, copy.folder)
    if found:
        return Verdict(mutant, STALE, found)
    complaint = baseline.complaint(mutant.tests, copy)
    if complaint:
        return Verdict(mutant, BROKEN, complaint)
    begun = time.monotonic()
    with copy.mutated(mutant):
        status, said = copy.run(mutant.tests)
    taken = time.monotonic() - begun
    if status is None:
        return Verdict(mutant, LATE, f"its tests did not end in {copy.seconds:g} s", taken)
    if status == 0:
        return Verdict(mutant, SURVIVED, said, taken)
    # Errors of pytest itself: a file that cannot be imported, a missing test.
    broken = status in (2, 3, 4, 5)
    return Verdict(mutant, BROKEN if broken else KILLED, said if broken else "", taken)


def faults(mutant: Mutant, root: Path) -> str:
    """Return why the mutant cannot be made from the source of a root, or nothing."""
    path = root / mutant.file
    if not mutant.file.startswith("src/") or not path.is_file():
        return f"{mutant.file} is no file of src"
    text = path.read_text(encoding="utf-8")
    times = text.count(mutant.old)
    if times != 1:
        return f"the old text occurs {times} times in {mutant.file}"
    if mutant.old == mutant.new:
        return "the new text is the old one"
    if path.suffix == ".py":
        try:
            compile(text.replace(mutant.old, mutant.new), mutant.file, "exec", dont_inherit=True)
        except SyntaxError as error:
            return f"the new text is no Python: {error}"
    return ""


def survival(verdicts: Sequence[Verdict]) -> float:
    """Return the share of the mutants that could be tried that survive."""
    counted = [verdict.fate for verdict in verdicts if verdict.fate in (KILLED, LATE, SURVIVED)]
    return counted.count(SURVIVED) / len(counted) if counted else 0.0


def told(verdict: Verdict) -> str:
    """Return a verdict as lines of text."""
    mutant = verdict.mutant
    line = f"{verdict.fate:<14}{verdict.seconds:>6.1f} s  {mutant.area}: {mutant.name}"
    return f"{line}\n{'':<24}{verdict.detail}" if verdict.detail else line


if __name__ == "__main__":
    main()
