"""Whatever happens in whatever order, a job ends once, and only its last claim counts."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    precondition,
    rule,
)

from longsum.service.errors import ServiceError
from longsum.service.records import Job, Upload
from longsum.service.store import CLAIMS, ENDED, Store

_MOST, _KEEP = 5, 1000.0
_LEASE, _ATTEMPTS = 30.0, 2


class Jobs(RuleBasedStateMachine):
    """A store beside a simple model of its expected content."""

    jobs: Bundle[str] = Bundle("jobs")
    claims: Bundle[Job | None] = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.now = 1e6
        self.store = self.opened()
        self.tokens: dict[str, int] = {}
        self.expected: dict[str, str] = {}
        self.deaths: dict[str, int] = {}
        self.leases: dict[str, float] = {}
        self.results: dict[str, bytes] = {}
        self.slept = 0

    def opened(self) -> Store:
        return Store(self.folder, keep=_KEEP, clock=lambda: self.now)

    def teardown(self) -> None:
        self.store.close()
        shutil.rmtree(self.folder)

    def requeued(self, job: str) -> None:
        self.expected[job] = "failed" if self.tokens[job] >= CLAIMS else "queued"

    def holds(self, claim: Job) -> bool:
        current = self.tokens[claim.id] == claim.token
        return current and self.expected[claim.id] == "running"

    @rule(target=jobs, hash_=st.sampled_from("abcdefgh"))
    def submit(self, hash_: str) -> str:
        original = self.folder / "upload"
        original.write_text("x")
        live = [job for job, state in self.expected.items() if state in ("queued", "running")]
        try:
            job, new = self.store.submit(Upload("d", "d", 1, original), {}, hash_, most=_MOST)
        except ServiceError:
            assert len(live) >= _MOST
            return next(iter(self.expected))
        assert new == (job.id not in self.expected)
        if new:
            assert len(live) < _MOST
            self.expected[job.id], self.tokens[job.id], self.deaths[job.id] = "queued", 0, 0
        else:
            assert self.expected[job.id] in ("queued", "running", "done")
        return job.id

    @rule(target=claims)
    def claim(self) -> Job | None:
        job = self.store.claim()
        if job is None:
            assert "queued" not in self.expected.values()
            return None
        assert self.expected[job.id] == "queued"
        assert job.token == self.tokens[job.id] + 1
        # The first that came is the first that is done.
        waiting = [other for other, state in self.expected.items() if state == "queued"]
        assert job.number == min(self.store.job(other).number for other in waiting)
        self.expected[job.id], self.tokens[job.id] = "running", job.token
        self.leases[job.id] = self.now + _LEASE
        return job

    @rule(claim=claims, how=st.sampled_from(["finish", "fail", "lose", "progress"]))
    def tell(self, claim: Job | None, how: str) -> None:
        if claim is None:
            return
        held = self.holds(claim)
        job, token, body = claim.id, claim.token, f"{claim.token}".encode()
        if how == "finish":
            assert self.store.finish(job, token, {"json": body}) == held
            if held:
                self.expected[job], self.results[job] = "done", body
        elif how == "fail":
            assert self.store.fail(job, token, {"reason": "fault"}) == held
            if held:
                self.expected[job] = "failed"
        elif how == "lose":
            assert self.store.lose(job, token, {"reason": "crash"}) == held
            if held:
                self.died(job)
        else:
            assert self.store.progress(job, token, "reading", 1, 2) == held
            if held:
                self.leases[job] = self.now + _LEASE

    def died(self, job: str) -> None:
        self.deaths[job] += 1
        if self.deaths[job] < _ATTEMPTS:
            self.requeued(job)
        else:
            self.expected[job] = "failed"

    @rule(job=jobs)
    def cancel(self, job: str) -> None:
        self.store.cancel(job)
        if self.expected[job] in ("queued", "running"):
            self.expected[job] = "cancelled"

    @rule(job=consumes(jobs))
    def expire(self, job: str) -> None:
        self.store.expire(job)
        if self.expected[job] in ENDED:
            self.expected[job] = "expired"
            self.results.pop(job, None)

    @rule(seconds=st.sampled_from([1.0, _LEASE / 2, _LEASE, _LEASE + 0.5]))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        late = {
            job
            for job, state in self.expected.items()
            if state == "running" and self.leases[job] < self.now
        }
        assert set(self.store.lapse()) == late
        for job in late:
            self.died(job)

    @rule()
    def restart(self) -> None:
        self.store.close()
        self.store = self.opened()
        for job, state in self.expected.items():
            if state == "running":
                self.requeued(job)

    # What expired long ago is forgotten (`test_store.py`).
    @precondition(lambda self: self.slept < 3)
    @rule()
    def let_all_expire(self) -> None:
        self.slept += 1
        before = [job for job, state in self.expected.items() if state in ENDED]
        self.now += _KEEP + 1
        assert self.store.sweep() == len(before)
        for job in before:
            self.expected[job] = "expired"
            self.results.pop(job, None)

    @invariant()
    def all_is_as_it_should_be(self) -> None:
        for job, state in self.expected.items():
            assert self.store.job(job).state == state
            assert self.store.result(job, "json") == self.results.get(job)
            ends = [data["state"] for _, data in self.store.events(job)]
            assert sum(state in ENDED for state in ends) == (state in ENDED)


Jobs.TestCase.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
TestJobs = Jobs.TestCase
