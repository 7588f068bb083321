"""Closes the gaps that citations and lost references leave in the text of LaTeX."""

import re

from longsum.documents.readers.structure.lost_references import without_lost_asides

_SPACE_BEFORE_MARK = re.compile(r"(?<!\s)\s++(?=[.,;:)\]])")
_EMPTY_BRACKETS = re.compile(r"(?<!\s)\s*+(?:\(\s*+(?:[;,]\s*+)?\)|\[\s*+(?:[;,]\s*+)?\])")


def tidied(text: str) -> str:
    """Return a text without the gaps that citations leave, nor asides that refer to nothing."""
    return _SPACE_BEFORE_MARK.sub("", _EMPTY_BRACKETS.sub("", without_lost_asides(text)))
