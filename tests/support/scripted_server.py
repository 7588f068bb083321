"""A local chat server that answers as a test scripts it."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]
_LINE = re.compile(r"\[(\d+)\] (.+)")
_CITED = re.compile(r"(.+) \[([\d,]+)\]")
_MOST = re.compile(r"at most ([\d,]+) words")


@dataclass
class Answer:
    """An answer of the server: a status, and text or any JSON."""

    said: Any = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    finish: str = "stop"
    prompt_tokens: int | None = None
    wrote: int = 9
    delay: float = 0.0
    cut: int | None = None
    raw: str | None = None

    def content(self, body: Body) -> bytes:
        if self.raw is not None:
            return self.raw.encode()
        if not isinstance(self.said, str) or self.status != 200:
            return json.dumps(self.said).encode()
        read = len(prompt_of(body).encode()) // 4
        usage = {"prompt_tokens": self.prompt_tokens or read, "completion_tokens": self.wrote}
        choice = {"message": {"role": "assistant", "content": self.said}, "index": 0}
        return json.dumps(
            {"choices": [{**choice, "finish_reason": self.finish}], "usage": usage}
        ).encode()


def prompt_of(body: Body) -> str:
    return "\n".join(message["content"] for message in body["messages"])


def shown(body: Body) -> list[tuple[str, list[int]]]:
    """Return the lines of a prompt's data with their numbers."""
    found: list[tuple[str, list[int]]] = []
    for line in body["messages"][-1]["content"].splitlines():
        if unit := _LINE.fullmatch(line):
            found.append((unit[2], [int(unit[1])]))
        elif cited := _CITED.fullmatch(line):
            found.append((cited[1], [int(number) for number in cited[2].split(",")]))
    return found


def asked(body: Body) -> int:
    """Return the number of words that a prompt requests."""
    found = _MOST.search(body["messages"][0]["content"])
    assert found is not None
    return int(found[1].replace(",", ""))


def obedient(body: Body) -> Answer:
    """Answer with the first words of lines from all over the prompt, citing each."""
    lines = shown(body)
    if not _MOST.search(prompt_of(body)):
        return Answer("It is.")
    if not lines:
        # Nobody asks for citations: sentences as they stand.
        words = asked(body)
        text = " ".join(body["messages"][-1]["content"].split())
        sentences = re.findall(r"[^.]+\.", text)
        step = max(1, len(sentences) * 12 // max(words, 1))
        return Answer(" ".join(map(str.strip, sentences[::step])))
    count = max(1, asked(body) // 12)
    step = max(1, len(lines) // count)
    picked = lines[::step][:count]
    said = [f"{_sentence(text)} {numbers}" for text, numbers in picked]
    return Answer("\n".join(said))


def _sentence(text: str) -> str:
    words = text.split()
    return text if len(words) <= 10 else f"{' '.join(words[:10]).rstrip('.,;:')}."


class Server:
    """The server: its recorded calls, and its answers."""

    def __init__(self, answer: Callable[[Body], Answer]) -> None:
        self.answer = answer
        self.pages: dict[str, Any] = {"/v1/models": {"data": [{"id": "m", "max_model_len": 4096}]}}
        self.calls: list[Body] = []
        self.keys: list[str] = []
        self.address = ""
        self.open = self.most_open = 0
        self.lock = threading.Lock()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and content in one packet
    script: Server

    def do_GET(self) -> None:
        self.tell(self.script.pages.get(self.path), b"")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not self.path.endswith("/chat/completions"):
            page = self.script.pages.get(self.path)
            self.tell(page(body) if callable(page) else page, b"")
            return
        script = self.script
        with script.lock:
            script.calls.append(body)
            script.keys.append(self.headers.get("authorization", ""))
            script.open += 1
            script.most_open = max(script.open, script.most_open)
        answer = script.answer(body)
        time.sleep(answer.delay)
        with script.lock:
            script.open -= 1
        content = answer.content(body)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content if answer.cut is None else content[: answer.cut])
        self.close_connection = answer.cut is not None

    def tell(self, page: Any, content: bytes) -> None:
        content = b"{}" if page is None else json.dumps(page).encode()
        self.send_response(404 if page is None else 200)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def handle(self) -> None:
        with suppress(ConnectionError):  # who called was killed
            super().handle()

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serving(answer: Callable[[Body], Answer] = obedient) -> Iterator[Server]:
    """Run a server until the block ends."""
    script = Server(answer)
    handler = type("Handler", (_Handler,), {"script": script})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    script.address = f"http://127.0.0.1:{server.server_address[1]}/v1#m"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
