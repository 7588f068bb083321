"""Checks on every request: the caller, the server name, the origin and the pace."""

import asyncio
import base64
import binascii
import hmac
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from longsum.service.api.admission import BODY_ROOM
from longsum.service.errors import ServiceError, problem
from longsum.service.service_settings import Settings

_OPEN = ("/livez", "/readyz")
"""Routes that need no key, so that orchestrators can check the server's health."""
_MOST_HEADERS = 100
_PATIENCE, _PACE = 20.0, 50_000
"""Seconds that a body may take, and the bytes per second required beyond them."""
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""Default headers of responses."""


class Guard:
    """Admits requests to one of the server's names, from its own pages or from none.

    Pages of other sites cannot use the service through a browser: neither under their own name,
    which an attacker may point here (`Host`), nor under ours (`Origin`). If there are keys, a
    request must have one: `Authorization: Bearer KEY`, or as HTTP Basic password, which browsers
    ask for. The method and the status of each answer are counted.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        keys: Iterable[str],
        count: Callable[[str, int], None],
    ) -> None:
        self._app, self._names, self._count = app, settings.names, count
        self._most = settings.limits.size + BODY_ROOM
        self._keys = [key.encode() for key in keys]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                self._count(scope["method"], message["status"])
            await send(message)

        try:
            if len(scope["headers"]) > _MOST_HEADERS:
                detail = f"A request may have at most {_MOST_HEADERS} headers."
                raise ServiceError(431, "bad-request", detail)
            self._check(Headers(scope=scope), scope["path"])
        except ServiceError as error:
            await problem(error)(scope, receive, send_guarded)
            return
        await self._app(scope, _bounded(receive, self._most), send_guarded)

    def _check(self, headers: Headers, path: str) -> None:
        self._check_caller(headers)
        self._check_body(headers)
        if self._keys and path not in _OPEN and not self._knows(headers.get("authorization", "")):
            raise ServiceError(
                401,
                "no-key",
                "The service needs a key; send it as 'Authorization: Bearer KEY', or as the "
                "password that the browser asks for.",
                headers={"www-authenticate": 'Basic realm="longsum", charset="UTF-8"'},
            )

    def _check_caller(self, headers: Headers) -> None:
        host = _name(headers.get("host", ""))
        if host not in self._names:
            raise ServiceError(
                421,
                "wrong-host",
                "The service is not called by this name; call it by its address, or start it with "
                "--hosts NAME.",
            )
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != headers["host"].lower():
            raise ServiceError(
                403, "wrong-origin", "Pages of other sites may not use the service; open its own."
            )

    def _check_body(self, headers: Headers) -> None:
        if headers.get("content-encoding", "identity").lower() != "identity":
            raise ServiceError(
                415,
                "encoded",
                "Compressed bodies are not accepted; send it without Content-Encoding.",
            )
        size = headers.get("content-length", "")
        if size.isdecimal() and int(size) > self._most:
            raise _too_large(self._most)

    def _knows(self, authorization: str) -> bool:
        scheme, _, value = authorization.partition(" ")
        given = value.strip().encode("utf-8", "replace")
        if scheme.lower() == "basic":
            try:
                given = base64.b64decode(given, validate=True).partition(b":")[2]
            except binascii.Error:
                return False
        elif scheme.lower() != "bearer":
            return False
        # All are compared, so that the time does not depend on the key.
        return sum(hmac.compare_digest(given, key) for key in self._keys) > 0


def _name(host: str) -> str:
    """Return the name in a Host header, without the port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _too_large(most: int) -> ServiceError:
    detail = f"A body may have at most {most:,} bytes."
    return ServiceError(413, "too-large", detail, headers={"connection": "close"})


def _bounded(receive: Receive, most: int) -> Receive:
    """Return a `receive` that gives up on a body that is too large or too slow."""
    loop = asyncio.get_running_loop()
    start, size, whole = loop.time(), 0, False

    async def receive_bounded() -> Message:
        nonlocal size, whole
        if whole:
            # After the body, the only message is the client's disconnect, at any time.
            return await receive()
        left = start + _PATIENCE + size / _PACE - loop.time()
        try:
            message = await asyncio.wait_for(receive(), max(left, 0.01))
        except TimeoutError:
            detail = "The body arrived too slowly; send it again."
            headers = {"connection": "close"}
            raise ServiceError(408, "too-slow", detail, headers=headers) from None
        size += len(message.get("body", b""))
        if size > most:
            raise _too_large(most)
        whole = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    return receive_bounded
