"""Readers, one file per format: from bytes or text to a `Document`."""

from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.reading import read, read_bytes

__all__ = ["ReadLimits", "read", "read_bytes"]
