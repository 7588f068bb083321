"""What each head of the cross-attention reads of a source, and the fold that saves the rest."""

from longsum.attention.cross.cross_patterns import (
    ContiguousBlocks,
    CrossPattern,
    Hepos,
    full_cross,
)
from longsum.attention.cross.folded_source import FoldedSource
from longsum.attention.cross.linformer_cross import LinformerCross, SourceMixtures

__all__ = [
    "ContiguousBlocks",
    "CrossPattern",
    "FoldedSource",
    "Hepos",
    "LinformerCross",
    "SourceMixtures",
    "full_cross",
]
