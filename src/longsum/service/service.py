"""A service as its routes use it: the store, the workers, the settings."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from longsum.service.errors import ServiceError
from longsum.service.jobs import Wanted
from longsum.service.metrics import Metrics
from longsum.service.records import Job, KeyReusedError, QueueFullError, StoredDocument
from longsum.service.service_settings import Settings
from longsum.service.store import Store
from longsum.service.workers import Supervisor

_MOST_PAUSE = 120


@dataclass(frozen=True)
class Service:
    """What routes are made of.

    Attributes:
        settings: The settings.
        store: Documents, jobs and results.
        workers: What does the jobs.
        metrics: What is counted.
    """

    settings: Settings
    store: Store
    workers: Supervisor
    metrics: Metrics

    @property
    def most(self) -> int:
        """How many jobs there may be that are not done."""
        return self.settings.queue + self.settings.workers

    def submit(self, document: str, wanted: Wanted, key: str = "") -> Job:
        """Accept a job, or return the one that the same request made before.

        Raises:
            ServiceError: Too many wait already, or the key came with another request.
            LongsumError: What it names is not configured, or the document is gone.
        """
        wanted.check(self.settings)
        hash_ = wanted.hash_with(document, self.settings)
        try:
            job, new = self.store.submit(document, wanted.stated(), hash_, most=self.most, key=key)
        except QueueFullError as error:
            self.metrics.refused.labels("queue-full").inc()
            pause = {"retry-after": str(self.pause())}
            raise ServiceError(429, "queue-full", str(error), headers=pause) from None
        except KeyReusedError as error:
            raise ServiceError(422, "bad-request", str(error)) from None
        if new:
            self.workers.ring()
        return job

    def pause(self) -> int:
        """Return after how many seconds a place in the queue is likely to be free."""
        each, _ = self.store.pace()
        return min(max(1, math.ceil(each / self.settings.workers)), _MOST_PAUSE)

    def seconds_left(self, job: Job, ahead: int | None) -> float | None:
        """Estimate how long a job takes yet, from the pace of the latest; None once it ended."""
        if job.state not in ("queued", "running"):
            return None
        each, a_byte = self.store.pace()
        document = self.store.document(job.document)
        own = max(a_byte * (document.size if document else 0), 0.5)
        if job.state == "running":
            passed = self.store.clock() - (job.started or job.created)
            if job.total and job.done:
                return round(passed * (job.total - job.done) / job.done, 1)
            return round(max(own - passed, 0.5), 1)
        return round(own + each * (ahead or 0) / self.settings.workers, 1)

    def job(self, identity: str) -> Job:
        """Return a job.

        Raises:
            ServiceError: There is none of this id.
        """
        job = self.store.job(identity)
        if job is None:
            raise ServiceError(404, "unknown", "There is no job of this id; check it.")
        return job

    def document(self, identity: str) -> StoredDocument:
        """Return a document.

        Raises:
            ServiceError: There is none of this id.
        """
        document = self.store.document(identity)
        if document is None:
            raise ServiceError(
                404, "unknown", "There is no document of this id; send the document again."
            )
        return document

    def limits(self) -> Mapping[str, Any]:
        """Return what requests may have and name."""
        from longsum.service.jobs import ready_systems
        from longsum.service.service_settings import shown_limits

        own = ("queue", "wait", "seconds", "keep", "storage", "workers", "connections")
        return {
            **{name: getattr(self.settings, name) for name in own},
            "read": shown_limits(self.settings.limits),
            "systems": list(ready_systems()),
            "writers": sorted(self.settings.writers),
        }
