"""What speaks for a heading and against it: words, type, place, and other lines that look alike.

A sign is a name and how much there is of it, 1 where it is there or not. What each counts is in
`heading_weights.json`.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence

from longsum.documents.fitness.forms import is_caption, is_contact, is_title_case
from longsum.documents.readers.structure.heading_candidates import (
    HeadingCandidate,
    Type,
    is_upper,
    is_usual_title,
    letters_of,
)
from longsum.documents.readers.structure.heading_numbers import Number, in_sequence
from longsum.language.prose import ends_as_sentence, opens_lower

MOST_WORDS = 25
"""Most words of a line in the type of the text that may be a heading."""
LARGER = 1.06
"""Least size of what is larger than the text."""
_FEW_WORDS = 6
"""Most words of a title that says nothing against it."""
EARLY = "before the text begins"
_OFTEN = 2
"""Most times that a document says a heading."""
_MOST_SCORE = 6.0
_FORMULA = 0.5
"""Least share of letters and spaces in a heading."""
_DATE = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"\s+(?:\d{1,2},?\s+)?\d{4}\b|\bversion\s+\d",
    re.IGNORECASE,
)


def is_set_off(text: str, own: Type, usual: Type) -> bool:
    """Return whether a line looks unlike the text."""
    return (
        own.size >= LARGER * usual.size
        or is_upper(text)
        or own.family != usual.family
        or any(
            getattr(own, name) and not getattr(usual, name)
            for name in ("bold", "italic", "underlined", "capitals", "mono")
        )
    )


def present(signs: Mapping[str, float]) -> dict[str, float]:
    """Return the signs that there are."""
    return {name: float(value) for name, value in signs.items() if value}


def signs_of_words(text: str, number: Number | None) -> dict[str, float]:
    """Return what the words of a line say.

    Args:
        text: The words.
        number: The number that opens them.
    """
    bare = text.split(" ", 1)[-1] if number is not None else text
    words = text.split()
    letters = sum(character.isalpha() or character == " " for character in bare)
    few = letters < _FORMULA * len(bare) or sum(map(str.isalpha, bare)) < 2
    return present(
        {
            "numbered": number is not None,
            "usual title": is_usual_title(bare),
            "opens in lower case": opens_lower(bare),
            "ends as a sentence": ends_as_sentence(text)
            and not text.endswith("?")
            and any(map(str.isalnum, bare)),
            "goes on": text.endswith((",", ";", ":", "-", "–", "(")),
            "caption": is_caption(text),
            "address": is_contact(text) or "@" in text,
            "date or version": number is None and _DATE.search(text) is not None,
            "many words": min(max(len(words) - _FEW_WORDS, 0) / 10, 2.0),
            "title case": is_title_case(bare),
            "few letters": few,
            "labels of a drawing": not few and text.isascii() and max(map(len, words)) == 1,
        }
    )


def signs_of_type(text: str, own: Type, usual: Type, *, centred: bool) -> dict[str, float]:
    """Return what the type of a line says against that of most text."""
    ratio = own.size / usual.size
    return present(
        {
            "larger than the text": ratio >= LARGER,
            "smaller than the text": ratio < 2 - LARGER,
            "bold": own.bold and not usual.bold,
            "italic": own.italic and not usual.italic,
            "underlined": own.underlined and not usual.underlined,
            "capitals": (own.capitals and not usual.capitals) or is_upper(text),
            "typewriter": own.mono and not usual.mono,
            "another font": own.family != usual.family and own.mono == usual.mono,
            "centred": centred,
        }
    )


def signs_of_place(candidate: HeadingCandidate, texts: Sequence[int]) -> dict[str, float]:
    """Return what the place of a line says.

    Args:
        candidate: The line, or several that wrap.
        texts: Positions of the lines of running text, in order.
    """
    last, after = candidate.last, bisect_right(texts, candidate.first)
    start = texts[0] if texts else 0
    known = candidate.number is not None or is_usual_title(candidate.text)
    return present(
        {
            "set as the text": not candidate.is_set_off,
            "text follows": after < len(texts) and texts[after] == last,
            EARLY: not known and start > last,
        }
    )


def compare(found: Sequence[HeadingCandidate]) -> None:
    """Add what candidates say of each other: numbers that count, and lines that look alike."""
    counts = in_sequence([each.number for each in found], [each.score for each in found])
    said = Counter(letters_of(each.text) for each in found)
    alike: dict[Hashable, list[HeadingCandidate]] = defaultdict(list)
    for candidate, counted in zip(found, counts, strict=True):
        candidate.counted = counted
        if said[letters_of(candidate.text)] > _OFTEN:
            candidate.signs["said again"] = 1.0
        if candidate.is_set_off:
            alike[candidate.look].append(candidate)
    for group in alike.values():
        scores = [max(min(each.score, _MOST_SCORE), -_MOST_SCORE) for each in group]
        usual = sum(scores) / len(scores)
        for candidate, score in zip(group, scores, strict=True):
            if len(group) == 1:
                candidate.signs["looks like no other"] = 1.0
            else:
                # An author set like a heading remains an author.
                most = 0.0 if EARLY in candidate.signs else 2 * _MOST_SCORE
                candidate.signs["lines that look alike"] = min(usual - score, most)
