"""The processes that work: what they may take, and what becomes of their jobs."""

import json
import re
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from longsum.service import workers
from longsum.service.api import routes
from longsum.service.api.app import create_app
from longsum.service.service_settings import Settings
from longsum.service.store import Store
from service_calls import URL, ask, ended, is_problem, is_ready, opened, until
from service_worker import serve_never


def test_a_full_queue_is_alive_but_not_ready(tmp_path: Path) -> None:
    with opened(tmp_path, queue=1) as client:
        until(lambda: is_ready(client))
        running = ask(client, "hang", wait=0).json()["job"]["id"]
        ended(client, running, "running")
        waiting = ask(client, "hang as well", wait=0).json()["job"]
        assert waiting["ahead"] == 0
        refused = ask(client, "hang too", wait=0)
        assert is_problem(refused, 429, "queue-full")
        assert refused.json()["detail"].startswith("2 jobs are not done")
        counted = re.findall('refused_total{reason="(.*)', client.get("/metrics").text)
        assert counted == ['queue-full"} 1.0']
        assert int(refused.headers["retry-after"]) >= 1
        assert ask(client, "hang as well", wait=0).json()["job"]["id"] == waiting["id"]
        assert client.get("/livez").status_code == 200
        assert is_problem(client.get("/readyz"), 503, "queue-full")


def test_a_process_is_starting_then_idle_or_busy() -> None:
    states = (None, False), (None, True), ("job", True)
    assert [workers.Worker(None, None, *each).doing for each in states] == [  # type: ignore[arg-type]
        *("starting", "idle", "busy")
    ]


def test_the_place_of_who_waits_is_told_again_without_a_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        ({}, "hang", "crash", "Its process was silent for too long, twice."),
        ({}, "die", "crash", "Its process ended with status 3, twice; the file may be damaged."),
        ({"worker_jobs": 1}, "", "jobs", ""),
        ({"worker_memory": 1}, "", "memory", ""),
    ],
)
def test_a_process_that_takes_too_much_is_replaced(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    settings: dict[str, Any],
    text: str,
    reason: str,
    said: str,
) -> None:
    if "silent" in said:
        monkeypatch.setattr(workers, "LEASE", 0.05)
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
        monkeypatch.undo()
        # The one in its place works, unless every process takes too much.
        assert "most_memory" in settings or ask(client, "and on").status_code == 200
    assert caplog.messages == []


def test_nobody_waits_until_the_supervisor_looks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_LOOK", 60)
    with opened(tmp_path, worker_jobs=2) as client:
        for text, status in (("Of 1.", 200), ("refuse it", 422), ("Of 3.", 200)):
            assert ask(client, text).status_code == status
        assert re.findall('replaced_total{reason="(.*)', client.get("/metrics").text) == [
            'jobs"} 1.0'
        ]
        job = ask(client, "hang", wait=0).json()["job"]["id"]
        ended(client, job, "running")
        client.delete(f"/v1/jobs/{job}")
        assert ask(client, "and on").status_code == 200


@pytest.mark.parametrize(
    ("text", "stage"), [("hang", ("summarizing", 3, 3)), ("mute", ("starting", 0, 0))]
)
def test_a_job_that_goes_on_is_told_of_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, stage: tuple[str, int, int]
) -> None:
    swept: list[object] = []
    monkeypatch.setattr(workers, "_SAID", 0.0)
    monkeypatch.setattr(workers, "_SWEEP", -1.0)
    monkeypatch.setattr(Store, "sweep", lambda _: swept.append(1))
    with opened(tmp_path) as client:
        assert client.get("/metrics").text.count('longsum_workers{do="busy"} 0.0') == 1
        job = ask(client, text, wait=0).json()["job"]["id"]
        store = client.app.state.service.store  # type: ignore[attr-defined]
        until(lambda: len(store.events(job)) >= 9)
        data = store.events(job)[-1].data
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
        assert database.execute("SELECT state FROM jobs").fetchall() == [("queued",)]


def test_processes_that_never_begin_are_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "_PAUSE", 600.0)
    app = create_app(Settings(folder=tmp_path, workers=1), serve_never)
    with TestClient(app, URL) as client:
        until(lambda: caplog.messages)
        assert is_problem(client.get("/readyz"), 503, "not-ready")
        counted = 'longsum_workers_replaced_total{reason="crash"} 3.0'
        until(lambda: counted in client.get("/metrics").text)
        # It waits, and is not behind with waiting.
        assert app.state.service.workers._pause > time.monotonic() + 300
    said = "Processes end with status 3 before they begin to work; longsum waits."
    assert caplog.messages == [said]


def test_a_full_storage_refuses_documents(tmp_path: Path) -> None:
    with opened(tmp_path, storage=20) as client:
        assert ask(client, "Nine char").status_code == 200
        assert is_problem(ask(client, "More than is left."), 507, "storage-full")
