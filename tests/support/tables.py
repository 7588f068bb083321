"""Tables of examples that stand in a file beside their tests."""

from pathlib import Path
from typing import Any

import yaml


def rows(test: str, name: str) -> list[Any]:
    """Return the rows of a table in the YAML file that is called like a file of tests."""
    tables = yaml.safe_load(Path(test).with_suffix(".yaml").read_text(encoding="utf-8"))
    return list(tables[name])
