"""The settings of a service: one schema for its file, the environment and the command line."""

import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

from annotated_types import Ge, Interval

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_yaml
from longsum.common.threads import cores
from longsum.common.user_folders import user_folder
from longsum.common.wording import did_you_mean, quote
from longsum.documents.readers.limits import ReadLimits

PREFIX = "LONGSUM_SERVE_"
"""The prefix of environment variables, such as `LONGSUM_SERVE_PORT`."""
KEYS = f"{PREFIX}KEYS"
"""The environment variable with keys, separated by spaces; options would show them to others."""
MANY = (tuple[str, ...], Mapping[str, str])
"""The types of settings with several values."""
_SHORTEST_KEY = 16
_CENTURY = 3_155_760_000
"""Maximum seconds; beyond that, expiry dates may be out of range."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a service: each is an option of `longsum serve`, and `LONGSUM_SERVE_…`.

    Descriptions are beside the types; the command's help text uses them.

    Raises:
        LongsumError: A limit on what is read is unknown.
    """

    host: Annotated[str, "Address to listen on."] = "127.0.0.1"
    port: Annotated[int, Interval(ge=0, le=65535), "Port to listen on; 0 takes a free one."] = 8765
    folder: Annotated[
        Path, "Folder for documents, jobs and results; only its owner can read it."
    ] = field(default_factory=lambda: user_folder("state") / "service")
    key_file: Annotated[
        Path | None, "File of keys, one per line; every request must give one of them."
    ] = None
    hosts: Annotated[
        tuple[str, ...], "Further host names that requests may use for this server (Host header)."
    ] = ()
    workers: Annotated[int, Ge(1), "Processes that summarize."] = field(default_factory=cores)
    queue: Annotated[int, Ge(0), "Jobs that may wait for a process; more are refused."] = 64
    wait: Annotated[
        float, Interval(ge=0, le=_CENTURY), "Seconds that a request waits for its summary, at most."
    ] = 30
    seconds: Annotated[float, Interval(gt=0, le=_CENTURY), "Seconds that a job may take."] = 600
    keep: Annotated[
        float, Interval(gt=0, le=_CENTURY), "Seconds that results and unused documents are kept."
    ] = 604_800
    storage: Annotated[
        int, Ge(1), "Bytes of all documents together; beyond that, documents are refused."
    ] = 10_000_000_000
    connections: Annotated[int, Ge(8), "Number of connections at a time."] = 512
    worker_jobs: Annotated[
        int, Ge(1), "Number of jobs after which a process is replaced by a new one."
    ] = 200
    worker_memory: Annotated[
        int, Ge(1), "Memory in bytes beyond which a process is replaced between jobs."
    ] = 2_000_000_000
    most_memory: Annotated[
        int, Ge(1), "Memory in bytes beyond which a process is ended during a job."
    ] = 6_000_000_000
    read_limit: Annotated[
        tuple[str, ...], "A limit on what is read, such as pages=50000; see longsum read."
    ] = ()
    writers: Annotated[
        Mapping[str, str],
        "Language models that requests may name, with their folders or addresses.",
    ] = field(default_factory=dict)
    allow_net: Annotated[bool, "Allow writers on other machines, to which documents are sent."] = (
        False
    )

    def __post_init__(self) -> None:
        """Check the limits on what is read."""
        _ = self.limits

    @property
    def limits(self) -> ReadLimits:
        """The limits on what is read."""
        return ReadLimits.parse(self.read_limit)

    @property
    def is_local(self) -> bool:
        """Whether it is reachable only from this machine."""
        with suppress(ValueError):
            return ip_address(self.host).is_loopback
        return self.host in _LOOPBACK

    @property
    def names(self) -> frozenset[str]:
        """The names by which requests may address the server."""
        own = () if self.host in ("0.0.0.0", "::", "") else (self.host,)
        return frozenset(name.lower() for name in (*_LOOPBACK, *own, *self.hosts))

    def keys(self) -> tuple[str, ...]:
        """Return the keys of the environment and of the file; none if requests need none.

        Raises:
            LongsumError: The file cannot be read or has none, a key is too short, or the server can
                be reached from other machines without one.
        """
        found = os.environ.get(KEYS, "").split()
        if self.key_file is not None:
            try:
                own = self.key_file.read_text(encoding="utf-8").split()
            except (OSError, ValueError) as error:
                raise LongsumError(
                    f"The file of keys {quote(self.key_file)} cannot be read ({error}); check the "
                    "path, and that it is text."
                ) from None
            if not own:
                raise LongsumError(
                    f"The file of keys {quote(self.key_file)} has no key; put one into it, or "
                    "leave out --key-file."
                )
            found += own
        if any(len(key) < _SHORTEST_KEY for key in found):
            raise LongsumError(
                f"A key has at least {_SHORTEST_KEY} characters; one such as "
                f"{secrets.token_urlsafe(24)} cannot be guessed."
            )
        if not found and not self.is_local:
            raise LongsumError(
                f"At {self.host}, other machines can reach the service, so it needs a key; put one "
                f"into a file and give --key-file, or into {KEYS}, or listen on 127.0.0.1."
            )
        return tuple(found)


def read_settings(given: Mapping[str, Any], file: Path | None = None) -> Settings:
    """Return settings from arguments, else from the environment, else from the file.

    Args:
        given: Settings by name from the command line; None if not given.
        file: A YAML file with settings by name.

    Raises:
        LongsumError: The file cannot be read, or a setting is unknown or impossible.
    """
    stated = {} if file is None else _of_file(file)
    for variable, text in os.environ.items():
        if variable.startswith(PREFIX) and variable != KEYS:
            name = variable.removeprefix(PREFIX).lower()
            stated[name] = _of_text(name, text)
    stated |= {name: value for name, value in given.items() if value is not None}
    from pydantic import TypeAdapter, ValidationError

    if unknown := sorted(stated.keys() - described().keys()):
        hint = did_you_mean(unknown[0], described())
        raise LongsumError(f"The service has no setting {quote(unknown[0])}.{hint}")
    try:
        return TypeAdapter(Settings).validate_python(stated)
    except ValidationError as error:
        first = error.errors()[0]
        said = first["msg"].removeprefix("Input ").rstrip(".")
        said = said[:1].lower() + said[1:]
        name = ".".join(map(str, first["loc"]))
        raise LongsumError(
            f"The setting {name} cannot be {quote(first['input'])}: it {said}."
        ) from None


def described() -> dict[str, tuple[Any, str]]:
    """Return the type of each setting and what it means."""
    hints = get_type_hints(Settings, include_extras=True)
    return {name: (get_args(hint)[0], get_args(hint)[-1]) for name, hint in hints.items()}


def _of_file(file: Path) -> dict[str, Any]:
    stated = _parsed(f"The settings {quote(file)}", lambda: file.read_text(encoding="utf-8"))
    if not isinstance(stated, dict):
        raise LongsumError(
            f"The settings {quote(file)} are not a table of names and values; write NAME: VALUE on "
            "each line."
        )
    return {str(name).replace("-", "_"): value for name, value in stated.items()}


def _of_text(name: str, text: str) -> Any:
    """Parse an environment variable, in which lists and tables are YAML."""
    if described().get(name, (str,))[0] not in MANY:
        return text
    value = _parsed(f"{PREFIX}{name.upper()}", lambda: text)
    return [value] if isinstance(value, str) else value


def _parsed(what: str, read: Callable[[], str]) -> Any:
    try:
        return parse_yaml(read())
    except (OSError, ValueError) as error:
        raise LongsumError(f"{what} cannot be read: {error}.") from None
