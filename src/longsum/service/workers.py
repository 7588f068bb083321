"""The worker processes, and the thread that supervises them.

Only the thread assigns jobs and records reports of workers. It ends a worker that has lost its job
(cancelled, or out of time), is silent or takes too much memory, and starts another in its place.
"""

import logging
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from longsum.batch.workers import WorkerProcess
from longsum.service.jobs import Wanted
from longsum.service.metrics import Metrics
from longsum.service.records import Job, failure
from longsum.service.service_settings import Settings
from longsum.service.store import LEASE, Store
from longsum.service.work import Report, Task, serve_jobs

_LOG = logging.getLogger("longsum.service")
_LOOK = 0.2
"""Seconds between two checks of the workers."""
_REPEATED = 3.0
"""Seconds after which an ongoing stage is reported again."""
_SWEEP = 30.0
_FAILED_STARTS = 3
_PAUSE = 10.0
"""Seconds before another start, after several failed ones."""
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

Serve = Callable[["Connection[Any, Any]"], None]


@dataclass(slots=True)
class Worker(WorkerProcess):
    """A process and its job."""

    job: Job | None = None
    ready: bool = False
    jobs: int = 0
    since: float = 0.0
    heard: float = 0.0
    reported: float = 0.0
    stage: tuple[str, int, int] = ("starting", 0, 0)

    @property
    def doing(self) -> str:
        """Its state: `busy` with a job, `idle`, or still `starting`."""
        return "busy" if self.job else "idle" if self.ready else "starting"

    @property
    def memory(self) -> int:
        """Its memory in bytes; 0 if the system does not report it."""
        with suppress(OSError, ValueError, IndexError):
            held = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
            return int(held) * _PAGE
        return 0


class Supervisor:
    """Runs the jobs of a store in processes, from `start` until `stop`; each runs `serve`."""

    def __init__(
        self, store: Store, settings: Settings, metrics: Metrics, serve: Serve = serve_jobs
    ) -> None:
        self._store, self._settings, self._serve = store, settings, serve
        self._replaced = metrics.replaced
        metrics.workers.labels("busy").set_function(lambda: self._count("busy"))
        metrics.workers.labels("idle").set_function(lambda: self._count("idle"))
        self._context: Any = multiprocessing.get_context("spawn")
        if sys.platform == "linux":
            # One process imports what workers need, and is forked for each.
            self._context = multiprocessing.get_context("forkserver")
            self._context.set_forkserver_preload(["longsum.service.warm"])
        self._workers: list[Worker] = []
        self._bell, self._ear = multiprocessing.Pipe()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)
        self._failed_starts, self._pause, self._swept = 0, 0.0, 0.0

    @property
    def ready(self) -> bool:
        """Whether a process has shown that it can summarize."""
        return any(worker.ready for worker in list(self._workers))

    def _count(self, doing: str) -> int:
        return sum(worker.doing == doing for worker in list(self._workers))

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def ring(self) -> None:
        """Signal that there is a new job, or that one was cancelled."""
        with suppress(OSError):
            self._bell.send(None)

    def stop(self) -> None:
        """End all processes; their jobs are left for the next server."""
        self._stopping.set()
        self.ring()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                try:
                    self._step()
                except Exception:
                    # Clients must hear what follows, whatever the error, such as a full disk.
                    _LOG.exception("The supervisor continues after an error.")
                    self._stopping.wait(1.0)
        finally:
            for worker in self._workers:
                worker.end()
                if worker.job is not None:
                    with suppress(Exception):
                        self._store.release(worker.job.id, worker.job.token)
            self._workers.clear()

    def _step(self) -> None:
        self._fill()
        self._hand_out()
        heard = wait([self._ear, *(worker.connection for worker in self._workers)], _LOOK)
        while self._ear.poll():
            self._ear.recv()
        for worker in list(self._workers):
            if worker.connection in heard:
                self._listen(worker)
        for worker in list(self._workers):
            self._check(worker)
        self._store.lapse()
        if time.monotonic() - self._swept > _SWEEP:
            self._swept = time.monotonic()
            self._store.sweep()

    def _fill(self) -> None:
        """Start processes until there are enough."""
        if time.monotonic() < self._pause:
            return
        while len(self._workers) < self._settings.workers:
            started = Worker.started(self._context, self._settings.workers, self._serve)
            self._workers.append(started)

    def _hand_out(self) -> None:
        for worker in self._workers:
            if worker.ready and worker.job is None and (job := self._store.claim()):
                self._hand(worker, job)

    def _hand(self, worker: Worker, job: Job) -> None:
        wanted = Wanted.model_validate_json(job.wanted)
        settings = self._settings
        worker.job, worker.since = job, time.monotonic()
        worker.heard = worker.reported = worker.since
        worker.stage = ("starting", 0, 0)
        task = Task(
            wanted,
            *self._named(job.document),
            tuple(map(self._named, self._store.members(job.document))),
            settings.limits,
            settings.writers.get(wanted.writer or ""),
            settings.allow_net,
        )
        # A worker that has already ended is noticed when listening.
        with suppress(OSError):
            worker.connection.send(task)

    def _named(self, document: str) -> tuple[str, Path]:
        found = [each.name for each in self._store.stored(document)]
        return (*found, "A document")[0], self._store.place(document)

    def _listen(self, worker: Worker) -> None:
        try:
            # One that was replaced after its job no longer has a connection.
            while not worker.connection.closed and worker.connection.poll():
                self._hear(worker, *worker.connection.recv())
        except (EOFError, OSError):
            how = worker.how_it_ended()
            self._failed_starts += not worker.ready
            if self._failed_starts >= _FAILED_STARTS:
                _LOG.error(
                    "Processes end %s before they begin to work; longsum waits before it starts "
                    "another.",
                    how,
                )
                self._pause = time.monotonic() + _PAUSE
            self._lose(worker, "crash", f"Its process ended {how}, twice; the file may be damaged.")

    def _hear(self, worker: Worker, what: Report, value: Any) -> None:
        worker.heard = time.monotonic()
        if what == "ready":
            worker.ready, self._failed_starts = True, 0
        job = worker.job
        if job is None:
            return
        if what == "stage":
            worker.stage = value
            self._tell(worker, job)
        elif what == "read":
            self._store.tell_about(*value)
        elif what == "done":
            # Free first: if the disk is full, the claim expires soon and the job is retried.
            self._free(worker)
            self._store.finish(job.id, job.token, value)
        elif what == "failed":
            if value["reason"] == "fault":
                _LOG.error("A job failed: %s", value["detail"])
            self._free(worker)
            self._store.fail(job.id, job.token, value)

    def _tell(self, worker: Worker, job: Job) -> None:
        worker.reported = time.monotonic()
        self._store.progress(job.id, job.token, *worker.stage)

    def _free(self, worker: Worker) -> None:
        """Make a worker available again, or replace it."""
        worker.job, worker.jobs = None, worker.jobs + 1
        if worker.jobs >= self._settings.worker_jobs:
            self._replace(worker, "jobs")
        elif worker.memory > self._settings.worker_memory:
            self._replace(worker, "memory")

    def _check(self, worker: Worker) -> None:
        """End a worker that has lost its job, or takes too much time or memory."""
        job, now = worker.job, time.monotonic()
        if job is None:
            return
        if not self._store.holds(job.id, job.token):
            self._replace(worker, "cancelled")
        elif now - worker.since > self._settings.seconds:
            seconds = f"{self._settings.seconds:g}"
            said = f"It took more than {seconds} seconds at the stage “{worker.stage[0]}”."
            self._store.fail(job.id, job.token, failure("timeout", said))
            self._replace(worker, "timeout")
        elif worker.memory > self._settings.most_memory:
            self._lose(worker, "crash", "It took more memory than a job may, twice.")
        elif now - worker.heard > LEASE:
            self._lose(worker, "crash", "Its process was silent for too long, twice.")
        elif now - worker.reported > _REPEATED:
            self._tell(worker, job)

    def _lose(self, worker: Worker, why: str, said: str) -> None:
        if worker.job is not None:
            self._store.lose(worker.job.id, worker.job.token, failure("crash", said))
        self._replace(worker, why)

    def _replace(self, worker: Worker, why: str) -> None:
        worker.end()
        self._workers.remove(worker)
        self._replaced.labels(why).inc()
