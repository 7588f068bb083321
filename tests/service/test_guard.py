"""Who may call the service, how much they may send, and the headers of every answer."""

import asyncio
import json
import re
import socket
from contextlib import nullcontext
from dataclasses import replace
from queue import Queue
from threading import Thread
from urllib.parse import urlsplit

import pytest
import uvicorn
from fastapi.testclient import TestClient

import longsum
from longsum.common.errors import LongsumError
from longsum.service.api import app as server
from longsum.service.api import guard
from longsum.service.api.app import create_app
from longsum.service.errors import ServiceError
from longsum.service.service_settings import Settings
from service_calls import URL, is_problem
from service_worker import serve_simply


class TestWhoMayCall:
    @pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.nip.io:8765", "", "[::1"])
    def test_another_name_is_refused(self, client: TestClient, host: str) -> None:
        assert is_problem(client.get("/limits", headers={"host": host}), 421, "wrong-host")

    @pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
    def test_pages_of_other_sites_are_refused(self, client: TestClient, origin: str) -> None:
        answer = client.post("/v1/summaries", json={"text": "a"}, headers={"origin": origin})
        assert is_problem(answer, 403, "wrong-origin")
        assert "access-control-allow-origin" not in answer.headers
        assert client.get("/limits", headers={"origin": URL}).status_code == 200

    def test_every_answer_is_guarded_and_counted(self, client: TestClient) -> None:
        def count(status: int) -> float:
            told = re.search(
                rf'longsum_requests_total{{method="GET",status="{status}"}} (\S+)',
                client.get("/metrics").text,
            )
            return float(told[1]) if told else 0

        for status, headers in ((200, {}), (421, {"host": "evil.example"})):
            before = count(status)
            answer = client.get("/limits", headers=headers)
            assert answer.status_code == status
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["referrer-policy"] == "no-referrer"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["content-security-policy"].startswith("default-src 'none'; frame")
            # The question before is counted, too.
            assert count(status) == before + 1 + (status == 200)
        for method in ("PUT", "BREW", "POST", "DELETE", "HEAD", "OPTIONS"):
            client.request(method, "/limits")
        metrics = client.get("/metrics")
        assert metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        counted = dict(re.findall(r'total{method="(\w+)",status="405"} (\S+)', metrics.text))
        assert counted["other"] == "2.0"
        assert counted.keys() == {"other", "POST", "DELETE", "HEAD", "OPTIONS"}

    def test_the_description_has_every_address_and_answer(self, client: TestClient) -> None:
        told = client.get("/openapi.json").json()
        assert (told["info"]["title"], told["info"]["version"]) == ("longsum", longsum.__version__)
        called = {
            operation["operationId"]: operation["tags"]
            for operations in told["paths"].values()
            for operation in operations.values()
        }
        for tag, ids in (
            ("summaries", "summarize"),
            ("jobs", "get_job delete_job get_result follow_job"),
            ("health", "is_alive is_ready get_limits get_metrics"),
        ):
            assert {name for name in called if called[name] == [tag]} == set(ids.split())
        names = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(told)))
        assert "Problem" in names
        assert names <= set(told["components"]["schemas"])
        found = {
            f"{method} {path}": " ".join(sorted(operation["responses"]))
            for path, operations in told["paths"].items()
            for method, operation in operations.items()
        }
        usual = "200 400 401 403 {}421 422".format
        job, document = "/v1/jobs/{job}", "/v1/documents/{document}"
        assert found == {
            "post /v1/summaries": "200 202 400 401 403 408 413 415 421 422 429 507",
            "post /v1/documents": "201 400 401 403 408 413 415 421 422 507",
            "get /v1/documents": usual(""),
            f"delete {document}": usual("404 ").replace("200", "204"),
            f"get {document}/content": usual("404 409 "),
            f"get {job}/result": usual("404 409 410 "),
            **dict.fromkeys((f"get {job}", f"delete {job}", f"get {job}/events"), usual("404 ")),
            **dict.fromkeys((f"get {document}", f"get {document}/jobs"), usual("404 ")),
            **dict.fromkeys(("get /livez", "get /limits", "get /metrics"), "200"),
            "get /readyz": usual("").replace("422", "422 503"),
        }
        for path, required in (("/v1/summaries", None), ("/v1/documents", ["file"])):
            body = told["paths"][path]["post"]["requestBody"]
            form, text = (each["schema"] for each in body["content"].values())
            assert body["required"] is True
            assert form["additionalProperties"] is text["additionalProperties"] is False
            assert form.get("required") == required
            file = form["properties"].pop("file")
            assert (file["type"], file["format"]) == ("string", "binary")
            assert form["properties"].keys() == text["properties"].keys() - {"text"}

    @pytest.mark.parametrize(
        ("method", "path", "status", "reason", "said"),
        [
            ("GET", "/nothing", 404, "unknown", "There is nothing at this address;"),
            ("PUT", "/limits", 405, "method", "This address does not take this method;"),
            ("GET", "/v1/documents?most=0", 422, "bad-request", "most is wrong: it should be"),
            ("GET", "/v1/documents?most=201", 422, "bad-request", "most is wrong: it should be"),
            ("POST", "/v1/summaries?wait=-1", 422, "bad-request", "wait is wrong: it should be"),
        ],
    )
    def test_a_missing_route_is_reported_as_a_problem(
        self, client: TestClient, method: str, path: str, status: int, reason: str, said: str
    ) -> None:
        answer = client.request(method, path)
        assert is_problem(answer, status, reason)
        assert answer.json()["detail"].startswith(said)
        assert answer.headers.get("allow") == ("GET" if status == 405 else None)

    @pytest.mark.parametrize(
        ("sent", "said"),
        [
            ({"text": ""}, "text is wrong: it should have at least 1 character."),
            ({"text": 3}, "text is wrong: it should be a valid string."),
            ([], "The body is not a JSON object; send one with a text."),
            (
                {"text": "a", "kind": "table", "focus": "b"},
                "A request of kind 'table' takes no focus; leave it out.",
            ),
        ],
    )
    def test_a_wrong_value_is_explained_in_a_sentence(self, client, sent, said) -> None:
        assert client.post("/v1/summaries", json=sent).json()["detail"] == said

    def test_the_limits_are_published(self, client: TestClient) -> None:
        told = client.get("/limits").json()
        assert (told["queue"], told["wait"], told["seconds"], told["keep"]) == (64, 20, 60, 604_800)
        assert (told["workers"], told["connections"], told["storage"]) == (1, 512, 10**10)
        assert (told["read"]["size"], told["writers"]) == (100_000, [])
        assert {"stepwise", "lead"} <= set(told["systems"])
        assert not {"oracle", "llm"} & set(told["systems"])
        assert client.get("/readyz").json() == {"status": "ready"}
        key = client.post("/v1/summaries", headers={"idempotency-key": 201 * "k"}).json()
        assert key["detail"] == "idempotency-key is wrong: it should have at most 200 characters."

    def test_a_request_has_a_hundred_headers_at_most(self, client: TestClient) -> None:
        own = len(client.get("/limits").request.headers)
        for more, status in ((100 - own, 200), (101 - own, 431)):
            headers = {f"x-{number}": "" for number in range(more)}
            assert client.get("/limits", headers=headers).status_code == status

    @pytest.mark.parametrize("ends", [True, False])
    def test_a_body_has_twenty_seconds_and_more_the_more_has_come(self, monkeypatch, ends) -> None:
        """The body ends after four megabytes, or stalls there."""
        given: list[float] = []

        async def receive() -> dict:
            more = {"more_body": True} if not ends or len(given) < 4 else {}
            return {"type": "http.request", "body": bytes(10**6)} | more

        async def waited(receiving, seconds: float):
            given.append(seconds)
            if len(given) <= 4:
                return await receiving
            receiving.close()
            raise TimeoutError

        async def app(_scope, receive, _send) -> None:
            # What comes after the body is waited for as long as it takes.
            for _ in range(5):
                await receive()

        monkeypatch.setattr(guard.asyncio, "wait_for", waited)
        guarded = guard.Guard(app, Settings(read_limit=("size=4000000",)), (), print)
        scope = {"type": "http", "path": "/", "headers": [(b"host", b"localhost")]}
        with nullcontext() if ends else pytest.raises(ServiceError, match="too slowly") as refused:
            asyncio.run(guarded(scope, receive, print))
        if refused is not None:
            assert (refused.value.status, refused.value.headers) == (408, {"connection": "close"})
        # Less what the test itself takes.
        expected = [20, 40, 60, 80, 100][: 4 if ends else 5]
        assert given == [pytest.approx(seconds - 0.4, abs=0.4) for seconds in expected]

    def test_a_key_is_required(self, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
        file = tmp_path / "keys"
        file.write_text("the-first-key-of-two\n")
        monkeypatch.setenv("LONGSUM_SERVE_KEYS", "the-second-key-of-two")
        app = create_app(Settings(folder=tmp_path / "s", key_file=file), serve_simply)
        client = TestClient(app, URL)
        assert is_problem(client.get("/limits"), 401, "no-key")
        asked = client.get("/limits").headers["www-authenticate"]
        assert asked == 'Basic realm="longsum", charset="UTF-8"'
        assert is_problem(client.get("/readyz"), 503, "not-ready")
        for wrong in ("Bearer", "Bearer the-third-key", "Basic !!", "Digest the-first-key-of-two"):
            assert client.get("/limits", headers={"authorization": wrong}).status_code == 401
        for key in ("the-first-key-of-two", "the-second-key-of-two"):
            headers = {"authorization": f"Bearer {key}"}
            assert client.get("/limits", headers=headers).status_code == 200
            assert client.get("/limits", auth=("anyone", key)).status_code == 200
        assert client.get("/livez").status_code == 200
        app.state.service.store.close()


def test_a_server_has_bounds_and_ends_connections_that_say_nothing(tmp_path, monkeypatch) -> None:
    def heard(connection: socket.socket) -> bytes:
        connection.sendall(b"GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n")
        answer = b""
        while not answer.endswith(b'{"status":"alive"}'):
            block = connection.recv(65_536)
            assert block
            answer += block
        return answer

    made: list[uvicorn.Server] = []
    started: Queue[str] = Queue()

    class Noted(uvicorn.Server):
        def __init__(self, config: uvicorn.Config) -> None:
            super().__init__(config)
            made.append(self)

    monkeypatch.setattr(server.uvicorn, "Server", Noted)
    monkeypatch.setattr(server, "_SILENCE", 1.0)
    chosen = Settings(folder=tmp_path / "s", port=0, workers=1, connections=9)
    thread = Thread(target=server.run, args=(chosen, started.put), daemon=True)
    thread.start()
    try:
        address = urlsplit(started.get(timeout=20))
        assert (address.scheme, address.hostname) == ("http", "127.0.0.1")
        where = address.hostname, address.port
        with (
            socket.create_connection(where, timeout=20) as speaking,
            socket.create_connection(where, timeout=20) as silent,
        ):
            assert heard(speaking).startswith(b"HTTP/1.1 200 OK")
            assert silent.recv(1) == b""
            # One that spoke is kept.
            assert b"\r\nserver:" not in heard(speaking)
        config = made[0].config
        assert (config.limit_concurrency, config.timeout_keep_alive) == (9, 15)
        assert (config.timeout_graceful_shutdown, config.log_level) == (3, "warning")
        assert config.h11_max_incomplete_event_size == 2**15
        assert (config.ws, config.lifespan) == ("none", "on")
        assert (config.access_log, config.proxy_headers) == (False, False)
        taken = replace(chosen, folder=tmp_path / "t", port=address.port)
        with pytest.raises(LongsumError, match="cannot listen on"):
            server.run(taken, started.put)
    finally:
        made[0].should_exit = True
        thread.join(20)


def test_no_part_of_an_answer_waits_for_the_client_to_confirm_another(tmp_path) -> None:
    with (
        server._listening(Settings(folder=tmp_path, port=0)) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
