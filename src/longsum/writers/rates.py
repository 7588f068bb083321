"""How fast a model was in earlier runs, so that an estimate can say how long the next one takes.

Kept in the user's cache as a line of JSON: no text, only seconds of a token by models.
"""

import json
import os
from contextlib import suppress
from pathlib import Path

from longsum.common.checked_settings import made_of
from longsum.common.errors import LongsumError
from longsum.common.files import make_folder, read_kept, write_kept
from longsum.common.structured_text import parse_json
from longsum.common.user_folders import user_folder

RATES = "LONGSUM_RATES"
"""The environment variable with the file of rates."""
_LONGEST = 1 << 20
_READ_FASTER = 15
"""Tokens that are read in the time in which one is written: 5 to 50, by model and machine."""


def rates_file() -> Path:
    """Return where rates are kept: in the user's cache, or where `RATES` says."""
    given = os.environ.get(RATES)
    return Path(given) if given else user_folder("cache") / "writer-rates.json"


def seconds_for(model: str, read: float, written: float) -> float | None:
    """Return how long a model takes for so many tokens; None if it was never measured."""
    rate = _rates().get(model)
    return None if rate is None else rate * (read / _READ_FASTER + written)


def keep_rate(model: str, read: float, written: float, seconds: float) -> None:
    """Keep how long a run took for so many tokens, with half of what earlier ones say.

    Where nothing can be kept, nothing is.
    """
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
        return made_of(dict[str, float], stated, "rates")
    except (OSError, ValueError, LongsumError):
        return {}
