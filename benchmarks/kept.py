"""Results stored line by line, so that an interrupted benchmark continues after the last."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a file; an incomplete last line counts as missing."""
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def add(path: Path, line: Mapping[str, Any]) -> None:
    """Add a line to a file, which need not exist."""
    broken_off = path.is_file() and path.stat().st_size and path.read_bytes()[-1:] != b"\n"
    with path.open("a", encoding="utf-8") as file:
        file.write(("\n" if broken_off else "") + json.dumps(line) + "\n")
