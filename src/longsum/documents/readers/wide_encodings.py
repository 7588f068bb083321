"""Recognizes UTF-16 and UTF-32 without a byte-order mark."""

import re
import unicodedata
from collections import Counter

_ENCODINGS = (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2))
_FEWEST = 10
_MOST_SCRIPTS = 3
"""Scripts of a Japanese text; Latin letters may come on top."""
_LEAST_OF_THEM = 0.98
_SEPARATORS = frozenset(" \n\t.,。、，！？")
_IMPOSSIBLE = frozenset({"Cn", "Co", "Cs"})


def wide_encoding(sample: bytes) -> str | None:
    """Return the encoding if bytes are text in UTF-16 or UTF-32, None if they are not.

    Bytes are text in an encoding if all of them can be decoded, nearly all letters are of a few
    scripts, words or sentences are divided, and there are no controls or unassigned characters.
    """
    for encoding, width in _ENCODINGS:
        try:
            text = sample[: len(sample) // width * width].decode(encoding)
        except UnicodeDecodeError as error:
            # Half a character at the end of the sample is no error.
            if error.start < len(sample) - 2 * width:
                continue
            text = sample[: error.start].decode(encoding)
        if _is_text(text):
            return encoding
    return None


def _is_text(text: str) -> bool:
    characters = Counter(text)
    if len(text) < _FEWEST or not any(character in _SEPARATORS for character in characters):
        return False
    scripts: Counter[str] = Counter()
    for character, count in characters.items():
        category = unicodedata.category(character)
        if category in _IMPOSSIBLE or (category == "Cc" and not character.isspace()):
            return False
        if category[0] == "L" and not character.isascii():
            # The names of letters begin with their script.
            script = re.split("[ -]", unicodedata.name(character, ""), maxsplit=1)[0]
            scripts[script] += count
    few = sum(count for _, count in scripts.most_common(_MOST_SCRIPTS))
    return few >= _LEAST_OF_THEM * scripts.total()
