"""The server: uvicorn with bounds for connections that say nothing, and how it starts and ends."""

import socket
from collections.abc import Callable, Sequence
from typing import Any

import uvicorn
from fastapi import APIRouter
from uvicorn.protocols.http.h11_impl import H11Protocol

from longsum.common.errors import LongsumError
from longsum.service.api.app import create_app
from longsum.service.service import Service
from longsum.service.service_settings import Settings

_SILENCE = 10.0
"""Seconds in which a connection must have sent the head of its first request."""
_MOST_HEAD = 32_768
"""Bytes of the head of a request."""


class BoundedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with a time in which the head of the first request must come."""

    def connection_made(self, transport: Any) -> None:
        """Give a connection its time."""
        super().connection_made(transport)
        self.loop.call_later(_SILENCE, self._end_if_silent)

    def _end_if_silent(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def run(
    settings: Settings,
    started: Callable[[str], None],
    others: Sequence[Callable[[Service], APIRouter]] = (),
) -> None:
    """Serve until the process is to end, at an address that is told once requests can come.

    Raises:
        LongsumError: The address cannot be used, or as `create_app`.
    """
    app = create_app(settings, others=others)
    with _listening(settings) as listener:
        config = uvicorn.Config(
            app,
            http=BoundedProtocol,
            ws="none",
            lifespan="on",
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=settings.connections,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=3,
            h11_max_incomplete_event_size=_MOST_HEAD,
        )
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        started(f"http://{host}:{listener.getsockname()[1]}")
        uvicorn.Server(config).run(sockets=[listener])


def _listening(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        raise LongsumError(
            f"{settings.host}:{settings.port} cannot be listened at ({error.strerror}); give "
            "another --port, or 0 for a free one."
        ) from None
    # asyncio sets it where a socket says that it is of TCP, which such a one does not; without it,
    # the end of an answer waits 40 ms for the client to confirm its beginning.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
