"""The application, its workers, and the server: uvicorn with a limit on silent connections."""

import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import APIRouter, FastAPI
from fastapi.responses import JSONResponse, Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from longsum import __version__
from longsum.common.errors import LongsumError
from longsum.service import metrics
from longsum.service.api import routes
from longsum.service.api.guard import Guard
from longsum.service.errors import ServiceError, answer_errors, problems
from longsum.service.service import Service
from longsum.service.service_settings import Settings
from longsum.service.store import LIVE, Store
from longsum.service.work import serve_jobs
from longsum.service.workers import Serve, Supervisor

_SILENCE = 10.0
"""Seconds within which a connection must send the head of its first request."""
_MOST_HEAD = 32_768
"""Maximum bytes of a request's head."""


def create_app(
    settings: Settings,
    serve: Serve = serve_jobs,
    others: Sequence[Callable[[Service], APIRouter]] = (),
) -> FastAPI:
    """Return the application; its routes, and those of others, use its `state.service`.

    It locks the folder from now until its lifespan ends, during which it works.

    Raises:
        LongsumError: Another server uses the folder, a key is wrong or missing, or a folder or file
            cannot be used.
    """
    keys = settings.keys()
    store = Store(settings.folder, keep=settings.keep, storage=settings.storage)
    counted = metrics.Metrics(store)
    workers = Supervisor(store, settings, counted, serve)
    service = Service(settings, store, workers, counted)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        workers.start()
        try:
            yield
        finally:
            workers.stop()
            store.close()

    app = FastAPI(
        title="longsum",
        version=__version__,
        description="Summaries of long documents that show where every sentence came from.",
        lifespan=life,
        # FastAPI's own pages load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.service = service
    answer_errors(app, service.refuses)
    app.include_router(routes.router(service))
    for more in others:
        app.include_router(more(service))
    app.include_router(_health(service))
    app.add_middleware(Guard, settings=settings, keys=keys, count=service.metrics.answered)
    return app


def _health(service: Service) -> APIRouter:
    health = APIRouter(tags=["health"])

    @health.get("/livez")
    def is_alive() -> dict[str, str]:
        """Say that the server answers, however many jobs wait."""
        return {"status": "alive"}

    @health.get("/readyz", responses=problems(503))
    def is_ready() -> dict[str, str]:
        """Say whether a job would be accepted and done: a worker is ready, and a place is free."""
        if not service.workers.ready:
            raise ServiceError(503, "not-ready", "No worker is ready yet; ask again.")
        if (live := service.store.count(*LIVE)) >= service.most:
            raise ServiceError(503, "queue-full", f"The queue is full: {live} jobs are not done.")
        return {"status": "ready"}

    @health.get("/limits")
    def get_limits() -> JSONResponse:
        """Return the limits on requests, and the systems and writers that they may name."""
        return JSONResponse(service.limits())

    @health.get("/metrics", response_class=Response)
    def get_metrics() -> Response:
        """Tell what is counted, in Prometheus' format."""
        return Response(service.metrics.text(), media_type=metrics.MEDIA_TYPE)

    return health


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP protocol with a time limit for the head of the first request."""

    def connection_made(self, transport: Any) -> None:
        """Start the time limit of a connection."""
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
    """Serve until the process is stopped; `started` gets the address once requests can come.

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
            f"The service cannot listen on {settings.host}:{settings.port} ({error.strerror}); "
            "give another --port, or 0 for a free one."
        ) from None
    # asyncio sets it where a socket says that it is of TCP, which such a one does not; without it,
    # the end of an answer waits 40 ms for the client to confirm its beginning.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
