"""A service whose workers follow instructions in texts (`service_worker.py`), and calls to it."""

import json
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from longsum.service.api.app import create_app
from longsum.service.service_settings import Settings
from service_worker import serve_simply

URL = "http://127.0.0.1"


def opened(folder: Path, **settings: Any) -> TestClient:
    chosen = Settings(folder=folder, workers=1, wait=20, **settings)
    return TestClient(create_app(chosen, serve_simply), URL, raise_server_exceptions=False)


def ask(client: TestClient, text: str, wait: float = 20, **fields: Any) -> Any:
    return client.post(f"/v1/summaries?wait={wait}", json={"text": text, **fields})


def is_problem(answer: Any, status: int, reason: str) -> bool:
    told = answer.json()
    return (
        answer.status_code == told["status"] == status
        and answer.headers["content-type"] == "application/problem+json"
        and told["reason"] == reason
        and told["type"] == f"about:blank#{reason}"
        and told["title"] == HTTPStatus(status).phrase
        and told["detail"].endswith((".", "?"))
        and None not in told.values()
    )


def until(holds: Callable[[], object], seconds: float = 20) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def ended(client: TestClient, job: str, state: str) -> None:
    """Wait until a job is in a state."""
    until(lambda: client.get(f"/v1/jobs/{job}").json()["state"] == state)


def is_ready(client: TestClient) -> bool:
    return client.get("/readyz").status_code == 200


def events(client: TestClient, job: str, after: int | None = None) -> list[tuple[int, Any]]:
    headers = {} if after is None else {"last-event-id": str(after)}
    found = []
    for block in client.get(f"/v1/jobs/{job}/events", headers=headers).text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "id" in lines:
            found.append((int(lines["id"]), json.loads(lines["data"])))
    return found
