"""Stores used replies, so that an interrupted run repeats only the calls in flight.

A reply is stored under the hash of everything that it depends on: messages, model, server,
parameters and the version of the prompts. Failed replies are not stored.
"""

import hashlib
import json
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from longsum.common.checked_settings import parse_settings
from longsum.common.errors import LongsumError
from longsum.common.files import make_folder, read_kept, write_kept
from longsum.common.structured_text import parse_json
from longsum.writers.calls import Call, Reply
from longsum.writers.prompt import PROMPT_VERSION

_LONGEST = 16 << 20
_SECRET = "marks.key"
_SECRET_SIZE = 32


@dataclass(frozen=True, slots=True)
class ReplyStore:
    """Replies in a folder, or none at all.

    Attributes:
        folder: Where they are stored; None to store none.
        model: Model and server, part of the key of replies.
        secret: The seed of the marks in prompts.
    """

    folder: Path | None
    model: str
    secret: bytes

    @classmethod
    def open(cls, folder: Path | None, model: str) -> "ReplyStore":
        """Open the replies of a model in a folder, which is created if needed.

        Raises:
            LongsumError: The folder cannot be created or written to.
        """
        if folder is None:
            return cls(None, model, secrets.token_bytes(_SECRET_SIZE))
        folder = folder / "replies"
        make_folder(folder)
        kept = folder / _SECRET
        with suppress(OSError):
            secret = read_kept(kept, _SECRET_SIZE)
            if len(secret) == _SECRET_SIZE:
                return cls(folder, model, secret)
        secret = secrets.token_bytes(_SECRET_SIZE)
        write_kept(kept, secret)
        return cls(folder, model, secret)

    def find(self, call: Call) -> Reply | None:
        """Return the reply to a call; None if there is none, or it is damaged."""
        if self.folder is None:
            return None
        with suppress(OSError, ValueError, LongsumError):
            return parse_settings(Reply, parse_json(read_kept(self._path(call), _LONGEST)), "reply")
        return None

    def keep(self, call: Call, reply: Reply) -> None:
        """Store a used reply.

        Raises:
            LongsumError: It cannot be written.
        """
        if self.folder is not None:
            write_kept(self._path(call), json.dumps(asdict(reply)).encode())

    def _path(self, call: Call) -> Path:
        key = json.dumps([asdict(call), self.model, PROMPT_VERSION], sort_keys=True)
        assert self.folder is not None
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
