"""Readers, one file per format: from bytes or text to a `Document`."""

from longsum.documents.readers.detect import read, read_bytes
from longsum.documents.readers.limits import ReadLimits

__all__ = ["ReadLimits", "read", "read_bytes"]
