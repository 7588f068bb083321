"""Readers: one file a format, each from bytes or text to a `Document`."""

from longsum.documents.readers.detect import read, read_bytes

__all__ = ["read", "read_bytes"]
