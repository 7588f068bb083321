"""Sentence compression by deletion."""

from longsum.language.compression.deletion import KINDS, Deletion, DeletionKind, Shortened

__all__ = ["KINDS", "Deletion", "DeletionKind", "Shortened"]
