"""A worker that follows the text of a document at once."""

import os
import signal
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from longsum.service.records import failure
from longsum.service.work import Task


def serve_simply(connection: "Connection[Any, Any]") -> None:
    """Do jobs until the connection is closed, as their texts instruct."""
    lock = threading.Lock()

    def tell(what: str, value: Any = None) -> None:
        with lock:
            connection.send((what, value))

    def beat() -> None:
        with suppress(OSError):
            while True:
                time.sleep(1)
                tell("alive")
        os._exit(0)

    tell("ready")
    threading.Thread(target=beat, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            task: Task = connection.recv()
            places = [place for _, place in task.members] or [task.place]
            texts = [(place / "original").read_text(errors="replace") for place in places]
            text = "\n".join(texts)
            if "mute" in text:
                time.sleep(600)
            tell("stage", ("reading", 0, 0))
            about = {"title": text.split("\n")[0], "words": len(text.split())}
            tell("read", (task.place.name, about))
            for part in range(1, 4):
                tell("stage", ("summarizing", part, 3))
            if "hang" in text:
                time.sleep(600)
            if "die" in text:
                os._exit(3)
            if "kill" in text:
                os.kill(os.getpid(), signal.SIGKILL)
            if "refuse" in text:
                said = "It has no sentences, so there is nothing to summarize."
                tell("failed", failure("unreadable", said))
            elif "err" in text:
                tell("failed", failure("fault", "Something went wrong (ValueError)."))
            else:
                tell("done", {"json": b'{"schema": "x"}', "text": text.encode()})


def serve_never(_: "Connection[Any, Any]") -> None:
    """End before reporting anything."""
    os._exit(3)
