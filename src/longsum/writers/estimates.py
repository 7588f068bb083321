"""Estimates of a summary's cost and time, from a model's speed in earlier runs.

Rates are kept in the user's cache as a line of JSON: no text, only seconds per token by model.
"""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from longsum.common.checked_settings import parse_settings
from longsum.common.errors import LongsumError
from longsum.common.files import make_folder, read_kept, write_kept
from longsum.common.structured_text import parse_json
from longsum.common.user_folders import user_folder
from longsum.common.wording import counted
from longsum.writers.tokens import Window

RATES = "LONGSUM_RATES"
"""The environment variable with the file of rates."""
_LONGEST = 1 << 20
_READ_FASTER = 15
"""Tokens read in the time of writing one: 5 to 50, depending on model and machine."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost of a summary if every call succeeds.

    Attributes:
        calls: Number of calls.
        read: Tokens of all prompts.
        written: Tokens of all answers, if each has the requested number of words.
        window: The model's window.
        measured: Whether tokens were counted by the model's tokenizer.
        seconds: The time at the rate of earlier runs; None if there were none.
    """

    calls: int
    read: int
    written: int
    window: Window
    measured: bool
    seconds: float | None = None

    def __str__(self) -> str:
        """Return it as a sentence."""
        how = "by the model's tokenizer" if self.measured else "estimated, rather too many"
        known = self.window.known_by or "not known"
        time = "how long they take will be known after a first run"
        if self.seconds is not None:
            minutes = self.seconds / 60
            long = f"{minutes:,.0f} min" if minutes > 1.5 else f"{self.seconds:.0f} s"
            time = f"about {long} at the rate of earlier runs"
        return (
            f"{counted(self.calls, 'call')} with about {self.read:,} tokens to read and "
            f"{self.written:,} to write ({how}); window of {self.window.tokens:,} tokens "
            f"({known}); {time}."
        )


def rates_file() -> Path:
    """Return the path of the file of rates: in the user's cache, or given by `RATES`."""
    given = os.environ.get(RATES)
    return Path(given) if given else user_folder("cache") / "writer-rates.json"


def seconds_for(model: str, read: float, written: float) -> float | None:
    """Return how long a model takes for given numbers of tokens; None if never measured."""
    rate = _rates().get(model)
    return None if rate is None else rate * (read / _READ_FASTER + written)


def keep_rate(model: str, read: float, written: float, seconds: float) -> None:
    """Store the rate of a run, averaged with that of earlier runs, if possible."""
    if not seconds:
        return
    rates = _rates()
    rate = seconds / max(read / _READ_FASTER + written, 1)
    rates[model] = (rates.get(model, rate) + rate) / 2
    with suppress(LongsumError, OSError):
        make_folder(rates_file().parent)
        write_kept(rates_file(), json.dumps(rates).encode())


def _rates() -> dict[str, float]:
    try:
        stated = parse_json(read_kept(rates_file(), _LONGEST))
        return parse_settings(dict[str, float], stated, "rates")
    except (OSError, ValueError, LongsumError):
        return {}
