"""The addresses of the service, with workers that do what texts say."""

import asyncio
import json
import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import longsum
from longsum.documents.document_json import document_to_json
from longsum.service.api import guard, routes
from longsum.service.api.admission import file_name
from longsum.service.api.app import create_app
from longsum.service.api.server import _listening
from longsum.service.errors import ServiceError
from longsum.service.service_settings import Settings
from service_worker import serve_simply

URL = "http://127.0.0.1"


def opened(folder: Path, **settings: Any) -> TestClient:
    chosen = Settings(folder=folder, workers=1, wait=20, **settings)
    return TestClient(create_app(chosen, serve_simply), URL, raise_server_exceptions=False)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("service")
    with opened(folder, seconds=60, read_limit=("size=100000",)) as client:
        while client.get("/readyz").status_code != 200:
            time.sleep(0.02)
        yield client


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


def ended(client: TestClient, job: str, state: str, seconds: float = 5) -> Any:
    until = time.monotonic() + seconds
    while (found := client.get(f"/v1/jobs/{job}").json())["state"] != state:
        assert time.monotonic() < until, found
        time.sleep(0.01)
    return found


class TestSummaries:
    def test_a_text_is_answered_at_once(self, client: TestClient) -> None:
        answer = ask(client, "Rivers\n\nThe river is wide.", length="9w")
        assert answer.status_code == 200
        told = answer.json()
        assert told["result"] == {"schema": "x"}
        assert told["job"]["state"] == "done"
        assert told["job"]["wanted"] == {"length": "9w"}
        assert answer.headers["location"] == f"/v1/jobs/{told['job']['id']}"
        about = client.get(f"/v1/documents/{told['job']['document']}").json()["about"]
        assert about["title"] == "Rivers"

    def test_a_file_is_stored_once_under_no_name_of_its_own(self, client: TestClient) -> None:
        files = {"file": ("../../etc/passwd\n.md", b"A file.\n")}
        jobs = [
            client.post("/v1/summaries", files=files, data={"length": length}).json()["job"]
            for length in ("9w", "8w")
        ]
        assert jobs[0]["id"] != jobs[1]["id"]
        assert jobs[0]["document"] == jobs[1]["document"]
        document = client.get(f"/v1/documents/{jobs[0]['document']}").json()
        assert document["name"] == "passwd%0A.md"
        folder = client.app.state.service.store.folder  # type: ignore[attr-defined]
        assert not list(folder.rglob("*passwd*"))
        assert not list(folder.glob("upload-*"))

    @pytest.mark.parametrize(
        ("given", "name"),
        [
            ("C:\\a b.PDF ", "a b.PDF"),
            ("", "document"),
            ("/.md", "document.md"),
            ("a.toolongasuffix", "a.toolongasuffix"),
            (300 * "a" + ".docx", 195 * "a" + ".docx"),
            (300 * "a", 200 * "a"),
        ],
    )
    def test_a_document_is_called_by_the_last_part_of_its_name(self, given: str, name: str) -> None:
        assert file_name(given) == name

    def test_the_same_bytes_are_one_document_of_each_kind(self, client: TestClient) -> None:
        def sent(name: str) -> Any:
            return client.post("/v1/documents", files={"file": (name, b"Same.")}).json()["id"]

        assert sent("a.md") == sent("b.MD") != sent("a.txt")

    def test_several_documents_are_one_and_one_is_itself(self, client: TestClient) -> None:
        def sent(text: str) -> Any:
            body = {"text": text, "name": text[:150]}
            return client.post("/v1/documents", json=body).json()["id"]

        def together(*documents: str, **others: Any) -> Any:
            return client.post("/v1/summaries", json={"documents": documents, **others})

        one, two, three = sent("One."), sent("Two " + 200 * "2"), sent("3" * 90)
        assert together(one, one).json()["job"]["document"] == one
        both = together(one, two).json()["job"]["document"]
        view = client.get(f"/v1/documents/{both}").json()
        assert (view["members"], view["name"]) == ([one, two], f"One. · {'Two ' + 146 * '2'}")
        # What consists of others is them, each once; so a form has them.
        form = [("documents", (None, each)) for each in (both, three, one)]
        all_three = client.post("/v1/summaries", files=form).json()["job"]["document"]
        assert all_three == together(one, two, three).json()["job"]["document"] != both
        view = client.get(f"/v1/documents/{all_three}").json()
        assert view["members"] == [one, two, three]
        assert len(view["name"]) <= 200
        assert is_problem(together(one, two, kind="table"), 422, "bad-request")
        assert is_problem(together(one, document=two), 422, "bad-request")
        assert is_problem(together(one, "unknown"), 404, "unknown")
        content = f"/v1/documents/{both}/content"
        assert is_problem(client.get(content), 409, "not-ready")
        store = client.app.state.service.store  # type: ignore[attr-defined]
        for each, text in ((one, b"One."), (two, b"Two.")):
            read = json.dumps(document_to_json(longsum.read_bytes(text)))
            (store.place(each) / "read.json").write_text(read)
        assert re.findall("One.|Two.", client.get(content).json()["text"]) == ["One.", "Two."]

    def test_the_same_request_is_the_same_job(self, client: TestClient) -> None:
        first, same, other = (
            ask(client, "Once.", length=length).json()["job"]["id"]
            for length in ("10 words", "10w", "11w")
        )
        assert first == same != other

    def test_a_wait_that_is_over_tells_of_the_same_job(self, client: TestClient) -> None:
        answers = [ask(client, "hang for a while", wait=0.05) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [202, 202]
        first, second = (answer.json()["job"]["id"] for answer in answers)
        assert first == second
        assert answers[0].json()["result"] is None
        assert int(answers[0].headers["retry-after"]) >= 1
        assert is_problem(client.get(f"/v1/jobs/{first}/result"), 409, "not-ready")
        client.delete(f"/v1/jobs/{first}")

    def test_a_document_sent_before_needs_no_second_upload(self, client: TestClient) -> None:
        sent = {"files": {"file": ("a.txt", b"Kept.")}}
        wrong = client.post("/v1/documents", **sent, data={"b": "1", "a": "2"})
        assert "There is no field 'a' here." in wrong.json()["detail"]
        kept = client.post("/v1/documents", **sent)
        assert kept.status_code == 201
        content = f"/v1/documents/{kept.json()['id']}/content"
        assert is_problem(client.get(content), 409, "not-ready")
        answer = client.post("/v1/summaries", json={"document": kept.json()["id"]})
        assert answer.status_code == 200
        assert client.get(f"/v1/jobs/{answer.json()['job']['id']}/result?form=text").text == "Kept."
        store = client.app.state.service.store  # type: ignore[attr-defined]
        (store.place(kept.json()["id"]) / "read.json").write_text('{"as": "read"}')
        assert client.get(content).json() == {"as": "read"}

    def test_a_key_is_the_same_job_also_after_a_failure(self, client: TestClient) -> None:
        with_key = {"headers": {"idempotency-key": "k1"}, "json": {"text": "please refuse"}}
        jobs = [client.post("/v1/summaries", **with_key).json()["job"] for _ in range(2)]
        assert jobs[0] == jobs[1]
        other = client.post("/v1/summaries", **(with_key | {"json": {"text": "another"}}))
        assert is_problem(other, 422, "bad-request")

    @pytest.mark.parametrize(
        ("text", "reason"), [("refuse it", "unreadable"), ("err", "fault"), ("die", "crash")]
    )
    def test_a_job_that_fails_says_why(self, client: TestClient, text: str, reason: str) -> None:
        answer = ask(client, text)
        assert is_problem(answer, 422, reason)
        job = answer.json()["job"]
        assert client.get(f"/v1/jobs/{job}").json()["problem"]["reason"] == reason
        assert is_problem(client.get(f"/v1/jobs/{job}/result"), 422, reason)

    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({"lenght": "9w"}, "There is no field 'lenght'"),
            ({"length": "some"}, "some"),
            ({"length": "-3w"}, "length"),
            ({"system": "/etc/passwd"}, "There is no system"),
            ({"system": "http://127.0.0.1:1/v1#x"}, "There is no system"),
            ({"system": "oracle"}, "There is no system"),
            ({"writer": "http://127.0.0.1:1/v1"}, "There is no writer"),
            ({"kind": "questions", "focus": "x"}, "takes no focus"),
            ({"levels": True, "at_once": True}, "at_once"),
            ({"as_written": True}, "as_written is for what a writer writes"),
            ({"system": "lead", "writer": "mine"}, "Give either a system or a writer"),
            ({"seed": -1}, "seed"),
            ({"document": "0" * 64}, "Send one document"),
            ({"focus": "\ud800"}, ""),
        ],
    )
    def test_a_wrong_field_is_named(
        self, client: TestClient, fields: dict[str, Any], said: str
    ) -> None:
        answer = client.post(
            "/v1/summaries",
            content=json.dumps({"text": "A text.", **fields}),
            headers={"content-type": "application/json"},
        )
        assert is_problem(answer, 422, "bad-request")
        assert said in answer.json()["detail"]

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            (b"", 422),
            (b"{", 422),
            (b"[]", 422),
            (b'{"text": 3}', 422),
            (b'{"text": ""}', 422),
            (b"{}", 422),
            (b"[" * 100_000, 422),
            (b'{"text": "a", "seed": ' + b"9" * 10_000 + b"}", 422),
            (b'{"text": "' + b"a" * 100_001 + b'"}', 413),
            (b'{"text": "' + b"a" * 100_000 + b'", "seed": -1}', 422),
            (b"a" * 2_000_000, 413),
        ],
    )
    def test_a_wrong_body_is_refused(self, client: TestClient, body: bytes, status: int) -> None:
        headers = {"content-type": "application/json"}
        answer = client.post("/v1/summaries", content=body, headers=headers)
        assert is_problem(answer, status, "too-large" if status == 413 else "bad-request")

    def test_a_body_that_does_not_say_its_length_is_counted(self, client: TestClient) -> None:
        headers = {"content-type": "application/json"}
        body = (b"a" * 100_000 for _ in range(20))
        answer = client.post("/v1/summaries", content=body, headers=headers)
        assert is_problem(answer, 413, "too-large")

    def test_another_kind_of_body_is_refused(self, client: TestClient) -> None:
        answer = client.post("/v1/summaries", content=b"text")
        assert is_problem(answer, 415, "bad-request")

    def test_a_packed_body_is_not_unpacked(self, client: TestClient) -> None:
        headers = {"content-type": "application/json", "content-encoding": "gzip"}
        answer = client.post("/v1/summaries", content=b"\x1f\x8b", headers=headers)
        assert is_problem(answer, 415, "encoded")

    @pytest.mark.parametrize(
        ("parts", "said"),
        [
            ([("file", ("a.txt", b"x"))] * 2, "Too many files"),
            ([("other", ("a.txt", b"x"))], "A file comes in the field 'file'"),
            ([("file", (None, b"no file"))], "A file comes in the field 'file'"),
            ([(f"field{number}", (None, b"x")) for number in range(65)], "Too many fields"),
            (
                [(f"field{number}", (None, b"x")) for number in range(64)],
                "There is no field 'field0'",
            ),
            ([("length", (None, b"9w"))] * 2, "The field 'length' comes twice"),
            ([("length", (None, b"9" * 65_537))], "exceeded maximum size of 64KB"),
            ([("length", (None, b"9" * 65_536))], "at most 40 characters"),
            ([("file", ("a.txt", b""))], "The document is empty"),
            ([("name", (None, b"a"))], "A name belongs to a text"),
        ],
    )
    def test_a_wrong_form_is_refused(self, client: TestClient, parts: Any, said: str) -> None:
        answer = client.post("/v1/summaries", files=parts)
        assert is_problem(answer, answer.status_code, "bad-request")
        assert 400 <= answer.status_code < 500
        assert said in answer.json()["detail"]


class TestJobs:
    def test_cancel_ends_the_process_that_works(self, client: TestClient) -> None:
        job = ask(client, "hang 2", wait=0).json()["job"]["id"]
        workers = client.app.state.service.workers  # type: ignore[attr-defined]
        while client.get(f"/v1/jobs/{job}").json()["stage"] != "summarizing":
            time.sleep(0.01)
        (process,) = [worker.process.pid for worker in workers._workers]
        assert client.delete(f"/v1/jobs/{job}").json()["state"] == "cancelled"
        until = time.monotonic() + 2
        while Path(f"/proc/{process}").exists():
            assert time.monotonic() < until
            time.sleep(0.01)
        assert is_problem(client.get(f"/v1/jobs/{job}/result"), 410, "cancelled")

    def test_events_are_told_again_after_the_last_that_came(self, client: TestClient) -> None:
        job = ask(client, "Told.").json()["job"]["id"]
        whole = events(client, job)
        ids = [identity for identity, _ in whole]
        assert ids == sorted(set(ids))
        assert [data["stage"] for _, data in whole][:3] == ["queued", "starting", "reading"]
        assert whole[-1][1]["state"] == "done"
        assert events(client, job, ids[2]) == whole[3:]
        assert events(client, job, ids[-1]) == []

    def test_a_removed_result_has_gone_and_an_unknown_one_never_was(
        self, client: TestClient
    ) -> None:
        job = ask(client, "Removed.").json()["job"]["id"]
        assert client.delete(f"/v1/jobs/{job}").json()["state"] == "expired"
        assert is_problem(client.get(f"/v1/jobs/{job}/result"), 410, "expired")
        for path in ("", "/result", "/events"):
            assert is_problem(client.get(f"/v1/jobs/unknown{path}"), 404, "unknown")
        assert ask(client, "Removed.").json()["job"]["id"] != job

    def test_a_deleted_document_takes_its_jobs_along(self, client: TestClient) -> None:
        told = ask(client, "Deleted.").json()["job"]
        address = f"/v1/documents/{told['document']}"
        assert client.delete(address).status_code == 204
        assert is_problem(client.get(address), 404, "unknown")
        assert is_problem(client.get(f"/v1/jobs/{told['id']}/result"), 410, "expired")

    def test_a_form_that_was_not_made_is_named(self, client: TestClient) -> None:
        job = ask(client, "Forms.").json()["job"]["id"]
        answer = client.get(f"/v1/jobs/{job}/result?form=html")
        assert is_problem(answer, 404, "unknown")
        assert "json, text" in answer.json()["detail"]


def events(client: TestClient, job: str, after: int | None = None) -> list[tuple[int, Any]]:
    headers = {} if after is None else {"last-event-id": str(after)}
    found = []
    for block in client.get(f"/v1/jobs/{job}/events", headers=headers).text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "id" in lines:
            found.append((int(lines["id"]), json.loads(lines["data"])))
    return found


class TestWhoMayCall:
    @pytest.mark.parametrize(
        "headers",
        [
            {"host": "evil.example"},
            {"host": "127.0.0.1.nip.io:8765"},
            {"host": ""},
            {"host": "[::1"},
        ],
    )
    def test_another_name_is_refused(self, client: TestClient, headers: dict[str, str]) -> None:
        assert is_problem(client.get("/limits", headers=headers), 421, "wrong-host")

    @pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
    def test_pages_of_other_sites_are_refused(self, client: TestClient, origin: str) -> None:
        answer = client.post("/v1/summaries", json={"text": "a"}, headers={"origin": origin})
        assert is_problem(answer, 403, "wrong-origin")
        assert "access-control-allow-origin" not in answer.headers

    def test_own_pages_are_let_in(self, client: TestClient) -> None:
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

    def test_the_description_has_every_address_and_answer(self, client: TestClient) -> None:
        told = client.get("/openapi.json").json()
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
    def test_what_there_is_not_is_a_problem(
        self, client: TestClient, method: str, path: str, status: int, reason: str, said: str
    ) -> None:
        answer = client.request(method, path)
        assert is_problem(answer, status, reason)
        assert answer.json()["detail"].startswith(said)
        assert answer.headers.get("allow") == ("GET" if status == 405 else None)

    def test_the_limits_are_told(self, client: TestClient) -> None:
        told = client.get("/limits").json()
        assert (told["queue"], told["wait"], told["seconds"], told["keep"]) == (64, 20, 60, 604_800)
        assert (told["workers"], told["connections"], told["storage"]) == (1, 512, 10**10)
        assert (told["read"]["size"], told["writers"]) == (100_000, [])
        assert {"stepwise", "lead"} <= set(told["systems"])
        assert not {"oracle", "llm"} & set(told["systems"])

    def test_a_request_has_a_hundred_headers_at_most(self, client: TestClient) -> None:
        own = len(client.get("/limits").request.headers)
        for more, status in ((100 - own, 200), (101 - own, 431)):
            headers = {f"x-{number}": "" for number in range(more)}
            assert client.get("/limits", headers=headers).status_code == status

    @pytest.mark.parametrize("ends", [True, False])
    def test_a_body_has_twenty_seconds_and_more_by_what_came(
        self, monkeypatch: pytest.MonkeyPatch, ends: bool
    ) -> None:
        """Of a body that ends with its fourth megabyte, or of which no more comes then."""
        given: list[float] = []

        async def receive() -> dict[str, Any]:
            more = not ends or len(given) < 4
            return {"type": "http.request", "body": bytes(10**6), "more_body": more}

        async def waited(receiving: Any, seconds: float) -> Any:
            given.append(seconds)
            if len(given) <= 4:
                return await receiving
            receiving.close()
            raise TimeoutError

        async def app(_scope: Any, receive: Any, _send: Any) -> None:
            # What comes after the body is waited for as long as it takes.
            for _ in range(5):
                await receive()

        monkeypatch.setattr(guard.asyncio, "wait_for", waited)
        guarded = guard.Guard(app, Settings(read_limit=("size=4000000",)), (), print)
        scope = {"type": "http", "path": "/", "headers": [(b"host", b"localhost")]}
        try:
            asyncio.run(guarded(scope, receive, print))
        except ServiceError as error:
            assert (error.status, error.headers) == (408, {"connection": "close"})
        # Less what the test itself takes.
        expected = [20, 40, 60, 80, 100][: 4 if ends else 5]
        assert given == [pytest.approx(seconds - 0.4, abs=0.4) for seconds in expected]

    def test_a_key_is_asked_for(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        file = tmp_path / "keys"
        file.write_text("the-first-key-of-two\n")
        monkeypatch.setenv("LONGSUM_SERVE_KEYS", "the-second-key-of-two")
        app = create_app(Settings(folder=tmp_path / "s", key_file=file), serve_simply)
        client = TestClient(app, URL)
        assert is_problem(client.get("/limits"), 401, "no-key")
        for wrong in ("Bearer", "Bearer the-third-key", "Basic !!", "Digest the-first-key-of-two"):
            assert client.get("/limits", headers={"authorization": wrong}).status_code == 401
        for key in ("the-first-key-of-two", "the-second-key-of-two"):
            headers = {"authorization": f"Bearer {key}"}
            assert client.get("/limits", headers=headers).status_code == 200
            assert client.get("/limits", auth=("anyone", key)).status_code == 200
        assert client.get("/livez").status_code == 200
        app.state.service.store.close()


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
