"""The address of a server with a language model, in full or as a user's name for it."""

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from pydantic import ConfigDict

from longsum.common.checked_settings import CLOSED, Size, parse_settings
from longsum.common.errors import LongsumError
from longsum.common.names import is_file
from longsum.common.structured_text import parse_yaml
from longsum.common.user_folders import user_folder
from longsum.common.wording import quote

KEY = "LONGSUM_API_KEY"
"""The environment variable with the key of endpoints that name no other."""
WRITERS = "LONGSUM_WRITERS"
"""The environment variable with the file of named writers; see `named_writers`."""
_SCHEMES = ("http://", "https://")
_CHAT = "/chat/completions"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model of an OpenAI-compatible server.

    Attributes:
        base: Address of the API, such as `http://127.0.0.1:8080/v1`.
        model: The model's name there; empty for the server's only one.
        key_from: The environment variable with the key, if the server needs one.
        context: Tokens of the model's window; None to ask the server.
    """

    base: str
    model: str = ""
    key_from: str = KEY
    context: int | None = None

    @classmethod
    def parse(cls, address: str) -> "Endpoint":
        """Parse an address: `http://HOST:PORT/v1#MODEL`; the default path is `/v1`.

        Raises:
            LongsumError: It is not such an address, or contains a key or a query.
        """
        try:
            parts = urlsplit(address)
            host, _ = parts.hostname, parts.port
        except ValueError:
            host = None
        if not (host and address.startswith(_SCHEMES) and address.isprintable()):
            raise LongsumError(
                f"{quote(address)} is not the address of a server; write it as "
                "http://127.0.0.1:8080/v1#NAME."
            )
        if parts.username or parts.password or parts.query:
            raise LongsumError(
                "The address of a server must not hold a key or a query; put the key into the "
                f"environment variable {KEY}."
            )
        path = parts.path.rstrip("/").removesuffix(_CHAT) or "/v1"
        return cls(f"{parts.scheme}://{parts.netloc}{path}", parts.fragment.strip())

    @property
    def host(self) -> str:
        """The name or IP address of the machine."""
        return urlsplit(self.base).hostname or ""

    @property
    def root(self) -> str:
        """The server's root address, where some provide information about themselves."""
        return self.base.removesuffix("/v1")

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        with suppress(ValueError):
            return ip_address(self.host).is_loopback
        return self.host == "localhost"

    def __str__(self) -> str:
        return f"{self.base}#{self.model}" if self.model else self.base


@dataclass(frozen=True, slots=True)
class _Named:
    """An entry in the file of writers."""

    url: str
    key_from: str = KEY
    context: Size | None = None

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED


def writers_file() -> Path:
    """Return the path of the file of writers: in the user's settings, or given by `WRITERS`."""
    given = os.environ.get(WRITERS)
    return Path(given) if given else user_folder("config") / "writers.yaml"


def named_writers() -> dict[str, Endpoint]:
    """Return the endpoints that the user has named; empty without a file.

    The file is a table of names, each with a `url` and, if wanted, `key_from` (the environment
    variable that holds its key) and `context` (tokens of its window).

    Raises:
        LongsumError: The file cannot be read, or an entry is wrong.
    """
    path = writers_file()
    if not is_file(path):
        return {}
    try:
        stated: Any = parse_yaml(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LongsumError(
            f"The file of writers {quote(path)} cannot be read ({error}); correct it."
        ) from None
    if not isinstance(stated, dict):
        raise LongsumError(
            f"The file of writers {quote(path)} is not a table of names; write a name and its url."
        )
    found = {}
    for name, values in stated.items():
        given = parse_settings(_Named, values, f"writers.{name}")
        address = Endpoint.parse(given.url)
        found[str(name)] = replace(address, key_from=given.key_from, context=given.context)
    return found


def endpoint_of(name: str) -> Endpoint | None:
    """Return the endpoint with a name or address; None if there is none.

    Raises:
        LongsumError: It is an address that cannot be used, or the file of writers is wrong.
    """
    if name.startswith(_SCHEMES):
        return Endpoint.parse(name)
    # Models on the Hub have a slash, and recipes and folders take precedence.
    return None if "/" in name else named_writers().get(name)


def writer_at(name: str) -> Endpoint:
    """Return the endpoint with a name or address.

    Raises:
        LongsumError: There is none.
    """
    endpoint = endpoint_of(name)
    if endpoint is None:
        raise LongsumError(
            f"{quote(name)} is neither an address, such as http://127.0.0.1:8080/v1, nor a name in "
            f"{writers_file()}."
        )
    return endpoint
