"""Jobs in the store: claims, leases, tokens, expiry, and one server per folder."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from longsum.common.errors import LongsumError
from longsum.service.errors import ServiceError
from longsum.service.metrics import Metrics
from longsum.service.records import Upload, failure
from longsum.service.service import Service
from longsum.service.service_settings import Settings
from longsum.service.store import Store

KEEP = 1000.0


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path, clock: Clock) -> Iterator[Store]:
    with closing(Store(tmp_path / "service", keep=KEEP, clock=clock)) as opened:
        yield opened


def document(store: Store, name: str = "a") -> str:
    original = store.folder / "upload"
    original.write_text(name)
    store.add(Upload(f"hash-of-{name}", name, len(name), original))
    return f"hash-of-{name}"


def submit(store: Store, hash_: str = "h", **others) -> str:
    settings = {"most": 10, **others}
    return store.submit(document(store), {"length": "9w"}, hash_, **settings)[0].id


def state(store: Store, job: str) -> str:
    return store.job(job).state


def test_a_second_server_on_the_folder_is_refused(store: Store) -> None:
    with pytest.raises(LongsumError, match="Another server uses the folder"):
        Store(store.folder)


def test_the_folder_is_private_and_unusable_content_is_reported(tmp_path) -> None:
    stray = tmp_path / "service" / "documents" / "stray"
    stray.mkdir(parents=True)
    stray.with_name("file").touch()
    with closing(Store(tmp_path / "service")) as store, store.transaction() as database:
        assert store.folder.stat().st_mode & 0o777 == 0o700
        assert not stray.exists()
        settings = ("journal_mode", "wal"), ("synchronous", 2), ("cache_size", -4000)
        for name, value in settings:
            assert database.execute(f"PRAGMA {name}").fetchone()[0] == value
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        store.documents()
    (tmp_path / "service" / "service.sqlite").write_bytes(b"no database " * 1000)
    for _ in range(2):  # the folder is left to others
        with pytest.raises(LongsumError, match=r"database in .* cannot be used"):
            Store(tmp_path / "service")
    (tmp_path / "file").touch()
    with pytest.raises(LongsumError, match=r"folder .* cannot be used"):
        Store(tmp_path / "file" / "below")


def test_a_failed_transaction_is_rolled_back(store: Store) -> None:
    with suppress(KeyError), store.transaction():
        submit(store)
        raise KeyError
    assert store.documents() == []
    assert store.claim() is None
    submit(store)
    store.clock = lambda: 0.0  # which was set back
    assert [each.id for each in store.documents()] == ["hash-of-a"]


def test_documents_have_room_an_order_and_members(store: Store, clock: Clock) -> None:
    store.storage = 7
    ids = []
    for name in ("abc", "de", "fg"):
        ids.append(document(store, name))
        clock.now += 1
    with pytest.raises(ServiceError, match="used up the space they may take") as refused:
        document(store, "h")
    assert refused.value.status == 507
    assert document(store, "abc") == ids[0]  # what is there needs no room
    assert store.document(ids[0]).used == clock.now == store.document(ids[0]).created + 3
    assert [each.id for each in store.documents()] == ids[::-1]
    first = store.documents(most=1)
    assert [each.id for each in store.documents(before=first[-1].created)] == ids[1::-1]
    store.add(Upload("whole", "whole", members=(ids[2], ids[0])))
    assert store.members("whole") == [ids[2], ids[0]]
    for folder in (store.place("whole"), store.place("whole").parent):
        assert folder.stat().st_mode & 0o777 == 0o700
    store.tell_about("whole", {"title": "Ü"})
    assert store.document("whole").facts == {"title": "Ü"}
    clock.now += KEEP
    store.submit("whole", {}, "h", most=1)
    shutil.rmtree(store.place("whole"))
    store.delete_document("whole")
    assert store.members("whole") == []
    assert not store.place("whole").exists()
    store.sweep()
    assert [each.id for each in store.documents()] == ids[::-2]
    with pytest.raises(LongsumError, match="deleted in the meantime"):
        store.submit("whole", {}, "h", most=1)


def test_the_time_that_is_left_is_that_of_the_latest_jobs(store: Store, clock: Clock) -> None:
    settings = Settings(workers=2, writers={"b": "x", "a": "y"})
    service = Service(settings, store, None, Metrics(store))  # type: ignore[arg-type]
    assert service.limits()["writers"] == ["a", "b"]
    hundred = document(store, 100 * "a")

    def begun(seconds: float = 0.0) -> str:
        job = store.submit(hundred, {}, str(clock.now), most=9)[0].id
        clock.now += 5
        claimed = store.claim()
        assert claimed is not None
        clock.now += seconds
        if seconds:
            store.finish(job, claimed.token, {})
        return job

    def left(job: str, ahead: int | None = None) -> float | None:
        return service.seconds_left(store.job(job), ahead)

    assert service.pause() == 1
    large = store.submit(Upload("large", "large", 100_000), {}, "large", most=9)[0].id
    assert left(large, 3) == 2 + 1 * 3 / 2
    store.cancel(large)
    first = begun()
    assert (left(first), left(first, 3)) == (0.5, 0.5)
    clock.now += 50.25
    store.finish(first, 1, {})
    assert (left(first), service.pause()) == (None, 26)
    job = begun()
    clock.now += 30
    for done in (0, 7):  # 20.25, and 30 * 2 / 7
        store.progress(job, 1, "reading", done, 9)
        assert left(job) == (8.6 if done else 20.2)
    store.progress(job, 1, "writing")
    clock.now += 30
    assert left(job) == 0.5
    waiting = store.submit(document(store, 7 * "b"), {}, "h", most=9)[0].id
    assert left(waiting, 3) == 78.9  # 7 * 0.5025 + 50.25 * 3 / 2
    store.cancel(waiting)
    begun(1000)
    assert service.pause() == 120
    assert "longsum_job_seconds 525.125" in service.metrics.text().decode()


def test_the_same_request_is_the_same_job_until_it_fails(store: Store, clock: Clock) -> None:
    first = submit(store)
    clock.now += 1
    assert store.submit("hash-of-a", {}, "h", most=0)[0].id == first
    assert store.document("hash-of-a").used == clock.now
    claimed = store.claim()
    assert claimed is not None
    assert submit(store) == first
    store.fail(first, claimed.token, {"reason": "unreadable"})
    second = submit(store)
    assert second != first
    store.claim()
    store.finish(second, 1, {})
    assert submit(store) == second
    # Its result has had its time.
    clock.now += KEEP
    assert submit(store) != second


@pytest.mark.parametrize("said", ["It ended.", "Its process was silent for too long, twice."])
def test_a_job_at_which_two_workers_end_fails_with_the_reason(store, clock, said) -> None:
    job = submit(store)
    for expected in ("queued", "failed"):
        claimed = store.claim()
        assert claimed is not None
        if "silent" in said:
            clock.now += 31
            assert store.lapse() == [job]
        assert store.lose(job, claimed.token, failure("crash", said)) is ("silent" not in said)
        assert state(store, job) == expected
    assert json.loads(str(store.job(job).problem)) == failure("crash", said)


def test_a_job_that_is_begun_again_and_again_is_given_up(store: Store) -> None:
    job = submit(store)
    for turn in range(1, 11):
        assert state(store, job) == "queued"
        assert store.claim() is not None
        assert store.release(job, turn)
    told = json.loads(str(store.job(job).problem))
    assert (told["reason"], told["detail"][:23]) == ("crash", "It was started 10 times")


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
    assert store.events(job) == store.events(job, 10**39) == []
    assert store.documents() == []
    assert not store.place("hash-of-a").exists()
    clock.now += 4 * KEEP
    store.sweep()
    assert state(store, job) == "expired"
    clock.now += 1
    store.sweep()
    with pytest.raises(ServiceError, match="no job with this id"):
        store.job(job)
