"""Local processes that summarize blocks, and the driver that survives their death.

A worker reports what it is working on. If it dies, its current documents are retried one by one; a
document on which workers die twice is given up, with a row that says so.
"""

import ctypes
import math
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Self

from longsum.batch.ledger import Done, Ledger
from longsum.batch.plan import Block
from longsum.batch.rows import Failure
from longsum.batch.settings import BatchSettings
from longsum.batch.summarizing import BlockSummarizer
from longsum.batch.trial import Trial, too_long
from longsum.common.errors import LongsumError
from longsum.common.threads import cores

_PR_SET_PDEATHSIG = 1
_THREADS = "OMP_NUM_THREADS"

Report = Callable[[Done], None]
"""Called for every finished block."""

Serve = Callable[["Connection[Any, Any]", Ledger, BatchSettings], None]


@dataclass(slots=True)
class WorkerProcess:
    """A process, and our end of the connection to it."""

    process: BaseProcess
    connection: "Connection[Any, Any]"

    @classmethod
    def started(cls, context: Any, workers: int, serve: Callable[..., None], *given: Any) -> Self:
        """Start one of several processes, which calls `serve` with its connection and the rest."""
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs, *given), daemon=False)
        with threads_for(workers):
            process.start()
        theirs.close()
        return cls(process, ours)

    def end(self) -> None:
        """End the process, and the reader processes it started."""
        self.connection.close()
        self.process.kill()
        self.process.join()

    def how_it_ended(self) -> str:
        """Return how a process ended: `by signal 9`."""
        self.process.join(1.0)
        code = self.process.exitcode
        return f"by signal {-code}" if code is not None and code < 0 else f"with status {code}"


@dataclass(slots=True)
class _Worker(WorkerProcess):
    """A process, and its current work."""

    trial: Trial | None = None
    at_work: tuple[str, ...] = ()
    spoke: bool = False
    since: float = 0.0


@dataclass(slots=True)
class LocalEngine:
    """Summarizes blocks in processes of this machine.

    A document may take `timeout` seconds; each of them if several are encoded together. Processes
    run `serve`, which takes blocks from a connection until it is closed.
    """

    ledger: Ledger
    settings: BatchSettings
    workers: int
    timeout: float
    serve: Serve = field(default_factory=lambda: serve_blocks)
    _workers: list[_Worker] = field(default_factory=list, init=False)
    _again: deque[Trial] = field(default_factory=deque, init=False)
    _failed_starts: int = field(default=0, init=False)

    def run(self, blocks: Iterator[Block], report: Report) -> None:
        """Summarize blocks; each is committed before it is reported.

        Raises:
            LongsumError: The system cannot be loaded, rows cannot be written, or processes end
                before they begin.
        """
        trials = map(Trial, blocks)
        try:
            for trial in trials:
                # At most one process per block, so that a short run starts few.
                self._hand(self._start(), trial)
                if len(self._workers) == self.workers:
                    break
            while self._busy():
                for worker in self._ready():
                    self._listen(worker, trials, report)
                self._end_late(trials)
        finally:
            for worker in self._workers:
                worker.end()
            self._workers.clear()

    def _busy(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.trial is not None]

    def _ready(self) -> list[_Worker]:
        """Wait until a worker has reported or died, or a document is late."""
        busy = self._busy()
        # A worker that is still loading is never late.
        late = [worker.since + self._allowed(worker) for worker in busy if worker.at_work]
        left = max(0.0, min(min(late, default=math.inf) - time.monotonic(), 60.0))
        reporting = set(wait([worker.connection for worker in busy], left))
        return [worker for worker in busy if worker.connection in reporting]

    def _allowed(self, worker: _Worker) -> float:
        return self.timeout * len(worker.at_work)

    def _listen(self, worker: _Worker, trials: Iterator[Trial], report: Report) -> None:
        try:
            kind, value = worker.connection.recv()
        except (EOFError, OSError):
            self._failed_starts += not worker.spoke
            told = f"The process that worked on it ended {worker.how_it_ended()}, twice."
            self._replace(worker, "crash", told, trials)
            return
        worker.spoke, worker.since = True, time.monotonic()
        if kind == "at work":
            worker.at_work = value
        elif kind == "stop":
            raise value
        else:
            worker.trial, worker.at_work = None, ()
            report(value)
            self._next(worker, trials)

    def _next(self, worker: _Worker, trials: Iterator[Trial]) -> None:
        trial = self._again.popleft() if self._again else next(trials, None)
        if trial is not None:
            self._hand(worker, trial)

    def _end_late(self, trials: Iterator[Trial]) -> None:
        now = time.monotonic()
        for worker in self._busy():
            if worker.at_work and now - worker.since > self._allowed(worker):
                self._replace(worker, "timeout", too_long(self.timeout), trials)

    def _replace(self, worker: _Worker, why: Failure, told: str, trials: Iterator[Trial]) -> None:
        """Replace a dead worker, and retry its block."""
        worker.end()
        self._workers.remove(worker)
        if self._failed_starts >= 3:
            raise LongsumError(
                "Processes end before they begin to work; try longsum summarize on one document "
                "to see why."
            )
        if worker.trial is not None:
            worker.trial.blame(worker.at_work, why, told)
            self._again.append(worker.trial)
        self._next(self._start(), trials)

    def _start(self) -> _Worker:
        context = multiprocessing.get_context("spawn")
        given = self.ledger, self.settings
        worker = _Worker.started(context, self.workers, self.serve, *given)
        self._workers.append(worker)
        return worker

    def _hand(self, worker: _Worker, trial: Trial) -> None:
        worker.trial, worker.since = trial, time.monotonic()
        # A worker that has already died is noticed when listening.
        with suppress(OSError):
            worker.connection.send((trial.block, frozenset(trial.alone), dict(trial.given_up)))


@contextmanager
def threads_for(workers: int) -> Iterator[None]:
    """Divide the cores among processes started in this context, unless the user has done so."""
    if _THREADS in os.environ:
        yield
        return
    os.environ[_THREADS] = str(max(1, cores() // workers))
    try:
        yield
    finally:
        del os.environ[_THREADS]


def serve_blocks(
    connection: "Connection[Any, Any]", ledger: Ledger, settings: BatchSettings
) -> None:
    """Summarize the blocks that come in until the driver closes the connection."""
    # Only the driver handles interrupts.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    with suppress(EOFError, OSError):
        try:
            summarizer = BlockSummarizer.of_run(ledger, settings)
            while True:
                block, alone, given_up = connection.recv()

                def announce(ids: Any) -> None:
                    connection.send(("at work", tuple(ids)))

                rows = summarizer.rows(block, announce, alone=alone, given_up=given_up)
                connection.send(("done", ledger.commit(block, rows)))
        except LongsumError as error:
            connection.send(("stop", error))


def end_with_parent() -> None:
    """Make Linux end this process when the driver ends, however it does."""
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)
