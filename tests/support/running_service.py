"""A server in a separate process, on a free port of this machine."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2

_STARTED = "longsum serves at "


class RunningService:
    """`longsum serve` on a folder; requests go through `client`."""

    def __init__(self, folder: Path, *options: str) -> None:
        command = [sys.executable, "-m", "longsum", "serve", "--port", "0", "--folder", str(folder)]
        self.log = folder.with_suffix(".log")
        with self.log.open("ab") as log:
            before = log.tell()
            self.process = subprocess.Popen([*command, *options], stderr=log)
        self.url = self._address(before)
        self.client = httpx2.Client(base_url=self.url, timeout=120)

    def _address(self, before: int) -> str:
        while self.process.poll() is None:
            said = self.log.read_bytes()[before:].decode()
            if _STARTED in said and said.endswith("\n"):
                return said.partition(_STARTED)[2].split()[0]
            time.sleep(0.01)
        raise RuntimeError(self.log.read_bytes()[before:].decode())

    def wait_until_ready(self) -> None:
        """Wait until a worker is ready."""
        while self.client.get("/readyz").status_code != 200:
            time.sleep(0.02)

    def ask(self, text: str, wait: float = 30, **fields: Any) -> Any:
        """Ask for a summary of a text."""
        return self.client.post(f"/v1/summaries?wait={wait}", json={"text": text, **fields})

    def job(self, identity: str) -> Any:
        """Return a job."""
        return self.client.get(f"/v1/jobs/{identity}").json()

    def ended(self, identity: str) -> Any:
        """Wait until a job has ended, and return it."""
        while (found := self.job(identity))["state"] in ("queued", "running"):
            time.sleep(0.05)
        return found

    def kill(self) -> None:
        """Kill the server, as a power cut would."""
        self.process.kill()
        self.process.wait()
        self.client.close()

    def stop(self) -> None:
        """Stop the server as the system does."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        self.client.close()


@contextmanager
def running(folder: Path, *options: str) -> Iterator[RunningService]:
    """Run a server for as long as the context lasts."""
    service = RunningService(folder, *options)
    try:
        yield service
    finally:
        if service.process.poll() is None:
            service.stop()


def below(process: int) -> set[int]:
    """Return the processes that a process has started, and those that these have."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, IndexError, ValueError):
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
    found, ahead = set[int](), [process]
    while ahead:
        parent = ahead.pop()
        for child, its in parents.items():
            if its == parent and child not in found:
                found.add(child)
                ahead.append(child)
    return found


def alive(processes: set[int]) -> set[int]:
    """Return the processes that have not ended."""
    found = set()
    for process in processes:
        with suppress(OSError, IndexError):
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found.add(process)
    return found


def memory(process: int) -> int:
    """Return the bytes of memory that a process holds."""
    held = Path(f"/proc/{process}/statm").read_text().split()[1]
    return int(held) * os.sysconf("SC_PAGE_SIZE")
