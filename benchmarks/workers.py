"""Measures subjects, each in a fresh process of its own; all of a run take turns.

With turns, changes of the machine's load affect all alike, and in separate processes each has its
own peak of memory. Peaks are read from Linux's /proc and are NaN elsewhere.
"""

import ctypes
import gc
import json
import math
import multiprocessing
import os
import platform
import statistics
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Processes, or for tests `multiprocessing.dummy`, whose threads share what is imported.
CONTEXT: Any = multiprocessing.get_context("spawn")
STATUS, FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured.

    Attributes:
        run: The function that is timed.
        report: Turns its result into what the measuring process needs; not timed.
        settled: Whether memory left by earlier runs is released before every run, so that its peak
            is its own; otherwise runs on the same inputs reuse warm memory.
    """

    run: Callable[..., Any]
    report: Callable[[Any], Any] = lambda _: None
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What was measured.

    Attributes:
        seconds: Time of a run.
        megabytes: The peak of resident memory beyond the subject and the libraries it has loaded.
        report: The subject's report on its result.
    """

    seconds: float
    megabytes: float
    report: Any


@dataclass(frozen=True, slots=True)
class Summary:
    """What was measured in several runs.

    Attributes:
        seconds: Median time of a run.
        megabytes: The highest peak.
        reports: The subject's reports, in order.
    """

    seconds: float
    megabytes: float
    reports: list[Any]

    def memory_over(self, other: "Summary") -> float:
        """Return its peak over another's; NaN if the other's is unknown."""
        return self.megabytes / (other.megabytes or math.nan)


class Worker:
    """A process that makes a subject and runs it whenever asked."""

    def __init__(
        self, build: Callable[..., Subject], *arguments: Any, first: tuple[Any, ...]
    ) -> None:
        self._connection, there = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_serve, args=(there, build, arguments, first))
        self._process.daemon = True
        self._process.start()
        there.close()

    def receive(self) -> Any:
        """Return the next message of the process; exit if it has failed."""
        try:
            found = self._connection.recv()
        except EOFError:
            sys.exit("A process of the measurement ended early; it may have run out of memory.")
        if isinstance(found, Exception):
            raise found
        return found

    def __call__(self, *inputs: Any) -> Reading:
        """Run the subject once."""
        self._connection.send(inputs)
        found: Reading = self.receive()
        return found

    def close(self) -> None:
        """End the process."""
        self._connection.send(None)
        self._process.join()


@contextmanager
def working(subjects: Mapping[str, tuple[Any, ...]], *first: Any) -> Iterator[dict[str, Worker]]:
    """Start a worker for each subject.

    Args:
        subjects: A function that makes it, and its arguments.
        first: Small inputs of a warm-up run in which libraries are loaded, so that this counts
            neither as time nor as memory.
    """
    workers = {name: Worker(*subject, first=first) for name, subject in subjects.items()}
    for worker in workers.values():
        worker.receive()
    yield workers
    for worker in workers.values():
        worker.close()


def take_turns(
    workers: Mapping[str, Worker], repeat: int, *inputs: Any, once: tuple[str, ...] = ()
) -> dict[str, Summary]:
    """Run each in turn, `repeat` times.

    Args:
        workers: The workers by name.
        repeat: Number of rounds.
        inputs: The inputs of each run.
        once: Names of those that run only in the first round.
    """
    readings: dict[str, list[Reading]] = {name: [] for name in workers}
    for number in range(repeat):
        for name, worker in workers.items():
            if number == 0 or name not in once:
                readings[name].append(worker(*inputs))
    return {
        name: Summary(
            statistics.median(each.seconds for each in found),
            max(each.megabytes for each in found),
            [each.report for each in found],
        )
        for name, found in readings.items()
    }


def exponent(lengths: list[int], values: list[float]) -> float:
    """Return the exponent of the length that fits best (least squares of the logs)."""
    if len(lengths) < 2 or min(values) <= 0:
        return math.nan
    return statistics.linear_regression(
        [math.log(length) for length in lengths], [math.log(value) for value in values]
    ).slope


def machine() -> dict[str, Any]:
    """Return a description of the machine and of the releases used."""
    import torch
    import transformers

    processor = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
        processor = names[0] if names else processor
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
    }


def finish(results: dict[str, Any], file: Path | None) -> None:
    """Print the machine; with a file, write the results as JSON."""
    results = {"machine": machine(), **results}
    print("\n" + ", ".join(f"{name} {value}" for name, value in results["machine"].items()))
    if file:
        file.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def _serve(
    connection: Any,
    build: Callable[..., Subject],
    arguments: tuple[Any, ...],
    first: tuple[Any, ...],
) -> None:
    """Make the subject, then run it for each message until there are no more."""
    try:
        subject = build(*arguments)
        subject.run(*first)
        before = _settle()
        connection.send(None)
        last = None
        while (inputs := connection.recv()) is not None:
            if subject.settled or inputs != last:
                # Memory left in the allocator by runs of another length does not count.
                _settle()
                last = inputs
            if FORGET.exists():
                FORGET.write_text("5", encoding="utf-8")
            began = time.perf_counter()
            result = subject.run(*inputs)
            seconds = time.perf_counter() - began
            grown = _memory("VmHWM") - before
            report = subject.report(result)
            del result
            connection.send(Reading(seconds, grown, report))
    except Exception as error:  # the measuring process raises it
        error.add_note(traceback.format_exc())
        connection.send(error)


def _settle() -> float:
    """Release memory left from making the subject; return the resident memory in MB."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim:
            trim(0)
    return _memory("VmRSS")


def _memory(field: str) -> float:
    """Return a field of the process's status in MB."""
    if not STATUS.exists():
        return math.nan
    lines = STATUS.read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))
