"""Checks whether a summary sentence is supported by the sentences that it cites.

The check is rule-based and errs on the side of doubt: a faithful paraphrase may be flagged, and
only a reader can tell. Units and currencies, negation and who did what are not checked.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from longsum.evaluation.rouge_tokens import stem
from longsum.language.entities import Entity, entities
from longsum.language.words import content_terms, stop_words, terms

MIN_SHARE = 0.5
"""Share of a sentence's words that must occur in its sources. If less than half of them do, no
source is better than this one: the wrong place is worse than none."""

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SCALE = re.compile(
    r"(?:[\s\-]?(hundred|thousand|million|billion|trillion)|(bn|m|k))(?!\w)", re.IGNORECASE
)
_SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "k": 10**3,
    "million": 10**6,
    "m": 10**6,
    "billion": 10**9,
    "bn": 10**9,
    "trillion": 10**12,
}
_WRITTEN_NUMBERS = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
}
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MIN_MONTH_LENGTH = 3
_KINDS = {
    "name": "name",
    "acronym": "name",
    "date": "date",
    "money": "sum",
    "quantity": "quantity",
    "number": "number",
}


def doubts(sentence: str, cited: Sequence[str]) -> tuple[str, ...]:
    """Return the claims of a sentence that its cited sentences do not support, a clause each.

    Every number, sum, quantity and date must occur there with the same value, and so must every
    word of a name and at least half of the content words in some inflection.

    Args:
        sentence: A sentence of a summary.
        cited: Its source sentences in the document.

    Returns:
        Clauses such as "the number 42 is not in the cited sentences"; empty if all is supported.
    """
    if not cited:
        return ("no sentence of the document was found that says it",)
    source = _Source(cited)
    found = [
        f"the {_KINDS[entity.kind]} {entity.text} is not in the cited sentences"
        for entity in entities(sentence)
        if not source.has(entity)
    ]
    if source.share_of(sentence) < MIN_SHARE:
        found.append("more than half of its words are not in the cited sentences")
    return tuple(dict.fromkeys(found))


class _Source:
    """An index of the cited sentences by figures, stems, months and initials."""

    def __init__(self, cited: Sequence[str]) -> None:
        text = "\n".join(cited)
        words = terms(text)
        self._figures = set(_figures(text))
        self._figures.update(
            Decimal(_WRITTEN_NUMBERS[word]) for word in words if word in _WRITTEN_NUMBERS
        )
        self._stems = {stem(word) for word in words}
        self._months = {month for word in words if (month := _month(word))}
        self._initials = "\n".join(_initials(sentence) for sentence in cited)

    def has(self, entity: Entity) -> bool:
        if entity.kind == "name":
            return self._has_words(entity.text)
        if entity.kind == "acronym":
            return self._has_words(entity.text) or self._stands_for(entity.text)
        figures = set(_figures(entity.text))
        return figures <= self._figures and (entity.kind != "date" or self._has_day(entity.text))

    def share_of(self, sentence: str) -> float:
        wanted = {stem(term) for term in content_terms(sentence)}
        return len(wanted & self._stems) / len(wanted) if wanted else 1.0

    def _has_words(self, text: str) -> bool:
        return all(stem(word) in self._stems for word in terms(text) if word not in stop_words())

    def _stands_for(self, acronym: str) -> bool:
        letters = "".join(letter for letter in acronym if letter.isupper())
        return len(letters) > 1 and letters in self._initials

    def _has_day(self, text: str) -> bool:
        words = [word for word in terms(text) if word.isalpha()]
        months = {month for word in words if (month := _month(word))}
        days = [word for word in words if not _month(word) and word not in stop_words()]
        return months <= self._months and all(stem(day) in self._stems for day in days)


def _figures(text: str) -> Iterator[Decimal]:
    """Yield the value of each number written in digits, multiplied by its scale word."""
    for match in _FIGURE.finditer(text):
        figure = match.group()
        if _THOUSANDS.fullmatch(figure):
            figure = figure.replace(",", "")
        # Anything but a number with at most one point (a version, 1,5) counts part by part.
        parts = (
            [figure] if figure.count(".") < 2 and "," not in figure else re.split("[.,]", figure)
        )
        scale = _SCALE.match(text, match.end())
        factor = _SCALES[(scale[1] or scale[2]).lower()] if scale else 1
        yield from (Decimal(part) * factor for part in parts)


def _month(word: str) -> int | None:
    """Return the number of a month by its name or an abbreviation of at least three letters."""
    found = (
        number
        for number, name in enumerate(_MONTHS)
        if len(word) >= _MIN_MONTH_LENGTH and name.startswith(word)
    )
    return next(found, None)


def _initials(sentence: str) -> str:
    """Return the initials of the capitalised words, skipping lower-case words."""
    return "".join(word[0] for word in re.findall(r"[^\W\d_]+", sentence) if word[0].isupper())
