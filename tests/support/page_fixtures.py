import os
import re
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest


@pytest.fixture
def as_before() -> Callable[[str, str], None]:
    """Return a function that compares a page with its record, without style and scripts.

    Where a page is meant to have changed, `LONGSUM_PAGES=new pytest tests/cli
    tests/core/pages tests/evaluation tests/lab tests/tables` writes it anew; its difference shows
    what has.
    """

    def check(name: str, page: str) -> None:
        scripts = r'<script(?: type="module")?>.*?</script>'
        kept = re.sub(rf"(?s)<style>.*?</style>|{scripts}|sha256-[\w+/=]*", "", page)
        kept = kept.replace(f"longsum {version('longsum')}", "longsum")
        path = Path(__file__).parents[1] / "data" / "pages" / f"{name}.html"
        if os.environ.get("LONGSUM_PAGES") == "new":
            path.write_text(kept, encoding="utf-8", newline="\n")
        assert kept == path.read_text(encoding="utf-8")

    return check
