"""Fixed patterns, which compose with `|`."""

from longsum.attention.patterns.full import Full
from longsum.attention.patterns.global_tokens import GlobalTokens
from longsum.attention.patterns.pattern import Grid, Part, Pattern, Tile, Union, union
from longsum.attention.patterns.random_blocks import RandomBlocks
from longsum.attention.patterns.stride import Stride
from longsum.attention.patterns.window import Window

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
