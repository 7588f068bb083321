"""Texts whose words and marks a tokenizer separated, as in RotoWire."""

import re

_RULES = (
    (re.compile(r"``|''"), '"'),
    # "33 - 21", "double - double", "8 - of - 15".
    (re.compile(r"(?<=\w) - (?=\w)"), "-"),
    (re.compile(r"(?<=\w) (?=(?:'(?:s|re|ve|ll|d|m)|n't)(?!\w))", re.IGNORECASE), ""),
    # "The Lakers ' bench".
    (re.compile(r"(?<=s) (?=' )"), ""),
    (re.compile(r" (?=[.,;:!?%)\]](?: |$))"), ""),
    (re.compile(r"(?<=[(\[]) "), ""),
    (re.compile(r'(?:(?<= )|^)" ([^"]*) "'), r'"\1"'),
)


def untokenized(text: str) -> str:
    """Return a text without the spaces that a tokenizer put between its words and marks.

    The words and marks stay as they are, in their order.
    """
    text = " ".join(text.split())
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text
