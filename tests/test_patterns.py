"""Patterns mean the same in all versions of Python that the package supports."""

import re
from pathlib import Path

import longsum

# Up to Python 3.11.4, a possessive group keeps what its last, failing repetition has consumed
# (CPython issue 106052): `\d++(?:,\d++)*+` matches "1," in "1, 2". Atomic groups are right.
_POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{+[\d,]*\}+)\+")


def test_no_group_is_possessive() -> None:
    package = Path(longsum.__file__).parent
    found = [
        f"{file.relative_to(package)}: {line.strip()}"
        for file in package.rglob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if _POSSESSIVE_GROUP.search(line)
    ]
    assert found == []
