"""Limits of readers, so that no file can exhaust memory or occupy the machine for hours.

They are far above what documents need, and each can be raised.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from longsum.errors import LongsumError

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}
_NUMBER = re.compile(r"(?P<number>\d[\d,_]*(?:\.\d+)?)\s*(?P<unit>[kmg]i?|)b?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """The most that a document may have or need; a larger one is refused, not truncated.

    Attributes:
        size: Bytes of the file.
        characters: Characters of a text file, or of all pages or parts of another.
        pages: Pages of a PDF.
        unpacked: Bytes unpacked from an EPUB, DOCX or ODT file.
        memory: Bytes that the PDF parser may use, unpacked streams included; not bounded on
            Windows.
        seconds: Seconds that the PDF parser may take.

    Example:
        >>> ReadLimits(pages=50_000).pages
        50000
    """

    size: int = 500_000_000
    characters: int = 50_000_000
    pages: int = 10_000
    unpacked: int = 500_000_000
    memory: int = 500_000_000
    seconds: float = 120

    def __post_init__(self) -> None:
        """Check the limits.

        Raises:
            LongsumError: A limit is not above zero.
        """
        for field in fields(self):
            if not getattr(self, field.name) > 0:
                raise LongsumError(f"The limit {field.name} must be greater than zero.")

    @classmethod
    def parse(cls, settings: Iterable[str]) -> "ReadLimits":
        """Return the default limits with some replaced, such as `pages=20000` or `memory=2GB`.

        Raises:
            LongsumError: There is no such limit, or its value is not a number.
        """
        names = [field.name for field in fields(cls)]
        changes: dict[str, float] = {}
        for setting in settings:
            name, _, value = setting.partition("=")
            found = _NUMBER.fullmatch(value.strip())
            if name not in names or not found:
                raise LongsumError(
                    f"'{setting}' is not a limit; give one of {', '.join(names)} and a number, "
                    "such as pages=20000 or memory=2GB."
                )
            number = float(re.sub("[,_]", "", found["number"])) * _UNITS[found["unit"].lower()]
            changes[name] = number if name == "seconds" else int(number)
        return replace(cls(), **changes)  # type: ignore[arg-type]

    def refusal(self, name: str, limit: str) -> LongsumError:
        """Return the error for a document that exceeds one of the limits."""
        beyond = _BEYOND[limit].format(_shown(limit, getattr(self, limit)))
        return LongsumError(
            f"{name or 'The input'} {beyond}; if you trust it, "
            f"raise the limit with --read-limit {limit}=… (in Python ReadLimits({limit}=…))."
        )


_BEYOND = {
    "size": "has more than {}",
    "characters": "has more than {} characters",
    "pages": "has more than {} pages",
    "unpacked": "unpacks to more than {}",
    "memory": "needs more than {} of memory",
    "seconds": "takes more than {} seconds to read",
}


def _shown(limit: str, value: float) -> str:
    if limit not in ("size", "unpacked", "memory"):
        return f"{value:,.10g}" if isinstance(value, float) else f"{value:,}"
    for unit, bytes_each in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if value >= bytes_each:
            return f"{value / bytes_each:,.4g} {unit}"
    return f"{value:,} bytes"
