"""Limits of readers, so that no file can exhaust memory or occupy the machine for hours.

They are far above what documents need, and each can be raised.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from longsum.common.errors import LongsumError

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}
_LEAST_MEMORY, _MOST_MEMORY = 200_000_000, 2_000_000_000
_MEMORY_PER_BYTE = 50
"""A text of three million words takes 20 bytes for each of its own, and half as many if packed."""
_MOST, _MOST_SECONDS = 10**15, 10**6
"""No system provides more memory, or waits for longer than some weeks."""
_NUMBER = re.compile(r"(?P<number>\d[\d,_]{0,30}(?:\.\d+)?)\s*(?P<unit>[kmg]i?|)b?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """The most that a document may have or need; a larger one is refused, not truncated.

    Attributes:
        size: Bytes of the file.
        characters: Characters of a text file, or of all pages or parts of another.
        pages: Pages of a PDF.
        unpacked: Bytes unpacked from an EPUB, DOCX or ODT file.
        html_depth: Depth of nested HTML elements.
        xml_depth: Depth of nested XML elements; a deeper part of a book is read as HTML.
        word: Letters and digits of one word.
        pieces: Paragraphs, items and sentences of a text file, if they are not prose: less than 25
            bytes of UTF-8 each on average.
        memory: Bytes that the process reading the file may use, including unpacked streams; None
            for 200 MB plus 50 times the size of the file, at most 2 GB. Not bounded on Windows.
        seconds: Seconds of processor time that this process may take; half as much again in
            wall-clock time.

    Example:
        >>> ReadLimits(pages=50_000).pages
        50000
    """

    size: int = 100_000_000
    characters: int = 20_000_000
    pages: int = 5_000
    unpacked: int = 512_000_000
    html_depth: int = 512
    xml_depth: int = 256
    word: int = 10_000
    # Each takes 100 µs and half a kilobyte or more.
    pieces: int = 40_000
    memory: int | None = None
    seconds: float = 120

    def __post_init__(self) -> None:
        """Refuse a limit that is not above zero, or beyond what systems can represent."""
        for field in fields(self):
            value = getattr(self, field.name)
            most = _MOST_SECONDS if field.name == "seconds" else _MOST
            if value is not None and not 0 < value <= most:
                raise LongsumError(f"The limit {field.name} must be above 0 and at most {most:,}.")

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

    def memory_for(self, size: int) -> int:
        """Return the bytes of memory that reading a file of a size may take."""
        if self.memory is not None:
            return self.memory
        return min(_LEAST_MEMORY + _MEMORY_PER_BYTE * size, _MOST_MEMORY)

    def refusal(self, name: str, limit: str) -> LongsumError:
        """Return the error for a document that exceeds one of the limits."""
        value = self.memory_for(0) if limit == "memory" else getattr(self, limit)
        beyond = _BEYOND[limit].format(_shown(limit, value))
        return LongsumError(
            f"{name or 'The input'} {beyond}; if you trust it, "
            f"raise the limit with --read-limit {limit}=… (in Python ReadLimits({limit}=…))."
        )


_BEYOND = {
    "size": "has more than {}",
    "characters": "has more than {} characters",
    "pages": "has more than {} pages",
    "unpacked": "unpacks to more than {}",
    "html_depth": "has elements nested more than {} deep",
    "xml_depth": "has elements nested more than {} deep",
    "pieces": "has more than {} paragraphs, items or sentences of hardly a word each",
    "word": "has a word of more than {} letters",
    "memory": "needs more than {} of memory",
    "seconds": "takes more than {} seconds to read",
}


def _shown(limit: str, value: float) -> str:
    if limit not in ("size", "unpacked", "memory"):
        return f"{value:,.15g}"
    for unit, bytes_each in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if value >= bytes_each:
            return f"{value / bytes_each:,.4g} {unit}"
    return f"{value:,} bytes"
