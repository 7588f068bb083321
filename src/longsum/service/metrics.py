"""Metrics for Prometheus."""

from functools import partial
from typing import get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from longsum.service.records import State
from longsum.service.store import Store

_METHODS = ("GET", "POST", "DELETE", "HEAD", "OPTIONS")
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts requests, refusals and processes, and reads the state of jobs from the store."""

    def __init__(self, store: Store) -> None:
        self._registry = CollectorRegistry()
        counter = partial(Counter, namespace="longsum", registry=self._registry)
        gauge = partial(Gauge, namespace="longsum", registry=self._registry)
        self.requests = counter("requests", "Requests by method and status.", ["method", "status"])
        self.refused = counter("refused", "Requests refused, by reason.", ["reason"])
        self.workers = gauge("workers", "Processes, by what they do.", ["do"])
        self.replaced = counter("workers_replaced", "Processes replaced, by reason.", ["reason"])
        jobs = gauge("jobs", "Jobs in each state.", ["state"])
        for state in get_args(State):
            jobs.labels(state).set_function(partial(store.count, state))
        seconds = gauge("job_seconds", "Seconds that the latest jobs took on average.")
        seconds.set_function(lambda: store.pace()[0])

    def answered(self, method: str, status: int) -> None:
        """Count a response; unknown methods are counted together."""
        known = method if method in _METHODS else "other"
        self.requests.labels(known, status).inc()

    def text(self) -> bytes:
        """Return the metrics in Prometheus' format."""
        return generate_latest(self._registry)
