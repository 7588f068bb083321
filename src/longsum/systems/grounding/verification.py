"""Whether the sentences that a summary sentence cites say what it says.

By rule alone, and on the side of doubt: a sentence that says the same in other words may be marked,
and only a reader can tell. What is not checked: units and currencies, negation, who did what.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from longsum.evaluation.rouge_tokens import stem
from longsum.language.entities import Entity, entities
from longsum.language.words import content_terms, stop_words, terms

LEAST_SHARE = 0.5
"""Share of a sentence's words that must stand in its sources. A source of which less than half is
found is better not shown at all: the wrong place is worse than none."""

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
_SHORTEST_MONTH = 3
_KINDS = {
    "name": "name",
    "acronym": "name",
    "date": "date",
    "money": "sum",
    "quantity": "quantity",
    "number": "number",
}


def doubts(sentence: str, cited: Sequence[str]) -> tuple[str, ...]:
    """Return what a sentence says that the sentences it cites do not, a clause each.

    Every number, sum, quantity and date must stand there with the same value, every word of a name,
    and at least half of the content words in some form.

    Args:
        sentence: A sentence of a summary.
        cited: The sentences of the document that it rests on.

    Returns:
        Clauses such as "the number 42 is not in the cited sentences"; none where all is found.
    """
    if not cited:
        return ("no sentence of the document was found that says it",)
    source = _Source(cited)
    found = [
        f"the {_KINDS[entity.kind]} {entity.text} is not in the cited sentences"
        for entity in entities(sentence)
        if not source.has(entity)
    ]
    if source.share_of(sentence) < LEAST_SHARE:
        found.append("more than half of its words are not in the cited sentences")
    return tuple(dict.fromkeys(found))


class _Source:
    """What the cited sentences hold, in the forms in which it is looked for."""

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
    """Yield the value of each number that is written with digits, times what scales it."""
    for match in _FIGURE.finditer(text):
        figure = match.group()
        if _THOUSANDS.fullmatch(figure):
            figure = figure.replace(",", "")
        # What is no number with at most one point (a version, 1,5) counts part by part.
        parts = (
            [figure] if figure.count(".") < 2 and "," not in figure else re.split("[.,]", figure)
        )
        scale = _SCALE.match(text, match.end())
        factor = _SCALES[(scale[1] or scale[2]).lower()] if scale else 1
        yield from (Decimal(part) * factor for part in parts)


def _month(word: str) -> int | None:
    """Return the number of a month by its name, which may be cut to three letters or more."""
    found = (
        number
        for number, name in enumerate(_MONTHS)
        if len(word) >= _SHORTEST_MONTH and name.startswith(word)
    )
    return next(found, None)


def _initials(sentence: str) -> str:
    """Return the first letters of the capitalised words, small function words passed over."""
    return "".join(word[0] for word in re.findall(r"[^\W\d_]+", sentence) if word[0].isupper())
