"""The processes that work: what they may take, and what becomes of their jobs."""

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from longsum.service.api import routes
from longsum.service.api.server import _listening
from longsum.service.service_settings import Settings
from service_calls import ask, ended, is_problem, opened


def test_a_full_queue_is_alive_but_not_ready(tmp_path: Path) -> None:
    with opened(tmp_path, queue=1) as client:
        while client.get("/readyz").status_code != 200:
            time.sleep(0.02)
        running = ask(client, "hang", wait=0).json()["job"]["id"]
        ended(client, running, "running")
        waiting = ask(client, "hang as well", wait=0).json()["job"]
        assert waiting["ahead"] == 0
        refused = ask(client, "hang too", wait=0)
        assert is_problem(refused, 429, "queue-full")
        assert int(refused.headers["retry-after"]) >= 1
        assert ask(client, "hang as well", wait=0).json()["job"]["id"] == waiting["id"]
        assert client.get("/livez").status_code == 200
        assert is_problem(client.get("/readyz"), 503, "queue-full")
        assert 'longsum_refused_total{reason="queue-full"} 1.0' in client.get("/metrics").text


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
        while len(looks) < 3:
            time.sleep(0.01)
        client.delete(f"/v1/jobs/{waiting}")
        blocks = told.result().text.strip().split("\n\n")
        again = [block for block in blocks if "id: " not in block and '"queued"' in block]
        assert again
        assert all(json.loads(block.partition("data: ")[2])["ahead"] == 0 for block in again)


def test_a_job_over_its_time_fails_and_its_process_ends(tmp_path: Path) -> None:
    with opened(tmp_path, seconds=0.5) as client:
        answer = ask(client, "hang")
        assert is_problem(answer, 422, "timeout")
        assert "0.5 seconds" in answer.json()["detail"]
        assert ask(client, "and on").status_code == 200


def test_an_expired_result_has_gone(tmp_path: Path) -> None:
    with opened(tmp_path) as client:
        job = ask(client, "Short-lived.").json()["job"]["id"]
        store = client.app.state.service.store  # type: ignore[attr-defined]
        now = time.time()
        store.clock = lambda: now + store.keep + 5
        store.sweep()
        assert is_problem(client.get(f"/v1/jobs/{job}/result"), 410, "expired")


def test_a_full_storage_refuses_documents(tmp_path: Path) -> None:
    with opened(tmp_path, storage=20) as client:
        assert ask(client, "Nine char").status_code == 200
        assert is_problem(ask(client, "More than is left."), 507, "storage-full")


def test_no_part_of_an_answer_waits_for_the_client_to_confirm_another(tmp_path: Path) -> None:
    with (
        _listening(Settings(folder=tmp_path, port=0)) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
