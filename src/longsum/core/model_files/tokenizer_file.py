"""The `tokenizer.json` of a model that somebody else wrote, checked before it is used.

A pattern in it can take longer than anybody waits, and what it puts in the place of characters can
make any text too long for the memory.
"""

import json
import math
import re
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError

TOKENIZER = "tokenizer.json"

_MAX_BYTES = 2**26
_MAX_GROWTH = 64
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# Of each alternative one character or class, once or repeated: time at most quadratic.
_ATOM = r"(?:\\?[^\\()\[\]|*+?{}]|\[(?:\\.|[^\\\[\]])+\])(?:[*+]|\{\d{0,9}(?:,\d{0,9})?\})?"
_SIMPLE = re.compile(rf"{_ATOM}(?:\|{_ATOM})*")


def read_tokenizer_file(path: Path) -> str:
    """Return the content of a `tokenizer.json`.

    Raises:
        LongsumError: It cannot be read, or could exhaust time or memory.
    """
    try:
        # What is no regular file could keep its reader waiting.
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            raise ValueError(path)
        text = path.read_text(encoding="utf-8")
        pending = [json.loads(text)]
    except (OSError, ValueError, RecursionError):
        raise _refused(path, "cannot be read") from None
    growth: list[int] = []
    while pending:
        part: Any = pending.pop()
        if isinstance(part, dict):
            pending += [part[name] for name in part if name not in ("vocab", "merges")]
            if part.get("type") == "Replace":
                growth.append(max(1, len(str(part.get("content")))))
            pattern = str(part.get("Regex", "x"))
            if pattern != _GPT2 and not _SIMPLE.fullmatch(pattern):
                raise _refused(path, f"has a pattern that can take without end ({pattern[:40]!r})")
        elif isinstance(part, list):
            pending += part
    if math.prod(growth) > _MAX_GROWTH:
        raise _refused(path, "replaces characters by much longer texts")
    return text


def _refused(path: Path, problem: str) -> LongsumError:
    return LongsumError(f"'{path}' {problem}; give a model that you trust, whole.")
