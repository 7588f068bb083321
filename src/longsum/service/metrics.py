"""What is counted, for Prometheus."""

from functools import partial
from typing import get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from longsum.service.records import State
from longsum.service.store import Store

_METHODS = ("GET", "POST", "DELETE", "HEAD", "OPTIONS")
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts requests, refusals and processes, and reads off the store what jobs do."""

    def __init__(self, store: Store) -> None:
        self._registry = registry = CollectorRegistry()
        about = "Requests by method and status."
        self.requests = Counter("longsum_requests", about, ["method", "status"], registry=registry)
        about = "Requests refused, by reason."
        self.refused = Counter("longsum_refused", about, ["reason"], registry=registry)
        about = "Processes, by what they do."
        self.workers = Gauge("longsum_workers", about, ["do"], registry=registry)
        about = "Processes replaced, by reason."
        self.replaced = Counter("longsum_workers_replaced", about, ["reason"], registry=registry)
        jobs = Gauge("longsum_jobs", "Jobs in each state.", ["state"], registry=registry)
        for state in get_args(State):
            jobs.labels(state).set_function(partial(store.count, state))
        about = "Seconds that the latest jobs took on average."
        seconds = Gauge("longsum_job_seconds", about, registry=registry)
        seconds.set_function(lambda: store.pace()[0])

    def answered(self, method: str, status: int) -> None:
        """Count an answer; of methods that nobody knows, all together."""
        known = method if method in _METHODS else "other"
        self.requests.labels(known, status).inc()

    def text(self) -> bytes:
        """Return the metrics in Prometheus' format."""
        return generate_latest(self._registry)
