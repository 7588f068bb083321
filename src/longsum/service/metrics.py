"""What is counted, for Prometheus."""

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from longsum.service.store import Store
from longsum.service.workers import Supervisor

_METHODS = ("GET", "POST", "DELETE", "HEAD", "OPTIONS")
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics(Collector):
    """Counts requests and refusals, and reads off the store what jobs and workers do."""

    def __init__(self, store: Store, workers: Supervisor) -> None:
        self._store, self._workers = store, workers
        self._registry = CollectorRegistry()
        self._registry.register(self)
        self.requests = Counter(
            "longsum_requests",
            "Requests by method and status.",
            ["method", "status"],
            registry=self._registry,
        )
        self.refused = Counter(
            "longsum_refused", "Requests refused, by reason.", ["reason"], registry=self._registry
        )

    def answered(self, method: str, status: int) -> None:
        """Count an answer; of methods that nobody knows, all together."""
        known = method if method in _METHODS else "other"
        self.requests.labels(known, status).inc()

    def collect(self) -> Iterable[GaugeMetricFamily | CounterMetricFamily]:
        """Return what holds at the moment."""
        jobs = GaugeMetricFamily("longsum_jobs", "Jobs in each state.", labels=["state"])
        counts = self._store.counts()
        for state in ("queued", "running", "done", "failed", "cancelled", "expired"):
            jobs.add_metric([state], counts.get(state, 0))
        yield jobs
        workers = GaugeMetricFamily("longsum_workers", "Processes, by what they do.", labels=["do"])
        busy, ready = self._workers.busy, self._workers.ready
        workers.add_metric(["busy"], busy)
        workers.add_metric(["idle"], max(ready - busy, 0))
        yield workers
        replaced = CounterMetricFamily(
            "longsum_workers_replaced", "Processes replaced, by reason.", labels=["reason"]
        )
        for reason, count in sorted(self._workers.replaced.items()):
            replaced.add_metric([reason], count)
        yield replaced
        seconds = GaugeMetricFamily(
            "longsum_job_seconds",
            "Seconds that the latest jobs took on average.",
            value=self._store.pace()[0],
        )
        yield seconds

    def text(self) -> bytes:
        """Return the metrics in Prometheus' format."""
        return generate_latest(self._registry)
