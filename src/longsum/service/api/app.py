"""The application: the routes, what stands before them, and the workers beside them."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from fastapi.responses import JSONResponse, Response

from longsum import __version__
from longsum.service import metrics
from longsum.service.api import routes
from longsum.service.api.guard import Guard
from longsum.service.errors import ServiceError, answer_errors, problems
from longsum.service.service import Service
from longsum.service.service_settings import Settings
from longsum.service.store import LIVE, Store
from longsum.service.work import serve_jobs
from longsum.service.workers import Serve, Supervisor


def create_app(
    settings: Settings,
    serve: Serve = serve_jobs,
    others: Sequence[Callable[[Service], APIRouter]] = (),
) -> FastAPI:
    """Return the application; its `state.service` is what its routes, and those of others, use.

    It holds the folder from now until its lifespan ends, and works while that lasts.

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
        # Their pages load scripts from elsewhere.
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
        """Tell that the server answers, whatever waits."""
        return {"status": "alive"}

    @health.get("/readyz", responses=problems(503))
    def is_ready() -> dict[str, str]:
        """Tell whether a job would be accepted and done: a worker is ready, and a place is free."""
        if not service.workers.ready:
            raise ServiceError(503, "not-ready", "No worker is ready yet; ask again.")
        if (live := service.store.count(*LIVE)) >= service.most:
            raise ServiceError(503, "queue-full", f"{live} jobs are not done, and no more may.")
        return {"status": "ready"}

    @health.get("/limits")
    def get_limits() -> JSONResponse:
        """Tell what requests may have, and which systems and writers they may name."""
        return JSONResponse(service.limits())

    @health.get("/metrics", response_class=Response)
    def get_metrics() -> Response:
        """Tell what is counted, in Prometheus' format."""
        return Response(service.metrics.text(), media_type=metrics.MEDIA_TYPE)

    return health
