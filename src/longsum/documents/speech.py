"""Tells speech from fields, whose labels look like those of speakers: `Tenure: you must …`."""

import re
from collections.abc import Sequence

from longsum.documents.speakers import PERSONS, Label, said_in
from longsum.language.words import stop_words, terms

_ADDRESSED = re.compile(rf"{PERSONS.pattern}|\?", re.IGNORECASE)
_LEAST_ADDRESSED = 0.02
"""Minimum frequency of `I`, `you` and questions in speech."""
_FEWEST_WORDS, _ENGLISH = 30, 0.15
"""Minimum words for judging that, and the share of function words that indicates English."""
_MOST_FIELD_TURNS, _LEAST_COMMON = 4, 0.3
"""Turns per label below which labels may name fields, and the share of common nouns if they do."""
_LOWER_WORD = re.compile(r"(?<!\w)[^\W\d_A-Z]{2,}(?!\w)")
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"")


def only_spoken(
    paragraphs: Sequence[str | None], labels: Sequence[Label | None]
) -> list[Label | None]:
    """Return the labels of paragraphs, without speakers if the labelled text is no speech.

    Speakers say `I` and `you` and ask questions, also outside quotations. The fields of a form, the
    entries of a change log, and a story with names before its paragraphs hardly do, if they are
    English. Names are no words of the text, as `Tenure` is.
    """
    speech = " ".join(_QUOTED.sub(" ", text) for text in said_in(paragraphs, labels) if text)
    pairs = zip(paragraphs, labels, strict=True)
    texts = [text[label.end if label else 0 :] for text, label in pairs if text]
    turns = [label.speaker for label in labels if label and label.speaker]
    addresses = not speech or addresses_somebody(speech, " ".join(texts))
    if addresses and not _are_fields(turns, texts):
        return list(labels)
    return [None if label and label.speaker else label for label in labels]


def addresses_somebody(said: str, document: str) -> bool:
    """Return whether labelled text addresses speaker and listeners; judged only for English."""
    words = terms(document)
    english = sum(word in stop_words() for word in words) >= _ENGLISH * len(words)
    count = said.count(" ") + 1
    known = english and count >= _FEWEST_WORDS
    return not known or len(_ADDRESSED.findall(said)) >= _LEAST_ADDRESSED * count


def _are_fields(turns: Sequence[str], texts: Sequence[str]) -> bool:
    """Return whether labels rarely recur, and many are words that the text has in lower case."""
    names = set(turns)
    if len(turns) >= _MOST_FIELD_TURNS * len(names):
        return False
    lower = {word for text in texts for word in _LOWER_WORD.findall(text)}
    # Who is called `COUNCIL` may be what the text calls the council.
    words = [re.findall(r"[^\W\d_]{3,}", name.lower()) for name in names if not name.isupper()]
    common = sum(bool(each) and 2 * len(lower.intersection(each)) >= len(each) for each in words)
    return common >= _LEAST_COMMON * len(names)
