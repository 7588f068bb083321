"""Language identification."""

import re
from functools import cache
from typing import Protocol

from longsum.language.words import stop_words, terms

FEWEST_TERMS = 30
"""Minimum words of a text for identifying its language."""

_STRETCHES = 5
_STRETCH = 4_000
# Share of function words: 0.34 to 0.6 in English documents of all kinds (the validation sets that
# `longsum data` lists), up to 0.25 in translated chapters of one manual in thirty languages, in
# between in partly translated ones.
_ENGLISH = 0.3
_SURELY_ENGLISH = 0.45
_SURE = 0.6
_TAG = re.compile(r"(?P<language>[a-z]{2,3})(?P<rest>(?:[-_][a-z0-9]{1,8})*)", re.IGNORECASE)
# ISO 639: undetermined, multiple, none, uncoded.
_NO_LANGUAGE = frozenset({"und", "mul", "zxx", "mis"})


def identify_language(text: str, stated: str | None = None) -> str | None:
    """Return the language of a text as a BCP 47 tag (`en`, `pt-BR`); None if unsure.

    English is recognised by its function words (Grefenstette 1995, "Comparing two language
    identification schemes"), any other language by its character n-grams (Lui and Baldwin 2012,
    "langid.py", as in `py3langid`), which is loaded only for such texts. Long texts are sampled.

    Args:
        text: The text.
        stated: The language that its source declares. It is trusted unless the text is English and
            it says otherwise, or it says English and the text clearly is not: many templates
            contain `lang="en"`.
    """
    tag = language_tag(stated)
    sample = _sample(text)
    words = terms(sample)
    if len(words) < FEWEST_TERMS:
        return tag
    english = sum(word in stop_words() for word in words) / len(words)
    foreign = tag is not None and not is_language(tag, "en")
    if english >= (_SURELY_ENGLISH if foreign else _ENGLISH):
        return "en" if foreign else tag or "en"
    if foreign:
        return tag
    language, probability = _identifier().classify(sample)
    if probability < _SURE or language in _NO_LANGUAGE:
        return tag
    return tag if is_language(tag, language) else str(language)


def language_tag(stated: str | None) -> str | None:
    """Return a tag in BCP 47 form, `en-US` for `en_us`; None if it does not name a language."""
    match = _TAG.fullmatch((stated or "").strip())
    if match is None or match["language"].lower() in _NO_LANGUAGE:
        return None
    language, *rest = re.split("[-_]", match[0].lower())
    return "-".join([language, *map(_subtag, rest)])


def is_language(tag: str | None, language: str) -> bool:
    """Return whether a tag is of a language, whatever the region or script."""
    return tag is not None and tag.split("-")[0] == language


def _subtag(subtag: str) -> str:
    # Regions are written in capitals, scripts in title case.
    if len(subtag) == 2:
        return subtag.upper()
    return subtag.title() if len(subtag) == 4 and subtag.isalpha() else subtag


def _sample(text: str) -> str:
    """Return a text, or evenly spaced excerpts of a long one."""
    if len(text) <= _STRETCHES * _STRETCH:
        return text
    step = (len(text) - _STRETCH) // (_STRETCHES - 1)
    return "\n".join(text[n * step : n * step + _STRETCH] for n in range(_STRETCHES))


class _Identifier(Protocol):
    def classify(self, instance: str) -> tuple[str, float]: ...


@cache
def _identifier() -> _Identifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    found: _Identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return found
