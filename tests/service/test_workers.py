"""The worker processes: their limits, and the outcome of their jobs."""

import errno
import json
import os
import re
import signal
import sqlite3
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from fastapi.testclient import TestClient

from longsum.service import workers
from longsum.service.api import routes
from longsum.service.api.app import create_app
from longsum.service.jobs import Wanted
from longsum.service.metrics import Metrics
from longsum.service.records import Upload
from longsum.service.service_settings import Settings
from longsum.service.store import Store
from longsum.service.work import Task
from service_calls import URL, ask, ended, is_problem, is_ready, opened, until
from service_worker import serve_never, serve_simply


def test_a_full_queue_is_alive_but_not_ready(tmp_path: Path) -> None:
    with opened(tmp_path, queue=1) as client:
        until(lambda: is_ready(client))
        running = ask(client, "hang", wait=0).json()["job"]["id"]
        ended(client, running, "running")
        waiting = ask(client, "hang as well", wait=0).json()["job"]
        assert waiting["ahead"] == 0
        refused = ask(client, "hang too", wait=0)
        assert is_problem(refused, 429, "queue-full")
        assert refused.json()["detail"].startswith("The queue is full: 2 jobs are not done")
        counted = re.findall('refused_total{reason="(.*)', client.get("/metrics").text)
        assert counted == ['queue-full"} 1.0']
        assert int(refused.headers["retry-after"]) >= 1
        assert ask(client, "hang as well", wait=0).json()["job"]["id"] == waiting["id"]
        assert client.get("/livez").status_code == 200
        assert is_problem(client.get("/readyz"), 503, "queue-full")


def test_a_process_is_starting_then_idle_or_busy(tmp_path: Path) -> None:
    states = (None, False), (None, True), ("job", True)
    made = [workers.Worker(None, None, *each) for each in states]  # type: ignore[arg-type]
    assert [each.doing for each in made] == ["starting", "idle", "busy"]
    with closing(Store(tmp_path)) as store:
        supervisor = workers.Supervisor(store, Settings(), Metrics(store))
        # Where processes can be copied, they are copies of one that has imported what they need.
        how = "forkserver" if sys.platform == "linux" else "spawn"
        assert supervisor._context.get_start_method() == how
        for number, each in enumerate(made):
            supervisor._workers.append(each)
            assert supervisor.ready is (number > 0)


def test_the_memory_of_a_process_is_that_of_the_system() -> None:
    (held,) = re.findall(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text())
    for identity, memory in ((os.getpid(), int(held) * 1024), (None, 0)):
        process = SimpleNamespace(pid=identity)
        assert workers.Worker(process, process).memory == pytest.approx(memory, rel=0.05)


def test_a_process_gets_all_that_its_job_needs(tmp_path: Path) -> None:
    settings = Settings(writers={"me": "/model"}, allow_net=True, read_limit=("pages=3",))
    with closing(Store(tmp_path)) as store:
        supervisor = workers.Supervisor(store, settings, Metrics(store))
        store.add(Upload("a", "A.md", 1))
        store.add(Upload("all", "All", members=("a", "gone")))
        job = store.submit("all", {"writer": "me", "length": "9w"}, "h", most=1)[0]
        sent: list[Task] = []
        worker = workers.Worker(None, SimpleNamespace(send=sent.append), heard=0)  # type: ignore[arg-type]
        supervisor._hand(worker, job)
        members = ("A.md", store.place("a")), ("A document", store.place("gone"))
        wanted, all_of_it = Wanted(length="9w", writer="me"), ("All", store.place("all"))
        assert sent == [Task(wanted, *all_of_it, members, settings.limits, "/model", True)]
        assert worker.heard == worker.reported == worker.since > 0
        worker.heard = 0
        supervisor._hear(worker, "alive", None)
        assert worker.heard >= worker.since


def test_logging_sweeping_and_restarting_happen_at_their_times(tmp_path, monkeypatch) -> None:
    now, done = [1000.0], list[str]()
    monkeypatch.setattr(workers, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(workers, "wait", lambda *_: [])
    monkeypatch.setattr(Store, "sweep", lambda _: done.append("swept"))
    monkeypatch.setattr(Store, "progress", lambda *given: done.append(given[3]))
    monkeypatch.setattr(Store, "fail", lambda *given: done.append(given[3]["detail"]))
    monkeypatch.setattr(Store, "lose", lambda *given: done.append(given[3]["detail"]))
    with closing(Store(tmp_path)) as store:
        supervisor = workers.Supervisor(store, Settings(workers=1), Metrics(store))
        store.submit(Upload("a", "a", 1), {}, "h", most=1)
        job = store.claim()
        for heard, seconds, said in (
            (0, 3, ""),
            (0, 3.1, "reading"),
            (0, 30, "reading"),
            (0, 30.1, "Its process was silent for too long, twice."),
            (600, 600, "reading"),
            (600, 600.1, "It took more than 600 seconds at the stage “reading”."),
        ):
            process = SimpleNamespace(pid=None, exitcode=3, kill=Mock(), join=Mock())
            connection = SimpleNamespace(
                closed=False, poll=Mock(side_effect=EOFError), close=Mock()
            )
            times = {"since": 1000.0, "reported": 1000.0, "heard": 1000.0 + heard}
            worker = workers.Worker(process, connection, job, stage=("reading", 1, 2), **times)
            supervisor._workers = [worker]
            now[0] = 1000 + seconds
            supervisor._check(worker)
            assert done[-1:] == [said] * bool(said)
            assert process.kill.called is connection.close.called is (said[:2] == "It")
        for _ in range(3):
            assert supervisor._pause == 0
            supervisor._workers = [workers.Worker(process, connection, job)]
            supervisor._listen(supervisor._workers[0])
        assert done[-1] == "Its process ended with status 3, twice; the file may be damaged."
        assert supervisor._pause == now[0] + 10
        done.clear()
        for now[0], swept in ((2000, 1), (2030, 1), (2030.1, 2), (2060.2, 3)):
            supervisor._pause = 9999
            supervisor._step()
            assert done == ["swept"] * swept


def test_the_supervisor_continues_after_an_error(tmp_path, monkeypatch, caplog) -> None:
    full = sqlite3.OperationalError("disk full")
    monkeypatch.setattr(Store, "lapse", Mock(side_effect=[full, *([] for _ in range(10**5))]))
    with opened(tmp_path) as client:
        assert ask(client, "Done.").status_code == 200
    assert caplog.messages == ["The supervisor continues after an error."]


def test_a_request_waits_no_longer_than_the_server_lets_it(tmp_path: Path) -> None:
    app = create_app(Settings(folder=tmp_path, workers=1, wait=0.05), serve_simply)
    with TestClient(app, URL) as client:
        for asked in ("", "?wait=600"):
            answer = client.post(f"/v1/summaries{asked}", json={"text": "hang"})
            assert (answer.status_code, answer.headers["retry-after"]) == (202, "1")
            assert answer.headers["location"] == f"/v1/jobs/{answer.json()['job']['id']}"
    for left, pause in ((None, "1"), (0.2, "1"), (7.6, "8")):
        view = SimpleNamespace(seconds_left=left)
        assert routes._pause(view) == {"retry-after": pause}


def test_the_position_in_the_queue_is_repeated_without_a_number(tmp_path, monkeypatch) -> None:
    looks: list[object] = []
    look = routes._since
    monkeypatch.setattr(routes, "_since", lambda *asked: looks.append(asked) or look(*asked))
    monkeypatch.setattr(routes, "_AGAIN", -1.0)
    with opened(tmp_path) as client, ThreadPoolExecutor() as pool:
        ended(client, ask(client, "hang", wait=0).json()["job"]["id"], "running")
        waiting = ask(client, "hang as well", wait=0).json()["job"]["id"]
        told = pool.submit(client.get, f"/v1/jobs/{waiting}/events")
        until(lambda: len(looks) >= 3)
        client.delete(f"/v1/jobs/{waiting}")
        blocks = told.result().text.strip().split("\n\n")
        again = [block for block in blocks if "id: " not in block and '"queued"' in block]
        assert again
        assert all(json.loads(block.partition("data: ")[2])["ahead"] == 0 for block in again)


@pytest.mark.parametrize(
    ("settings", "text", "reason", "said"),
    [
        ({"seconds": 1}, "hang", "timeout", "more than 1 seconds at the stage “summarizing”"),
        ({"most_memory": 1}, "hang", "crash", "It took more memory than a job may, twice."),
        ({}, "die", "crash", "Its process ended with status 3, twice; the file may be damaged."),
        ({}, "kill", "crash", "Its process ended by signal 9, twice; the file may be damaged."),
        ({"worker_jobs": 1}, "", "jobs", ""),
        ({"worker_memory": 1}, "", "memory", ""),
    ],
)
def test_a_process_that_takes_too_much_is_replaced(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    settings: dict,
    text: str,
    reason: str,
    said: str,
) -> None:
    with opened(tmp_path, **settings) as client:
        answer = ask(client, text or "Done.")
        times = 2 if reason == "crash" else 1
        if said:
            assert is_problem(answer, 422, reason)
            assert said in answer.json()["detail"]
        else:
            assert answer.status_code == 200
        counted = f'longsum_workers_replaced_total{{reason="{reason}"}} {times}.0'
        until(lambda: counted in client.get("/metrics").text)
        # The one in its place works, unless every process takes too much.
        assert "most_memory" in settings or ask(client, "and on").status_code == 200
    assert caplog.messages == []


def test_jobs_do_not_wait_for_the_supervisors_next_round(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(workers, "_LOOK", 60)
    with opened(tmp_path, worker_jobs=2) as client:
        for text, status in (("Of 1.", 200), ("refuse it", 422), ("Of 3.", 200)):
            assert ask(client, text).status_code == status
        assert re.findall('replaced_total{reason="(.*)', client.get("/metrics").text) == [
            'jobs"} 1.0'
        ]
        for gone in ("jobs/{id}", "documents/{document}"):
            job = ask(client, "hang", wait=0).json()["job"]
            ended(client, job["id"], "running")
            (worker,) = client.app.state.service.workers._workers  # type: ignore[attr-defined]
            until(lambda hung=worker: hung.stage == ("summarizing", 3, 3))
            os.kill(worker.process.pid, signal.SIGSTOP)  # It tells nothing any more.
            client.delete(f"/v1/{gone.format_map(job)}")
            until(lambda hung=worker.process: not hung.is_alive())
        assert ask(client, "and on").status_code == 200


@pytest.mark.parametrize(
    ("text", "stage"), [("hang", ("summarizing", 3, 3)), ("mute", ("starting", 0, 0))]
)
def test_a_continuing_job_is_reported_again(tmp_path, monkeypatch, text, stage) -> None:
    swept: list[object] = []
    monkeypatch.setattr(workers, "_REPEATED", 0.0)
    monkeypatch.setattr(workers, "_SWEEP", -1.0)
    monkeypatch.setattr(Store, "sweep", lambda _: swept.append(1))
    with opened(tmp_path) as client:
        assert client.get("/metrics").text.count('longsum_workers{do="busy"} 0.0') == 1
        ask(client, "Done.")
        job = ask(client, text, wait=0).json()["job"]["id"]
        store = client.app.state.service.store  # type: ignore[attr-defined]
        until(lambda: len(store.events(job)) >= 9)
        _, data = store.events(job)[-1]
        assert (data["stage"], data["done"], data["total"]) == stage
        until(lambda: len(swept) > 2)
        told = client.get("/metrics").text
        assert 'longsum_workers{do="busy"} 1.0' in told
        assert 'longsum_workers{do="idle"} 0.0' in told
        assert 'longsum_jobs{state="running"} 1.0' in told
        (process,) = (worker.process.pid for worker in client.app.state.service.workers._workers)
    # What was being done when the server ended waits for the next one.
    assert not Path(f"/proc/{process}").exists()
    with closing(sqlite3.connect(tmp_path / "service.sqlite")) as database:
        assert database.execute("SELECT state FROM jobs").fetchall()[1:] == [("queued",)]


def test_processes_that_never_start_are_given_time(tmp_path, monkeypatch, caplog) -> None:
    monkeypatch.setattr(workers, "_PAUSE", 600.0)
    app = create_app(Settings(folder=tmp_path, workers=1), serve_never)
    with TestClient(app, URL) as client:
        until(lambda: caplog.messages)
        assert is_problem(client.get("/readyz"), 503, "not-ready")
        counted = 'longsum_workers_replaced_total{reason="crash"} 3.0'
        until(lambda: counted in client.get("/metrics").text)
        # It waits, and is not behind with waiting.
        assert app.state.service.workers._pause > time.monotonic() + 300
    said = (
        "Processes end with status 3 before they begin to work; longsum waits before it starts "
        "another."
    )
    assert [(each.name, each.message) for each in caplog.records] == [("longsum.service", said)]


def test_with_a_full_disk_new_jobs_are_refused(tmp_path, monkeypatch) -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    with opened(tmp_path) as client:
        address = f"/v1/documents/{ask(client, 'Kept.').json()['job']['document']}"
        for error in (full, OSError(errno.ENOSPC, "No space left on device")):
            monkeypatch.setattr(Store, "add", Mock(side_effect=error))
            monkeypatch.setattr(Store, "delete_document", Mock(side_effect=error))
            assert is_problem(ask(client, "Not kept."), 507, "storage-full")
            assert is_problem(client.delete(address), 507, "storage-full")
        monkeypatch.setattr(Store, "delete_document", Mock(side_effect=OSError(errno.EIO, "")))
        assert client.delete(address).status_code == 500


@pytest.mark.parametrize(("what", "how"), [("done", "finish"), ("failed", "fail")])
def test_a_worker_whose_result_cannot_be_written_is_free_for_the_next_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what, how: str
) -> None:
    monkeypatch.setattr(Store, how, Mock(side_effect=sqlite3.OperationalError("disk full")))
    with closing(Store(tmp_path)) as store:
        store.submit(Upload("a", "a", 1), {}, "h", most=1)
        supervisor = workers.Supervisor(store, Settings(workers=1), Metrics(store))
        process = SimpleNamespace(pid=None)
        worker = workers.Worker(process, process, store.claim(), ready=True)
        with pytest.raises(sqlite3.OperationalError):
            supervisor._hear(worker, what, {"reason": "unreadable"})
        assert worker.doing == "idle"


def test_a_full_storage_refuses_documents(tmp_path: Path) -> None:
    with opened(tmp_path, storage=20) as client:
        assert ask(client, "Nine char").status_code == 200
        refused = ask(client, "More than is left.")
        assert is_problem(refused, 507, "storage-full")
        assert "retry-after" not in refused.headers
        assert 'refused_total{reason="storage-full"} 1.0' in client.get("/metrics").text
