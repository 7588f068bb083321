"""A Hub on this machine: repositories of models that are made, committed to and read."""

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_SHA = "1" * 40


@dataclass
class Hub:
    """Its content: the files of each repository, which are private, and the tokens that it saw."""

    address: str
    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    private: set[str] = field(default_factory=set)
    tokens: set[str] = field(default_factory=set)


@contextmanager
def running_hub(token: str = "hf_right") -> Iterator[Hub]:
    """Run a Hub; without the token nothing can be written."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.hub = hub = Hub(f"http://127.0.0.1:{server.server_port}")  # type: ignore[attr-defined]
    server.token = token  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    @property
    def hub(self) -> Hub:
        return self.server.hub  # type: ignore[attr-defined,no-any-return]

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.hub.tokens.add(self.headers.get("Authorization", ""))
        if self.headers.get("Authorization") != f"Bearer {self.server.token}":  # type: ignore[attr-defined]
            self._answer({"error": "unauthorized"}, 401)
        elif self.path == "/api/repos/create":
            asked = json.loads(body)
            name = "/".join(filter(None, (asked.get("organization"), asked["name"])))
            self.hub.files.setdefault(name, {})
            # Releases of the client say it in either way.
            if asked.get("private") or asked.get("visibility") == "private":
                self.hub.private.add(name)
            self._answer({"url": f"{self.hub.address}/{name}", "name": name})
        elif match := re.fullmatch(r"/api/models/(.+)/preupload/main", self.path):
            asked = json.loads(body)["files"]
            modes = [
                {"path": each["path"], "uploadMode": "regular", "shouldIgnore": False, "oid": None}
                for each in asked
            ]
            self._answer({"files": modes})
        elif match := re.fullmatch(r"/api/models/(.+)/commit/main", self.path):
            for line in map(json.loads, body.splitlines()):
                if line["key"] == "file":
                    content = base64.b64decode(line["value"]["content"])
                    self.hub.files[match[1]][line["value"]["path"]] = content
            self._answer(
                {"commitUrl": f"{self.hub.address}/{match[1]}/commit/{_SHA}", "commitOid": _SHA}
            )
        else:
            self._answer({}, 200)

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if match := re.fullmatch(r"/api/models/(.+)/revision/.+", path):
            files = self.hub.files.get(match[1])
            if files is None:
                self._answer({"error": "Repository not found"}, 404, "RepoNotFound")
            else:
                named = [{"rfilename": name} for name in files]
                self._answer({"id": match[1], "sha": _SHA, "siblings": named})
        elif match := re.fullmatch(r"/api/models/(.+)/tree/[^/]+", path):
            files = self.hub.files[match[1]]
            self._answer(
                [
                    {"type": "file", "path": name, "size": len(data), "oid": _etag(data)}
                    for name, data in files.items()
                ]
            )
        elif match := re.fullmatch(r"/(.+)/resolve/[^/]+/(.+)", path):
            self._send(self.hub.files[match[1]][match[2]], "application/octet-stream")
        else:
            self._answer({"error": "none"}, 404, "EntryNotFound")

    def do_HEAD(self) -> None:
        self.do_GET()

    def _answer(self, value: Any, status: int = 200, code: str = "") -> None:
        self._send(json.dumps(value).encode(), "application/json", status, code)

    def _send(self, data: bytes, kind: str, status: int = 200, code: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("ETag", f'"{_etag(data)}"')
        self.send_header("X-Repo-Commit", _SHA)
        if code:
            self.send_header("X-Error-Code", code)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def _etag(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()
