"""Fixed patterns, which compose with `|`."""

from longsum.models.attention.patterns.fixed import Full, GlobalTokens, RandomBlocks, Stride, Window
from longsum.models.attention.patterns.pattern import (
    Grid,
    Pattern,
    SimplePattern,
    Tile,
    Union,
    union,
)

__all__ = [
    "Full",
    "GlobalTokens",
    "Grid",
    "Pattern",
    "RandomBlocks",
    "SimplePattern",
    "Stride",
    "Tile",
    "Union",
    "Window",
    "union",
]
