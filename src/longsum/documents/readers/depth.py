"""The depth of a parsed tree."""

from typing import Any

from lxml import etree


def depth(root: Any) -> int:
    """Return how many elements stand within one another, the root among them."""
    deepest = here = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        here += 1 if event == "start" else -1
        deepest = max(deepest, here)
    return deepest
