"""Whether what a text quotes stands in the document, word for word."""

import re
from collections.abc import Iterator

from longsum.core.summaries import Doubt
from longsum.documents.model import Document
from longsum.language.words import terms

# Straight marks open after a space and close after a word: two quotations do not quote what stands
# between them.
_QUOTED = re.compile(r"“([^“”]{1,2000})”|(?<![^\s(\[—–])\"(?=[^\s\"])([^\"]{1,2000})(?<=\S)\"")
# Dots for words that are left out, and words with what the writer put into them: "[t]he".
_PAUSE = re.compile(r"\[?(?:\.\s?){3}\]?|\[?…\]?|\w{0,20}\[[^\[\]]{0,80}\]\w{0,20}")
_LEAST_WORDS = 3
"""Fewer words in quotation marks are a term or a doubt of the writer's as often as a quotation."""


def misquoted(text: str, document: Document) -> Iterator[Doubt]:
    """Yield what a sentence quotes and the document does not have, word for word.

    Case, punctuation and what stands in brackets may differ, and words may be left out where dots
    say so.
    """
    words = ""
    for match in _QUOTED.finditer(text):
        group = 1 if match[1] is not None else 2
        if len(terms(match[group])) < _LEAST_WORDS:
            continue
        words = words or f" {' '.join(terms(document.text))} "
        pieces = [" ".join(terms(piece)) for piece in _PAUSE.split(match[group])]
        if any(f" {piece} " not in words for piece in pieces if piece):
            start, end = match.span(group)
            yield Doubt("quotation", "missing", "document", match[group], start, end)
