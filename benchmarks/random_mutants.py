"""Whether the tests of a room notice random faults in it.

Run: python benchmarks/random_mutants.py [ROOM …] [--sample 200] [--seed 0] [--jobs 1]

Faults are drawn from `src/longsum` by a seed: ten from each room, a folder there, and the others in
proportion to lines. Each is put into a copy of the source, on which those tests of `tests/ROOM` are
run that enter the function: the quick ones and, if they find nothing, the one of recorded defaults,
the slow ones, and the quickest others in the matching test folder, which may enter it in another
process. The first that fails finds the fault; so does taking much longer than without it.

Which test enters which function is determined first, once for each file of tests, and kept in
--folder with the verdicts, so that an interrupted run continues. Found faults stay found; survivors
are tried again. --fresh discards the verdicts. `--map` only maps tests to functions.
"""

import argparse
import ast
import difflib
import hashlib
import importlib
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from entered import OPTIONS, PACKAGE, forked, mapped
from faults import FUNCTIONS, Fault, faults_of, is_python
from mutants import BROKEN, KILLED, LATE, ROOT, SURVIVED, Copy, Mutant

LEAST_FOUND = 0.85
LEAST_OF_A_ROOM = 10
# Slow imports that are not part of the source: each attempt forks with them loaded.
SLOW_IMPORTS = (
    *("torch", "transformers.modeling_utils", "transformers.generation", "tokenizers", "numpy"),
    *("hypothesis.strategies", "pydantic", "yaml", "lxml.etree", "scipy.stats", "sklearn"),
)
MEMORY = 8 << 30

Entering = dict[str, dict[str, Any]]


def main() -> None:
    """Draw faults, try them, and print how many were found in each room."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rooms", nargs="*", help="folders of src/longsum, top for the files there")
    parser.add_argument("--sample", type=int, default=200, help="faults drawn from all rooms")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="faults tried in parallel")
    parser.add_argument("--seconds", type=float, default=60, help="time limit for a fault's tests")
    parser.add_argument("--fast", action="store_true", help="do not run tests marked slow")
    parser.add_argument(
        "--slow-seconds",
        type=float,
        default=120,
        help="limit for slow tests, each and in all",
    )
    parser.add_argument("--folder", type=Path, default=Path("build/random_mutants"))
    parser.add_argument("--fresh", action="store_true", help="discard the verdicts for this seed")
    parser.add_argument(
        "--all", action="store_true", help="run the others too; list tests that alone found none"
    )
    parser.add_argument("--map", action="store_true", help="only map tests to functions")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    drawn = draw(options.sample, options.seed, options.rooms)
    if not drawn:
        parser.error("no room has that name")
    os.environ["OMP_NUM_THREADS"] = "1"
    for name in SLOW_IMPORTS:
        with suppress(ImportError):
            importlib.import_module(name)
    tests = {room: mapped(room, options.folder) for room in drawn}
    slow = {
        room: {} if options.fast else mapped(room, options.folder, options.slow_seconds)
        for room in drawn
    }
    if options.map:
        return
    name = "-".join(["seed", str(options.seed), *options.rooms, *["all"] * options.all])
    path = options.folder / f"{name}.json"
    verdicts = {} if options.fresh or not path.exists() else json.loads(path.read_text())
    attempts = [
        Attempt(room, file, fault, tests[room], options.seconds, options.all)
        for room, faults in drawn.items()
        for file, fault in faults
    ]
    for each in attempts:
        each.later |= recorded(each.room)
        each.later |= quickest(each.entering(slow[each.room]), options.slow_seconds)
    wanted = [each for each in attempts if verdicts.get(each.key, {}).get("fate") not in FOUND]
    wanted.sort(key=lambda each: each.key in verdicts)
    with tempfile.TemporaryDirectory() as folder:
        # Tests that act as another user need access to the files that they create below it.
        Path(folder).chmod(0o711)
        for attempt in tried(wanted, options.jobs, Path(folder)):
            verdicts[attempt.key] = attempt.verdict()
            path.write_text(json.dumps(verdicts, indent=1), encoding="utf-8")
            print(attempt.told(), flush=True)
    if options.all:
        needless(attempts, verdicts)
    sys.exit(report(attempts, verdicts))


FOUND = (KILLED, LATE)


def draw(sample: int, seed: int, rooms: Sequence[str] = ()) -> dict[str, list[tuple[Path, Fault]]]:
    """Return the faults drawn from each room, with their files."""
    files = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).parts
        files[parts[0] if len(parts) > 1 else "top"].append(path)
    lines = {
        room: sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)
        for room, paths in files.items()
    }
    spare = max(sample - LEAST_OF_A_ROOM * len(files), 0)
    drawn = {}
    for room, paths in files.items():
        chance = random.Random(f"{seed} {room}")
        number = LEAST_OF_A_ROOM + round(spare * lines[room] / sum(lines.values()))
        if not rooms or room in rooms:
            drawn[room] = _drawn(paths, number, chance)
    return drawn


def _drawn(paths: list[Path], number: int, chance: random.Random) -> list[tuple[Path, Fault]]:
    """Return a number of faults from files; every line that can have faults is equally likely."""
    places = defaultdict(list)
    for path in paths:
        for fault in faults_of(path.read_text(encoding="utf-8")):
            places[path, fault.line].append(fault)
    drawn = []
    for path, line in chance.sample(sorted(places), len(places)):
        fault = chance.choice(places[path, line])
        if is_python(fault.put_into(path.read_text(encoding="utf-8"))):
            drawn.append((path, fault))
        if len(drawn) == number:
            break
    return drawn


def quickest(tests: Entering, most: float) -> dict[str, float]:
    """Return the quickest of some tests with their seconds, as many as fit in a time."""
    chosen: dict[str, float] = {}
    for name in sorted(tests, key=lambda name: tests[name]["seconds"]):
        if sum(chosen.values()) < most:
            chosen[name] = tests[name]["seconds"]
    return chosen


def recorded(room: str) -> dict[str, float]:
    """Return the test of a room's recorded defaults, which enters no function, and its seconds.

    The time is the most that importing a room takes.
    """
    test = f"tests/test_defaults.py::test_defaults_are_those_recorded[{room}]"
    return {} if room == "top" else {test: 30.0}


def called_at_import(text: str) -> set[int]:
    """Return the lines of a file's functions that are called while it is imported."""
    statements = ast.parse(text).body
    names = {
        each.func.id
        for statement in statements
        if not isinstance(statement, (*FUNCTIONS, ast.ClassDef))
        for each in ast.walk(statement)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
    }
    return {
        each.lineno for each in statements if isinstance(each, FUNCTIONS) and each.name in names
    }


class Attempt:
    """A fault, the tests that may find it, and its outcome."""

    def __init__(
        self,
        room: str,
        path: Path,
        fault: Fault,
        tests: Entering,
        most: float,
        go_on: bool = False,
    ) -> None:
        self.room, self.fault, self.go_on = room, fault, go_on
        self.fate, self.finders, self.taken = "", list[str](), 0.0
        self.file = str(path.relative_to(ROOT))
        self.text = path.read_text(encoding="utf-8")
        self.faulty = fault.put_into(self.text)
        self.key = hashlib.sha256(f"{self.file}\n{self.faulty}".encode()).hexdigest()[:16]
        chosen = self.entering(tests) or self._beside(tests) or tests
        self.tests = quickest(chosen, most)
        beside = self._beside(tests)
        others = {name: each for name, each in beside.items() if name not in self.tests}
        self.later = quickest(others, most)
        self.left_out = len(chosen) - len(self.tests)

    def entering(self, tests: Entering) -> Entering:
        """Return the tests that enter the function of the fault; if it is in none, nearby tests.

        The same holds if it is called at import, where only the first importing test enters it.
        """
        for line in self.fault.functions:
            place = f"{self.file}:{line}"
            found = {name: each for name, each in tests.items() if place in each["functions"]}
            if found:
                return found | (self._beside(tests) if line in called_at_import(self.text) else {})
        return {} if self.fault.functions else self._beside(tests)

    def _beside(self, tests: Entering) -> Entering:
        """Return the tests that enter the file or are in the matching folder.

        They may notice computations in another process, or code outside functions.
        """
        mirror = str(Path(self.file).parent).replace("src/longsum", "tests", 1)
        return {
            name: each
            for name, each in tests.items()
            if name.startswith(f"{mirror}/")
            or any(place.startswith(f"{self.file}:") for place in each["functions"])
        }

    def try_later(self) -> bool:
        """Turn to the remaining tests; return whether there are any."""
        if self.fate != SURVIVED or not self.later:
            return False
        self.tests, self.later = self.later, {}
        return True

    @property
    def most(self) -> float:
        """Seconds of processor time that the tests may take."""
        return 20 + 3 * sum(self.tests.values())

    def run(self, copy: Copy, said: Path) -> int:
        """Run the tests on the copy; return the exit status."""
        if not self.tests:
            return 0
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(copy.folder / "src"))
        os.environ |= copy.environment
        tempfile.tempdir = None
        # Of processor time, so that other load on the machine finds no faults.
        resource.setrlimit(resource.RLIMIT_CPU, (int(self.most), int(self.most) + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        files = sorted({name.partition("::")[0] for name in self.tests}, key=self._seconds)
        options = [*OPTIONS, *files] if self.go_on else [*OPTIONS, "-x", *files]
        return int(pytest.main(options, [Chosen(self.tests, files, said)]))

    def _seconds(self, file: str) -> float:
        return sum(each for name, each in self.tests.items() if name.partition("::")[0] == file)

    def verdict(self) -> dict[str, Any]:
        """Return the stored verdict on the attempt."""
        return {
            "room": self.room,
            "place": f"{self.file}:{self.fault.line}",
            "what": self.fault.what,
            "fate": self.fate,
            "finders": self.finders,
            "tests": list(self.tests) if self.go_on else len(self.tests),
            "left out": self.left_out,
            "seconds": round(self.taken, 1),
            "difference": self.difference(),
        }

    def difference(self) -> str:
        """Return the lines that differ, without context."""
        pair = self.text.splitlines(), self.faulty.splitlines()
        lines = list(difflib.unified_diff(*pair, lineterm="", n=0))[3:]
        return "\n".join(line[:1] + " " + line[1:].strip() for line in lines)

    def told(self) -> str:
        """Return the verdict as lines of text."""
        tests = f"{len(self.tests)} tests" + (f", {self.left_out} left out" * bool(self.left_out))
        head = (
            f"{self.fate:<14}{self.taken:>6.1f} s  {self.file}:{self.fault.line} {self.fault.what}"
        )
        if self.fate in FOUND:
            return f"{head}, by {' '.join(self.finders)}"
        return f"{head}, {tests}\n{self.difference()}"


class Chosen:
    """A pytest plugin that runs only chosen tests, and records the one that fails."""

    def __init__(self, tests: dict[str, float], files: list[str], said: Path) -> None:
        self.tests, self.said = tests, said
        self.rank = {str(ROOT / file): number for number, file in enumerate(files)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Select the chosen tests, quick files first."""
        items[:] = [item for item in items if item.nodeid in self.tests]
        items.sort(key=lambda item: self.rank[str(item.path)])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the test that fails."""
        if report.failed:
            with self.said.open("a", encoding="utf-8") as file:
                print(report.nodeid, file=file)


def tried(attempts: Sequence[Attempt], jobs: int, folder: Path) -> Iterator[Attempt]:
    """Try faults in parallel, each in its own copy of `src`; yield them as they end."""
    waiting, running = list(reversed(attempts)), {}
    copies = [Copy(ROOT, folder / str(number), 0) for number in range(jobs)]
    while waiting or running:
        while waiting and copies:
            attempt, copy, held = waiting.pop(), copies.pop(), ExitStack()
            mutant = Mutant("", "", attempt.file, attempt.text, attempt.faulty, ())
            held.enter_context(copy.mutated(mutant))
            said = copy.folder / "said"
            said.unlink(missing_ok=True)
            child = forked(lambda: attempt.run(copy, said), copy.folder / "log")  # noqa: B023
            running[child] = attempt, copy, held, time.monotonic()
        time.sleep(0.05)
        for child, (attempt, copy, held, begun) in list(running.items()):
            attempt.taken = time.monotonic() - begun
            ended, status = os.waitpid(child, os.WNOHANG)
            late = not ended and attempt.taken > 6 * attempt.most
            if not ended and not late:
                continue
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            if late:
                os.waitpid(child, 0)
            code = -signal.SIGXCPU if late else os.waitstatus_to_exitcode(status)
            attempt.fate = fate(code)
            said = copy.folder / "said"
            attempt.finders = (
                said.read_text(encoding="utf-8").splitlines()
                if said.exists()
                else [f"status {code}"]
            )
            held.close()
            copies.append(copy)
            del running[child]
            if attempt.try_later():
                waiting.append(attempt)
            else:
                yield attempt


def fate(code: int) -> str:
    """Return the verdict on a fault from the exit status of pytest, or the signal that ended it."""
    if code in (0, 5):
        return SURVIVED
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return LATE
    # A test failed, a file of tests or a conftest could not be imported, or the process broke down.
    return KILLED if code in (1, 2, 4) or code < 0 else BROKEN


def needless(attempts: Sequence[Attempt], verdicts: dict[str, Any]) -> None:
    """Print the tests that entered faulty functions but found nothing that no other test found."""
    entered, found, alone = Counter(), Counter(), Counter()
    for attempt in attempts:
        verdict = verdicts[attempt.key]
        entered.update({name.partition("[")[0] for name in verdict["tests"]})
        finders = {name.partition("[")[0] for name in verdict["finders"]}
        if verdict["fate"] in FOUND:
            found.update(finders)
            alone.update(finders if len(finders) == 1 else ())
    print(f"\n{'faults':>7}{'found':>6}  tests that found nothing alone")
    for name in sorted(entered):
        if not alone[name]:
            print(f"{entered[name]:>7}{found[name]:>6}  {name}")


def report(attempts: Sequence[Attempt], verdicts: dict[str, Any]) -> bool:
    """Print how many faults were found in each room; return whether a room has too few."""
    drawn, found = Counter(), Counter()
    for attempt in attempts:
        drawn[attempt.room] += 1
        found[attempt.room] += verdicts[attempt.key]["fate"] in FOUND
    print(f"\n{'room':<14}{'drawn':>6}{'found':>6}")
    for room in drawn:
        print(f"{room:<14}{drawn[room]:>6}{found[room]:>6}  {found[room] / drawn[room]:.0%}")
    print(f"{'all':<14}{drawn.total():>6}{found.total():>6}  {found.total() / drawn.total():.0%}")
    return any(found[room] < LEAST_FOUND * drawn[room] for room in drawn)


if __name__ == "__main__":
    main()
