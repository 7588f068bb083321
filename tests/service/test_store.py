"""Jobs in the store: claims, leases, tokens, expiry, and one server a folder."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from longsum.common.errors import LongsumError
from longsum.service.errors import ServiceError
from longsum.service.records import Upload
from longsum.service.store import LEASE, Store

KEEP = 1000.0


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    with closing(Store(tmp_path / "service", keep=KEEP, clock=clock)) as opened:
        yield opened


def document(store: Store, name: str = "a") -> str:
    original = store.folder / "upload"
    original.write_text(name)
    store.add(Upload(f"hash-of-{name}", name, len(name), original))
    return f"hash-of-{name}"


def submit(store: Store, hash_: str = "h", **others: Any) -> str:
    settings = {"most": 10, **others}
    return store.submit(document(store), {"length": "9w"}, hash_, **settings)[0].id


def state(store: Store, job: str) -> str:
    return store.job(job).state


def test_a_second_server_on_the_folder_is_refused(store: Store) -> None:
    with pytest.raises(LongsumError, match="Another server uses the folder"):
        Store(store.folder)


def test_the_same_request_is_the_same_job_until_it_fails(store: Store) -> None:
    first = submit(store)
    assert submit(store) == first
    claimed = store.claim()
    assert claimed is not None
    assert submit(store) == first
    store.fail(first, claimed.token, {"reason": "unreadable"})
    assert submit(store) != first


def test_a_key_is_the_same_job_whatever_became_of_it(store: Store) -> None:
    first = submit(store, key="k")
    store.cancel(first)
    assert submit(store, key="k") == first
    with pytest.raises(LongsumError, match="another request"):
        submit(store, "other", key="k")


def test_a_full_queue_refuses_new_jobs_alone(store: Store) -> None:
    first = submit(store, "1", most=1)
    with pytest.raises(ServiceError, match="1 jobs are not done"):
        submit(store, "2", most=1)
    assert submit(store, "1", most=1) == first


def test_a_stale_claim_changes_nothing(store: Store, clock: Clock) -> None:
    job = submit(store)
    stale = store.claim()
    assert stale is not None
    clock.now += LEASE + 1
    assert store.lapse() == [job]
    fresh = store.claim()
    assert fresh is not None
    assert fresh.token > stale.token
    assert not store.finish(job, stale.token, {"json": b"stale"})
    assert not store.progress(job, stale.token, "reading")
    assert store.finish(job, fresh.token, {"json": b"fresh"})
    assert store.result(job, "json") == b"fresh"


def test_a_claim_that_tells_of_its_progress_does_not_lapse(store: Store, clock: Clock) -> None:
    job = submit(store)
    claimed = store.claim()
    assert claimed is not None
    for _ in range(3):
        clock.now += LEASE - 1
        assert store.progress(job, claimed.token, "reading")
        assert store.lapse() == []


def test_a_job_at_which_two_workers_end_fails_with_the_reason(store: Store) -> None:
    job = submit(store)
    for expected in ("queued", "failed"):
        claimed = store.claim()
        assert claimed is not None
        assert store.lose(job, claimed.token, {"reason": "crash", "detail": "It ended."})
        assert state(store, job) == expected
    assert "It ended." in str(store.job(job).problem)


def test_a_cancelled_job_takes_no_result(store: Store) -> None:
    job = submit(store)
    claimed = store.claim()
    assert claimed is not None
    store.cancel(job)
    assert not store.holds(job, claimed.token)
    assert not store.finish(job, claimed.token, {"json": b"late"})
    assert state(store, job) == "cancelled"
    assert store.claim() is None


def test_results_and_unused_documents_have_their_time(store: Store, clock: Clock) -> None:
    job = submit(store)
    claimed = store.claim()
    assert claimed is not None
    store.finish(job, claimed.token, {"json": b"{}"})
    clock.now += KEEP - 1
    assert store.sweep() == 0
    clock.now += 2
    assert store.sweep() == 1
    assert state(store, job) == "expired"
    assert store.result(job, "json") is None
    assert store.events(job) == []
    assert store.documents() == []
    assert not store.place("hash-of-a").exists()
    clock.now += 10 * KEEP
    store.sweep()
    with pytest.raises(ServiceError, match="no job of this id"):
        store.job(job)


def test_jobs_and_results_stay_over_restarts(store: Store) -> None:
    done, waiting = submit(store, "1"), submit(store, "2")
    claimed = store.claim()
    assert claimed is not None
    store.finish(done, claimed.token, {"json": b"kept"})
    running = store.claim()
    assert running is not None
    store.close()
    with closing(Store(store.folder)) as opened:
        assert opened.result(done, "json") == b"kept"
        # Whoever worked for the former server has nothing to say.
        assert state(opened, waiting) == "queued"
        assert not opened.finish(waiting, running.token, {})


def test_event_ids_grow_and_are_told_after_any_of_them(store: Store) -> None:
    job, other = submit(store, "1"), submit(store, "2")
    claimed = store.claim()
    assert claimed is not None
    for done in range(3):
        store.progress(job, claimed.token, "reading", done, 3)
    ids = [event.id for event in store.events(job)]
    assert ids == sorted(set(ids))
    assert [event.id for event in store.events(job, ids[2])] == ids[3:]
    assert {event.id for event in store.events(other)}.isdisjoint(ids)
