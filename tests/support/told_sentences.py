"""Sentences that rules are to tell, and sentences that only look like them."""

from pathlib import Path
from types import ModuleType

import yaml


def told_sentences(test: str, module: ModuleType) -> list[tuple[str, str, bool]]:
    """Return the rules of a module with texts that each tells or not, from a YAML file of its name.

    The file stands beside the test.
    """
    name = f"{module.__name__.rpartition('.')[2]}.yaml"
    rules = yaml.safe_load(Path(test).with_name(name).read_text(encoding="utf-8"))
    return [
        (rule, text, told == "told")
        for rule, texts in rules.items()
        for told, examples in texts.items()
        for text in examples
    ]
