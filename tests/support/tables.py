"""Tables of examples in a file beside their tests, such as `test_forms.yaml`."""

from pathlib import Path
from typing import Any

import yaml


def tables(test: str) -> dict[str, Any]:
    """Return all tables of a file of tests, by their names."""
    text = Path(test).with_suffix(".yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


def rows(test: str, name: str) -> list[Any]:
    """Return the rows of a table."""
    return list(tables(test)[name])


def told_sentences(test: str) -> list[tuple[str, str, bool]]:
    """Return the rules of tables with their texts, and the expected result of each."""
    return [
        (rule, text, told == "told")
        for rule, texts in tables(test).items()
        for told, examples in texts.items()
        for text in examples
    ]
