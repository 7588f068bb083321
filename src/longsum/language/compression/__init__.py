"""Sentence compression by deletion."""

from longsum.language.compression.compression import shorten
from longsum.language.compression.deletion import (
    ALL_KINDS,
    DEFAULT_KINDS,
    Deletion,
    DeletionKind,
    Shortened,
)

__all__ = ["ALL_KINDS", "DEFAULT_KINDS", "Deletion", "DeletionKind", "Shortened", "shorten"]
