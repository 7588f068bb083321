"""How fast a model was in earlier runs, so that an estimate can say how long the next one takes.

Kept in the user's cache, one line of JSON for each model: no text, only sums of tokens and seconds.
"""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from longsum.common.checked_settings import made_of
from longsum.common.errors import LongsumError
from longsum.common.files import make_folder, read_kept, write_kept
from longsum.common.structured_text import parse_json

RATES = "LONGSUM_RATES"
"""The environment variable with the file of rates."""
_LONGEST = 1 << 20
_READ_FASTER = 15
"""Tokens that are read in the time in which one is written: 5 to 50, by model and machine."""
_KEPT = 0.5
"""Weight of earlier runs beside the last one."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What calls of a model took.

    Attributes:
        read: Tokens of their prompts.
        written: Tokens of their answers.
        seconds: Seconds of all calls, one after the other.
    """

    read: float = 0.0
    written: float = 0.0
    seconds: float = 0.0

    def __add__(self, other: "Rate") -> "Rate":
        """Return both together."""
        return Rate(
            self.read + other.read, self.written + other.written, self.seconds + other.seconds
        )

    def seconds_for(self, read: float, written: float) -> float | None:
        """Return the seconds that calls with so many tokens take; None without any measured."""
        known = self.read / _READ_FASTER + self.written
        return self.seconds * (read / _READ_FASTER + written) / known if known else None


def rates_file() -> Path:
    """Return where rates are kept: in the user's cache, or where `RATES` says."""
    if given := os.environ.get(RATES):
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "longsum" / "writer-rates.json"


def rate_of(model: str) -> Rate:
    """Return what was measured of a model in earlier runs."""
    return _rates().get(model, Rate())


def keep_rate(model: str, rate: Rate) -> None:
    """Keep what a run measured; where that is not possible, nothing is kept."""
    if not rate.seconds:
        return
    rates = _rates()
    old = rates.get(model, Rate())
    rates[model] = Rate(_KEPT * old.read, _KEPT * old.written, _KEPT * old.seconds) + rate
    stated = {name: [each.read, each.written, each.seconds] for name, each in rates.items()}
    with suppress(LongsumError, OSError):
        make_folder(rates_file().parent)
        write_kept(rates_file(), json.dumps(stated).encode())


def _rates() -> dict[str, Rate]:
    try:
        stated = parse_json(read_kept(rates_file(), _LONGEST))
        named = ("read", "written", "seconds")
        return {
            str(name): made_of(Rate, dict(zip(named, values, strict=True)), "rates")
            for name, values in stated.items()
        }
    except (OSError, ValueError, TypeError, AttributeError, LongsumError):
        return {}
