"""Tells where a line of text opens or ends as sentences do."""

import re

from longsum.language.words import count_words

OTHER_ENDS = "。！？｡؟۔।॥։።፧။។༎"
"""Of Chinese, Japanese, Arabic, Urdu, Hindi, Armenian, Amharic, Burmese, Khmer and Tibetan."""

_OPENING = "\"'“‘(["
CLOSING = "\"'”’)]»"
"""Marks that may follow the end of a sentence."""
_ENDS = (".", "!", "?", "…", *OTHER_ENDS)
# Thai and Lao, which have no full stop.
_THAI_END = re.compile("[\u0e00-\u0eff]\\Z")
_FEWEST_THAI_WORDS = 8
_NOTE_MARKS = re.compile(
    r"(?<=[.?!…\"”’')])(?:\s?\[[\w*†]{1,4}(?:[,–-] ?\w{1,4})*\]_?|(?<!\d\.)\d{1,3}(?!\d))+\Z"
)
_NAME = re.compile(
    r"[\"'“‘`]{1,2}[^\s\"'”’]{1,40}[\"'”’`]{1,2} \w"
    r"|[a-z][\w-]+\([^()\s]{0,20}\) \w"
    r"|(?>[a-z][\w-]++\.[\w.]*+(?<=\w)|[a-z][\w-]+_\w++)(?:\(\))? \w"
)


def opens_lower(text: str) -> bool:
    """Return whether a text opens in lower case, after opening marks.

    One word in quotation marks, or one with the signs of code, is a name: `'bc' is a calculator.`,
    `printf(3) prints text.`
    """
    return text.lstrip(_OPENING)[:1].islower() and not _NAME.match(text)


def ends_as_sentence(text: str, closing: str = CLOSING) -> bool:
    """Return whether a text ends in sentence-final punctuation, before closing marks.

    The marks of footnotes after the end do not count: `It fell. [12]`, `It fell.3`.
    """
    bare = _NOTE_MARKS.sub("", text).rstrip(closing + " ")
    if bare.endswith(_ENDS):
        return True
    return _THAI_END.search(bare) is not None and count_words(bare) >= _FEWEST_THAI_WORDS
