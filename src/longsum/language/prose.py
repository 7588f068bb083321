"""Separates sentences from fragments: captions, table rows, broken lines."""

from collections.abc import Sequence

from longsum.language.words import count_words

_FEWEST_WORDS = 5
_MOST_WORDS = 50
_MIN_LETTERS = 0.7
_OPENING = "\"'“‘(["
CLOSING = "\"'”’)]»"
"""Marks that may follow the end of a sentence."""
_ENDS = (".", "!", "?", "…", "。", "！", "？")


def are_prose(sentences: Sequence[str]) -> list[bool]:
    """Return for each sentence of a text whether it is prose, fit for a summary.

    Prose has 5 to 50 words (in scripts without spaces: characters), is mostly letters, ends like a
    sentence, and does not open in lower case, unless most of the text does. The bounds were tuned
    on validation data (docs/papers/mls.md).
    """
    lower = [sentence.lstrip(_OPENING)[:1].islower() for sentence in sentences]
    lower_opens = 2 * sum(lower) > len(sentences)
    return [
        _has_form(sentence) and (lower_opens or not opens_lower)
        for sentence, opens_lower in zip(sentences, lower, strict=True)
    ]


def ends_as_sentence(text: str, closing: str = CLOSING) -> bool:
    """Return whether a text ends in sentence-final punctuation, before closing marks."""
    return text.rstrip(closing).endswith(_ENDS)


def _has_form(sentence: str) -> bool:
    if not _FEWEST_WORDS <= count_words(sentence) <= _MOST_WORDS:
        return False
    if not ends_as_sentence(sentence):
        return False
    shown = sum(map(len, sentence.split()))
    return sum(map(str.isalpha, sentence)) >= _MIN_LETTERS * shown
