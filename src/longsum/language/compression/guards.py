"""What is quoted, where nothing is deleted, and whether signs come in pairs."""

import re

# A quotation without an end goes on to that of the text.
_QUOTED = re.compile(
    r"“[^”]*(?:”|\Z)|‘[^’]*(?:’|\Z)|\"[^\"]*\"|«[^»]*(?:»|\Z)|`+[^`]*`+|(?<!\w)'[^']*'(?!\w)"
)


def quoted(text: str) -> list[bool]:
    """Return for each code point whether it is in quotation marks or in code."""
    marked = [False] * len(text)
    for found in _QUOTED.finditer(text):
        marked[found.start() : found.end()] = [True] * len(found[0])
    return marked


def is_balanced(text: str) -> bool:
    """Whether brackets nest and quotation marks come in pairs."""
    open_: list[str] = []
    for character in text:
        if character in "([{":
            open_.append(character)
        elif character in ")]}" and (
            not open_ or open_.pop() + character not in ("()", "[]", "{}")
        ):
            return False
    paired = text.count('"') % 2 == 0 and text.count("`") % 2 == 0
    return not open_ and paired and text.count("“") == text.count("”")
