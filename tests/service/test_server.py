"""A real server: attackers on its socket, kills, cancels, progress that never stops."""

import json
import random
import shutil
import socket
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pdf_writer import raw_pdf
from running_service import RunningService, alive, below, memory, running

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
Dripping = tuple[int, list[Future[tuple[bytes, float]]]]
PROSE = "The river is wide. Dams hold it back. Fish climb the ladders beside the locks. "
BOOK = "".join(
    f"# Chapter {chapter}\n\n"
    + " ".join(f"The river of year {chapter} carries load {n} to the sea." for n in range(400))
    + "\n\n"
    for chapter in range(1, 9)
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("service") / "service"
    with running(folder, "--workers", "1") as service:
        service.wait_until_ready()
        yield service


def connect(service: RunningService) -> socket.socket:
    address = urlsplit(service.url)
    assert address.hostname
    assert address.port
    return socket.create_connection((address.hostname, address.port), timeout=60)


def drip(service: RunningService, head: bytes, drop: bytes) -> tuple[bytes, float]:
    """Send a header, then a little every half second; return the answer and its time."""
    start = time.monotonic()
    with connect(service) as connection:
        connection.sendall(head)
        connection.settimeout(0.5)
        while time.monotonic() - start < 60:
            try:
                answer = connection.recv(65536)
                return answer, time.monotonic() - start
            except TimeoutError:
                try:
                    connection.sendall(drop)
                except OSError:
                    return b"", time.monotonic() - start
            except ConnectionResetError:
                return b"", time.monotonic() - start
    raise AssertionError("the connection was kept for a minute")


@pytest.fixture(scope="module", autouse=True)
def dripping(service: RunningService) -> Iterator[Dripping]:
    """Send slowly while the tests run; return the memory before, and the results."""
    post = b"POST /v1/summaries HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    attacks = [
        (b"", b""),
        (b"GET /livez HTTP/1.1\r\n", b"x: y\r\n"),
        (post + b"content-length: 1000\r\n\r\n", b"a"),
        (post + b"transfer-encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    ]
    before = memory(service.process.pid)
    with ThreadPoolExecutor(64) as pool:
        yield before, [pool.submit(drip, service, *each) for each in attacks for _ in range(15)]


@pytest.mark.parametrize(
    "head",
    [
        b"GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n" + b"a: b\r\n" * 10_000 + b"\r\n",
        b"GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\na: " + b"b" * 1_000_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00" + b"\x00" * 100 + b"\r\n\r\n",
        b"GET /livez HTTP/1.1\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\nhost: evil\r\n\r\n",
        b"POST /v1/summaries HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 5\r\n"
        b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ids=["headers", "header", "address", "tls", "no host", "two hosts", "two lengths"],
)
def test_a_wrong_head_is_refused(service: RunningService, head: bytes) -> None:
    with connect(service) as connection:
        try:
            connection.sendall(head)
            answer = connection.recv(65536)
        except (ConnectionResetError, BrokenPipeError):
            answer = b""
    assert answer[:12] in (b"", b"HTTP/1.1 400", b"HTTP/1.1 415", b"HTTP/1.1 421", b"HTTP/1.1 431")
    assert service.client.get("/livez").status_code == 200


def test_a_long_job_sends_events_all_the_time(service: RunningService) -> None:
    job = service.ask(BOOK, wait=0, length="2000w", lengths=True).json()["job"]["id"]
    last, ids, silent = time.monotonic(), [], 0.0
    with service.client.stream("GET", f"/v1/jobs/{job}/events") as stream:
        for line in stream.iter_lines():
            if line.startswith("id: "):
                ids.append(int(line[4:]))
                silent, last = max(silent, time.monotonic() - last), time.monotonic()
            elif line.startswith("data: "):
                state = json.loads(line[6:])["state"]
    assert state == "done" == service.job(job)["state"]
    assert ids == sorted(set(ids))
    assert silent < 5
    assert service.client.get(f"/v1/jobs/{job}/result?form=html").text.startswith("<!")


@pytest.mark.parametrize("stage", ["queued", "starting", "reading", "summarizing"])
def test_cancel_ends_a_running_job_within_two_seconds(service: RunningService, stage: str) -> None:
    service.wait_until_ready()
    # Markup is read in a process of its own.
    text = f"<html><h1>{stage}</h1>" + "".join(f"<p>{PROSE * 5} {n}</p>" for n in range(4000))
    job = service.ask(text, wait=0, name="a.html", length="9w").json()["job"]["id"]
    while stage != "queued" and service.job(job)["stage"] in ("queued", "starting"):
        time.sleep(0.002)
    if stage == "summarizing":
        while service.job(job)["stage"] == "reading":
            time.sleep(0.01)
    tree = below(service.process.pid)
    workers = {each for each in tree if any(each in below(other) for other in tree)}
    start = time.monotonic()
    assert service.client.delete(f"/v1/jobs/{job}").json()["state"] == "cancelled"
    if stage in ("reading", "summarizing"):
        while alive(workers) == workers:
            assert time.monotonic() - start < 2
            time.sleep(0.01)
    assert service.ended(job)["state"] == "cancelled"


def test_every_accepted_job_ends_once_whatever_is_killed(tmp_path: Path) -> None:
    folder, chance, accepted = tmp_path / "service", random.Random(0), list[str]()
    for turn in range(3):
        service = RunningService(folder)
        if turn:
            service.wait_until_ready()
        accepted += [
            service.ask(f"{turn} {n} {PROSE * 200}", wait=0).json()["job"]["id"] for n in range(2)
        ]
        time.sleep(chance.uniform(0, 1))
        children = below(service.process.pid)
        service.kill()
        until = time.monotonic() + 10
        while alive(children):
            assert time.monotonic() < until
            time.sleep(0.05)
    with running(folder) as service:
        assert {service.ended(job)["state"] for job in accepted} <= {"done", "failed"}
    with sqlite3.connect(folder / "service.sqlite") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        query = "SELECT count(*) FROM events WHERE job = ? AND data ->> 'stage' = 'done'"
        for job in accepted:
            assert database.execute(query, (job,)).fetchone() == (1,)


def test_the_lines_of_the_page_run_as_printed(service, opening_path, tmp_path) -> None:
    """They run in a folder with a part of the example."""
    shutil.copytree(ROOT / "examples" / "tables", tmp_path / "examples" / "tables")
    shutil.copy(opening_path, tmp_path / "examples" / "crypto-mining.md")
    page = (ROOT / "docs" / "service.md").read_text()
    part = page.partition("## With curl")[2].partition("\n## ")[0]
    lines = [line.strip() for line in part.splitlines() if line.startswith("    ")]
    assert len(lines) >= 15
    script = "\n".join(lines).replace("http://127.0.0.1:8765", service.url)
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert '"state": "done"' in done.stdout
    assert "longsum_jobs" in done.stdout


def test_several_documents_are_one_whose_notes_are_theirs_too(service: RunningService) -> None:
    client = service.client
    texts = {
        "dam.md": b"# The dam\n\nThe dam was finished in 1931. It holds back the river.\n",
        "town.md": b"# The town\n\nThe dam was finished in 1932. Fishermen objected.\n",
    }
    ids = [
        client.post("/v1/documents", files={"file": (name, text)}).json()["id"]
        for name, text in texts.items()
    ]
    fields = {"documents": ids, "length": "40w", "lengths": True}
    told = client.post("/v1/summaries", json=fields).json()
    sources = [each["sources"][0] for each in told["result"]["summary"]["sentences"]]
    assert {each["origin"]["document"] for each in sources} == {0, 1}
    assert client.post("/v1/summaries", json=fields).json()["job"]["id"] == told["job"]["id"]
    whole = client.get(f"/v1/documents/{told['job']['document']}").json()
    assert whole["members"] == ids
    content = client.get(f"/v1/documents/{whole['id']}/content").json()
    assert content["text"].count("The dam was finished in") == 2
    asked = {"documents": ids, "kind": "questions", "question": "Who objected to the dam?"}
    tree = client.post("/v1/summaries", json=asked).json()["job"]["id"]
    assert "Fishermen objected." in client.get(f"/v1/jobs/{tree}/result?form=text").text
    assert "Fishermen objected." in client.get(f"/read/{tree}").text
    found = client.get("/", params={"q": "dam finished"}).text
    assert found.count("<mark>dam</mark>") == found.count("<mark>finished</mark>") > 0

    # A note on one of them is found in the whole, may be changed there, and stays its own.
    alone = client.post("/v1/summaries", json={**fields, "documents": ids[1:]}).json()["job"]["id"]
    made = client.put(f"/read/{alone}/lines/0", json={"note": "Mine."}).json()
    assert made["quote"] == "The dam was finished in 1932."
    (note,) = notes(service, told["job"]["id"])
    assert (note["quote"], note["note"]) == (made["quote"], "Mine.")
    change = {"state": "keep", "note": "Ours."}
    client.put(f"/read/{told['job']['id']}/lines/{note['line']}", json=change)
    assert [(each["line"], each["note"]) for each in notes(service, alone)] == [(0, "Ours.")]

    # What was removed is left out, and said to be.
    client.delete(f"/v1/documents/{ids[0]}")
    left = client.get(f"/v1/documents/{whole['id']}/content").json()
    assert left["text"].count("The dam was finished in") == 1
    again = client.post("/v1/summaries", json={"document": whole["id"], "length": "41w"}).json()
    assert "Left out" in str(again["result"]["warnings"])


def test_pages_of_one_of_several_documents_are_shown(service: RunningService) -> None:
    client = service.client
    line = b"BT /F1 11 Tf 72 720 Td (The weir was measured in the dry spring of 1907.) Tj ET"
    files = {"weir.pdf": raw_pdf(line), "mill.md": b"# The mill\n\nA mill stood at the weir.\n"}
    ids = [
        client.post("/v1/documents", files={"file": (name, content)}).json()["id"]
        for name, content in reversed(files.items())
    ]
    fields = {"documents": ids, "length": "40w", "lengths": True}
    told = client.post("/v1/summaries", json=fields).json()
    said = told["result"]["summary"]["sentences"]
    (number,) = (place for place, each in enumerate(said) if "measured" in each["text"])
    found = client.get(f"/read/{told['job']['id']}/lines/{number}/boxes").json()
    assert found["picture"] == f"/documents/{ids[1]}/pages/1.png"
    assert found["boxes"]
    assert client.get(found["picture"]).headers["content-type"] == "image/png"


def test_clients_that_send_very_slowly_are_disconnected(
    service: RunningService, dripping: Dripping
) -> None:
    before, sent = dripping
    ended = [each.result() for each in sent]
    assert all(taken < 45 for _, taken in ended)
    assert any(answer.startswith(b"HTTP/1.1 408") for answer, _ in ended)
    assert memory(service.process.pid) - before < 50e6


def notes(service: RunningService, job: str) -> list[dict[str, object]]:
    page = service.client.get(f"/read/{job}").text
    told = json.loads(page.partition('id="host">')[2].partition("</script>")[0])
    found: list[dict[str, object]] = told["annotations"]
    return found
