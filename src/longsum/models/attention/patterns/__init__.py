"""Fixed patterns, which compose with `|`."""

from longsum.models.attention.patterns.fixed import Full, GlobalTokens, RandomBlocks, Stride, Window
from longsum.models.attention.patterns.pattern import Grid, Part, Pattern, Tile, Union, union

__all__ = [
    "Full",
    "GlobalTokens",
    "Grid",
    "Part",
    "Pattern",
    "RandomBlocks",
    "Stride",
    "Tile",
    "Union",
    "Window",
    "union",
]
