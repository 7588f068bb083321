"""Whether the quotations of a text are in the document, word for word."""

import re
from collections.abc import Iterator

from longsum.core.summaries import Doubt
from longsum.documents.model import Document
from longsum.language.words import terms

# Straight marks open after a space and close after a word, so that the text between two quotations
# is not taken for one.
_QUOTED = re.compile(r"“([^“”]{1,2000})”|(?<![^\s(\[—–])\"(?=[^\s\"])([^\"]{1,2000})(?<=\S)\"")
# Dots for omitted words, and words with the writer's insertions: "[t]he".
_PAUSE = re.compile(r"\[?(?:\.\s?){3}\]?|\[?…\]?|\w{0,20}\[[^\[\]]{0,80}\]\w{0,20}")
_LEAST_WORDS = 3
"""Fewer words in quotation marks are as often a term or scare quotes as a quotation."""


def misquoted(text: str, document: Document) -> Iterator[Doubt]:
    """Yield the quotations of a sentence that the document does not have word for word.

    Case, punctuation and text in brackets may differ, and words may be omitted where dots indicate
    it.
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
