"""A small client of OpenAI-compatible chat endpoints: calls, retries, refusals.

Only fields that every server supports are sent (`messages`, `max_tokens`, `temperature`, `seed`),
and those that a test call has shown this one supports; a field that a server names when it refuses
a call is left out from then on. Redirects are not followed, answers are limited to `_LONGEST`, and
no message shows the key.
"""

import math
import os
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from email.utils import parsedate_to_datetime
from time import monotonic, sleep, time
from typing import Any

import httpx2

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.common.wording import quote, shorten
from longsum.writers.answers import TryAgainError, is_size, is_streamed, reply_of
from longsum.writers.calls import Call, CallError, Feature, PromptTooLongError, Reply
from longsum.writers.endpoint import Endpoint
from longsum.writers.reply import REPLY_SCHEMA, is_structured
from longsum.writers.tokens import UNKNOWN_WINDOW, Window

RETRIES = 4
TIMEOUT = 600.0
"""Seconds for all attempts at a call together, even if an answer trickles in."""
_LONGEST = 8 << 20
_FIRST_PAUSE = 0.5
_CONNECTING = 10.0
_AGAIN = frozenset({408, 429, *range(500, 600)})
_FEATURES: Mapping[Feature, Mapping[str, Any]] = {
    "stream": {"stream": True, "stream_options": {"include_usage": True}},
    "json_schema": {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "summary", "strict": True, "schema": REPLY_SCHEMA},
        }
    },
}
_OPTIONAL = ("seed", "temperature", *(name for each in _FEATURES.values() for name in each))
_PROBE = Call((("user", 'Answer with {"sentences": [{"text": "It is.", "cites": [1]}]}.'),), 60)
_OVERFLOW = re.compile(
    r"context (?:length|size|window)|n_ctx|exceed_context_size|too many tokens"
    r"|maximum (?:sequence|prompt) length|prompt is too long",
    re.IGNORECASE,
)


class Client:
    """Calls one model of one server; thread-safe.

    Attributes:
        endpoint: The address, with the model's name.
        dropped: Fields that the server does not accept.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        allow_net: bool = False,
        timeout: float = TIMEOUT,
    ) -> None:
        """Make the client; nothing is sent yet.

        A server other than this machine must be allowed; a call, with all its attempts, takes at
        most `timeout` seconds.

        Raises:
            LongsumError: The server is not this machine, which is not allowed; or its address or
                key is invalid.
        """
        if not (endpoint.is_local or allow_net):
            raise LongsumError(
                f"The document would be sent to {endpoint.host}, which is not this machine; give "
                "--allow-net if you want that."
            )
        self.endpoint = endpoint
        self._chat = f"{endpoint.base}/chat/completions"
        self.dropped: set[str] = set()
        self._enabled: dict[Feature, bool] = {}
        self._answered = False
        self._key = os.environ.get(endpoint.key_from, "").strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise LongsumError(
                f"The environment variable {endpoint.key_from} holds more than a key; set it to "
                "the key alone."
            )
        try:
            httpx2.URL(endpoint.base)
        except httpx2.InvalidURL:
            raise LongsumError(
                f"{quote(endpoint.base)} is not the address of a server; write it as "
                "http://127.0.0.1:8080/v1."
            ) from None
        self._timeout = timeout
        self._http = httpx2.Client(
            follow_redirects=False,
            # Proxies in the environment would divert local traffic.
            trust_env=not endpoint.is_local,
            # Certificates take long to load, and are useless without encryption.
            verify=not (endpoint.is_local and endpoint.base.startswith("http:")),
            headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
        )

    @property
    def name(self) -> str:
        """The model's name on the server."""
        return self.endpoint.model

    @property
    def identity(self) -> dict[str, str]:
        """The server's address and the model's name."""
        return {"endpoint": self.endpoint.base, "model": self.endpoint.model}

    def complete(self, call: Call) -> Reply:
        """Return the model's answer.

        Raises:
            PromptTooLongError: The prompt is longer than the window.
            CallError: There is no answer after all attempts, or none that can be read.
            LongsumError: The server denies access, or there is no such server or model.
        """
        end = monotonic() + self._timeout
        attempt = 0
        while True:
            try:
                return self._try(call, end)
            except TryAgainError as failure:
                wait = _FIRST_PAUSE * 2**attempt * random.uniform(0.75, 1.25)
                wait = wait if failure.after is None else failure.after
                if attempt < RETRIES and monotonic() + wait <= end:
                    sleep(wait)
                    attempt += 1
                elif self._answered:
                    raise CallError(str(failure)) from None
                else:
                    raise LongsumError(
                        f"No answer came from {self.endpoint.base}: {failure}; start the server, "
                        "or check its address."
                    ) from None

    def enable(self, feature: Feature) -> bool:
        """Use a feature from now on if a test call shows support; return whether it does.

        A streaming server must also report the tokens read (`usage`), which reveals cut prompts.
        """
        if feature not in self._enabled:
            body = self._body(_PROBE) | dict(_FEATURES[feature])
            has = False
            with suppress(CallError):
                status, _, answer = self._request(self._chat, body)
                reply = reply_of(answer) if status == 200 else None
                has = reply is not None and (
                    is_structured(reply.text)
                    if feature == "json_schema"
                    else is_streamed(answer) and reply.prompt_tokens is not None
                )
            self._enabled[feature] = has
            if not has:
                self.dropped.add(feature)
        return self._enabled[feature]

    def _try(self, call: Call, end: float) -> Reply:
        for _ in range(len(_OPTIONAL) + 2):
            body = self._body(call)
            status, headers, answer = self._request(self._chat, body, end)
            if status not in (400, 422) or not self._drop(answer, body):
                break
        if status == 200:
            if not self._answered and answer.lstrip().startswith("<"):
                raise LongsumError(
                    f"{self.endpoint.base} answers with a web page, which no chat endpoint does; "
                    "check its address."
                )
            self._answered = True
            return reply_of(answer)
        says = self._cleaned(answer)
        if status in (400, 413, 422, 500) and _OVERFLOW.search(answer):
            raise PromptTooLongError(f"the prompt is too long for the server: {says}")
        if status in _AGAIN:
            raise TryAgainError(f"the server answers {status}: {says}", _after(headers))
        if status in (401, 403):
            raise LongsumError(
                f"{self.endpoint.host} refuses the key ({status}); set the environment variable "
                f"{self.endpoint.key_from}."
            )
        if status == 404:
            raise LongsumError(
                f"{self.endpoint.base} has no model '{self.endpoint.model}' ({says}); "
                f"'longsum writers {self.endpoint.base}' lists what it has."
            )
        if 300 <= status < 400:
            raise LongsumError(
                f"{self.endpoint.base} redirects elsewhere, which longsum does not follow; give "
                "the address that it redirects to."
            )
        raise CallError(f"the server answers {status}: {says}")

    def _body(self, call: Call) -> dict[str, Any]:
        limit = "max_completion_tokens" if "max_tokens" in self.dropped else "max_tokens"
        body = {
            "model": self.endpoint.model,
            "messages": [{"role": role, "content": text} for role, text in call.messages],
            limit: call.max_tokens,
            "temperature": call.temperature,
            "seed": call.seed,
        }
        for feature in (each for each, has in self._enabled.items() if has):
            body |= _FEATURES[feature]
        return {name: value for name, value in body.items() if name not in self.dropped}

    def _drop(self, answer: str, body: dict[str, Any]) -> bool:
        """Drop a field that a refusal names; return whether there is one."""
        for name in (*_OPTIONAL, "max_tokens"):
            if name in body and re.search(rf"\b{name}\b", answer) and not _OVERFLOW.search(answer):
                self.dropped.add(name)
                return True
        return False

    def _ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return a server's information about itself; None if it does not answer with JSON."""
        try:
            status, _, answer = self._request(f"{self.endpoint.root}{path}", body)
            return parse_json(answer) if status == 200 else None
        except (CallError, ValueError):
            return None

    def _request(
        self, address: str, body: dict[str, Any] | None, end: float = math.inf
    ) -> tuple[int, httpx2.Headers, str]:
        """Return status, headers and text of an answer, within limits of length and time."""
        end = min(end, monotonic() + self._timeout)
        left = max(end - monotonic(), 0.01)
        timeout = httpx2.Timeout(left, connect=min(left, _CONNECTING))
        method = "GET" if body is None else "POST"
        content = bytearray()
        try:
            with self._http.stream(method, address, json=body, timeout=timeout) as answer:
                for block in answer.iter_bytes():
                    content += block
                    if len(content) > _LONGEST:
                        raise CallError("the server's answer has no end")
                    if monotonic() > end:
                        raise TryAgainError("no answer came in time")
        except httpx2.TimeoutException:
            raise TryAgainError("no answer came in time") from None
        except (httpx2.TransportError, httpx2.StreamError) as error:
            raise TryAgainError(f"the connection failed ({type(error).__name__})") from None
        except httpx2.HTTPError as error:
            raise CallError(f"the answer cannot be read ({type(error).__name__})") from None
        return answer.status_code, answer.headers, content.decode("utf-8", "replace")

    def _cleaned(self, text: str) -> str:
        """Return a server's text for use in a message: short, on one line, without the key."""
        text = text.replace(self._key, "…") if self._key else text
        return shorten(" ".join("".join(filter(str.isprintable, text)).split()), 160)

    def find_model(self) -> "Client":
        """Select the server's only model if none is named.

        Raises:
            LongsumError: It has none, or several.
        """
        if self.endpoint.model:
            return self
        names = self.models()
        base = self.endpoint.base
        if not names:
            raise LongsumError(
                f"{base} lists no model; start the server, check its address, or name its model, "
                f"as in {base}#NAME."
            )
        if len(names) > 1:
            listed = ", ".join(names[:10])
            raise LongsumError(f"{base} has these models: {listed}; name one, as in {base}#NAME.")
        self.endpoint = replace(self.endpoint, model=names[0])
        return self

    def models(self) -> list[str]:
        """Return the names of the server's models."""
        names = (each.get("id") for each in self._listed())
        return [name for name in names if isinstance(name, str) and name.isprintable()]

    def _listed(self) -> list[dict[str, Any]]:
        models = self._ask(f"{self.endpoint.base.removeprefix(self.endpoint.root)}/models")
        return _rows(models, "data")

    def window(self) -> Window:
        """Return the model's window, as stated by the user or else the server."""
        if self.endpoint.context is not None:
            return Window(self.endpoint.context, "the user")
        stated = (Window(size, name) for size, name in self._sizes() if is_size(size))
        return next(stated, Window(UNKNOWN_WINDOW))

    def _sizes(self) -> Iterator[tuple[Any, str]]:
        """Yield a server's possible statements of the model's window, each with its name there."""
        for each in self._listed():
            if each.get("id") == self.endpoint.model:
                yield each.get("max_model_len"), "max_model_len"
        properties = self._ask("/props")
        if isinstance(properties, dict):
            # The training length, `n_ctx_train`, is not the length that the server reads.
            for held in (properties.get("default_generation_settings"), properties):
                yield held.get("n_ctx") if isinstance(held, dict) else None, "n_ctx"
        for each in _rows(self._ask("/api/ps"), "models"):
            if self.endpoint.model in (each.get("name"), each.get("model")):
                yield each.get("context_length"), "context_length"

    def tokens_of(self, text: str) -> int | None:
        """Return the number of tokens of a text for the server's tokenizer; None if unavailable."""
        body = {"content": text, "prompt": text, "model": self.endpoint.model}
        answer = self._ask("/tokenize", body)
        if not isinstance(answer, dict):
            return None
        tokens, count = answer.get("tokens"), answer.get("count")
        number = len(tokens) if isinstance(tokens, list) else count
        return number if is_size(number) else None


def described(endpoint: Endpoint, *, allow_net: bool = False) -> dict[str, Any]:
    """Return a server's description of itself, and what three short calls show it can do.

    For a server with several models of which none is named, return only their names.

    Raises:
        LongsumError: It is not this machine, which is not allowed; or it does not answer.
    """
    client = Client(endpoint, allow_net=allow_net)
    names = client.models()
    if len(names) < 2:
        client.find_model()
    facts = {"address": str(client.endpoint), "models": ", ".join(names)}
    if not client.endpoint.model:
        return facts
    window = client.window()
    known = f" ({window.known_by})" if window.known_by else ", a guess: the server does not say"
    facts |= {"window": f"{window.tokens:,} tokens{known}"}
    try:
        reply = client.complete(_PROBE)
    except CallError as error:
        return facts | {"answers": f"no: {error}"}
    has = {
        "counts tokens": client.tokens_of("one two") is not None,
        "says what it read": reply.prompt_tokens is not None,
        "takes a seed": "seed" not in client.dropped,
        "stream": client.enable("stream"),
        "json_schema": client.enable("json_schema"),
    }
    return facts | {name: "yes" if able else "no" for name, able in has.items()}


def _rows(answer: Any, name: str) -> list[dict[str, Any]]:
    """Return the objects in a list that an answer may contain."""
    rows = answer.get(name) if isinstance(answer, dict) else None
    return [each for each in rows if isinstance(each, dict)] if isinstance(rows, list) else []


def _after(headers: httpx2.Headers) -> float | None:
    """Return the seconds that a server asks to wait, given in seconds or as a date."""
    stated = headers.get("retry-after", "").strip()
    if stated.isascii() and stated.isdigit() and len(stated) < 9:
        return float(stated)
    with suppress(ValueError, TypeError, OverflowError):
        return max(0.0, parsedate_to_datetime(stated).timestamp() - time())
    return None
