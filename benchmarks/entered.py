"""Maps tests to the functions that they enter, and runs tests in forked processes."""

import ctypes
import hashlib
import json
import os
import signal
import sys
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from mutants import ROOT

PR_SET_PDEATHSIG = 1
PACKAGE = ROOT / "src" / "longsum"
OPTIONS = [
    *("-q", "--tb=line", "--import-mode=importlib", "-o", "addopts=", "-p", "no:cacheprovider"),
]


def mapped(room: str, folder: Path, slow_most: float = 0) -> dict[str, dict[str, Any]]:
    """Return the tests of a room by their ids: seconds, and functions as FILE:LINE.

    These are the quick tests or, with a limit, the slow ones that finish within that many seconds.
    A file of tests is run again when it or a file of its room has changed.
    """
    tests = ROOT / "tests"
    files = sorted(tests.glob("test_*.py") if room == "top" else (tests / room).rglob("test_*.py"))
    source = sorted(PACKAGE.glob("*.py") if room == "top" else (PACKAGE / room).rglob("*.py"))
    digest = hashlib.sha256()
    for path in source:
        digest.update(path.read_bytes())
    found = {}
    for file in files:
        if slow_most and "mark.slow" not in file.read_text(encoding="utf-8"):
            continue
        own = hashlib.sha256(digest.digest() + file.read_bytes()).hexdigest()
        name = "-".join(
            [*file.relative_to(tests).with_suffix("").parts, *["slow"] * (slow_most > 0)]
        )
        kept = folder / f"{name}.json"
        record = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        if record.get("digest") != own:
            begun = time.monotonic()
            work = partial(_map_file, file, own, kept, slow_most)
            status = _in_child(work, kept.with_suffix(".log"))
            print(f"mapped in {time.monotonic() - begun:.0f} s: {file.relative_to(ROOT)} {status}")
            sys.stdout.flush()
            record = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        found |= record.get("tests", {})
    return found


def _map_file(file: Path, digest: str, kept: Path, slow_most: float) -> int:
    """Run the quick or slow tests of a file, and keep what each of them enters."""
    watch = Watch(slow_most)
    sys.path.insert(0, str(ROOT / "src"))
    os.environ["PYTHONPATH"] = str(ROOT / "src")
    marks = f"{'' if slow_most else 'not '}slow and not timing and not browser"
    status = pytest.main([*OPTIONS, "-m", marks, str(file)], [watch])
    if status in (0, 1, 5):  # All passed, some failed, there is none: it was run.
        record = {"digest": digest, "tests": watch.tests}
        kept.write_text(json.dumps(record), encoding="utf-8")
    return int(status)


class Watch:
    """A pytest plugin that records which functions a test and its fixtures enter.

    A test that takes longer than `most` seconds is stopped and not recorded; 0 sets no limit.
    """

    def __init__(self, most: float) -> None:
        self.most = most
        self.tests: dict[str, dict[str, Any]] = {}
        self._within: list[set[str]] = []
        self._of_fixtures: dict[int, set[str]] = defaultdict(set)
        self._begun: dict[str, float] = {}
        self._names: dict[Any, str] = {}

    @contextmanager
    def noting(self, functions: set[str]) -> Iterator[None]:
        """Record what is entered here, and in threads started here."""
        self._within.append(functions)
        before = sys.gettrace()
        sys.settrace(self._entered)
        threading.settrace(self._entered)
        signal.signal(signal.SIGALRM, _too_slow)
        signal.setitimer(signal.ITIMER_REAL, self.most)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            sys.settrace(before)
            threading.settrace(before)  # type: ignore[arg-type]
            self._within.pop()

    def _entered(self, frame: FrameType, *_: object) -> None:
        code = frame.f_code
        name = self._names.get(code)
        if name is None:
            path = Path(code.co_filename)
            inside = path.is_relative_to(PACKAGE)
            name = f"{path.relative_to(ROOT)}:{code.co_firstlineno}" if inside else ""
            self._names[code] = name
        if name:
            for functions in self._within:
                functions.add(name)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Any:
        """Record what a fixture enters."""
        with self.noting(self._of_fixtures[id(fixturedef)]):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Record when a test begins."""
        self._begun[item.nodeid] = time.monotonic()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Any:
        """Record what a test enters, after its fixtures."""
        functions: set[str] = set()
        with self.noting(functions):
            result = yield
        for definitions in item._fixtureinfo.name2fixturedefs.values():
            for each in definitions:
                functions |= self._of_fixtures[id(each)]
        seconds = round(time.monotonic() - self._begun[item.nodeid], 3)
        self.tests[item.nodeid] = {"seconds": seconds, "functions": sorted(functions)}
        return result


def _too_slow(*_: object) -> None:
    raise TimeoutError("this test takes too long to be of use")


def _in_child(work: Callable[[], int], log: Path) -> int:
    child = forked(work, log)
    status = os.waitpid(child, 0)[1]
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status)


def forked(work: Callable[[], int], log: Path) -> int:
    """Run work in a forked child, which already has the slow imports; return its id."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    status = 70
    try:
        os.setsid()
        # The child is killed when this process ends, however that happens.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.chdir(ROOT)
        with log.open("wb") as file, Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        status = work()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)
