"""A service as its routes use it: the store, the workers, the settings."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from longsum.common.errors import LongsumError
from longsum.service.errors import ServiceError
from longsum.service.jobs import Wanted, ready_systems
from longsum.service.metrics import Metrics
from longsum.service.records import Job, Upload
from longsum.service.service_settings import Settings
from longsum.service.store import Store
from longsum.service.workers import Supervisor

_MOST_PAUSE = 120


@dataclass(frozen=True)
class Service:
    """What routes are made of."""

    settings: Settings
    store: Store
    workers: Supervisor
    metrics: Metrics

    @property
    def most(self) -> int:
        """How many jobs there may be that are not done."""
        return self.settings.queue + self.settings.workers

    def submit(self, document: str | Upload, wanted: Wanted, key: str = "") -> Job:
        """Accept a job, or return the one that the same request made before.

        Raises:
            ServiceError: Too many wait already, the key came with another request, or there is no
                room for the document.
            LongsumError: What it names is not configured, or the document is gone.
        """
        wanted.check(self.settings)
        identity = document if isinstance(document, str) else document.id
        several = self.store.members(identity) if isinstance(document, str) else document.members
        if several and wanted.kind == "table":
            raise LongsumError("A report is made of one table; send that.")
        hash_ = wanted.hash_with(identity, self.settings)
        job, new = self.store.submit(document, wanted.stated(), hash_, most=self.most, key=key)
        if new:
            self.workers.ring()
        return job

    def refuses(self, error: ServiceError) -> None:
        """Count what is refused for want of room, and tell when to come again."""
        if error.status in (429, 507):
            self.metrics.refused.labels(error.reason).inc()
        if error.status == 429:
            error.headers["retry-after"] = str(self.pause())

    def pause(self) -> int:
        """Return after how many seconds a place in the queue is likely to be free."""
        each, _ = self.store.pace()
        return min(max(1, math.ceil(each / self.settings.workers)), _MOST_PAUSE)

    def seconds_left(self, job: Job, ahead: int | None) -> float | None:
        """Estimate how long a job takes yet, from the pace of the latest; None once it ended."""
        if job.state not in ("queued", "running"):
            return None
        each, a_byte = self.store.pace()
        own = max(sum(a_byte * each.size for each in self.store.stored(job.document)), 0.5)
        if job.state == "running":
            passed = self.store.clock() - (job.started or job.created).timestamp()
            if job.total and job.done:
                return round(passed * (job.total - job.done) / job.done, 1)
            return round(max(own - passed, 0.5), 1)
        return round(own + each * (ahead or 0) / self.settings.workers, 1)

    def limits(self) -> Mapping[str, Any]:
        """Return what requests may have and name."""
        own = ("queue", "wait", "seconds", "keep", "storage", "workers", "connections")
        return {
            **{name: getattr(self.settings, name) for name in own},
            "read": asdict(self.settings.limits),
            "systems": list(ready_systems()),
            "writers": sorted(self.settings.writers),
        }
