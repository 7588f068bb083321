"""Fixed patterns, which compose with `|`."""

from longsum.models.attention.patterns.full import Full
from longsum.models.attention.patterns.global_tokens import GlobalTokens
from longsum.models.attention.patterns.pattern import Grid, Part, Pattern, Tile, Union, union
from longsum.models.attention.patterns.random_blocks import RandomBlocks
from longsum.models.attention.patterns.stride import Stride
from longsum.models.attention.patterns.window import Window

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
