"""What may be a heading where a format does not say, and what speaks for and against it."""

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from math import exp
from statistics import mean

from longsum.documents.fitness.forms import is_caption, is_contact
from longsum.documents.model import Evidence
from longsum.documents.readers.structure.contents import is_contents_title, is_index_title
from longsum.documents.readers.structure.heading_numbers import Number, in_sequence
from longsum.language.prose import ends_as_sentence, opens_lower

MOST_WORDS = 25
"""Most words of a heading that says nothing against it."""
PRIOR = "most lines are text"
EARLY = "before the text begins"
_FEWEST_CAPITALS, _MOST_LOWER = 6, 0.1
_FORMULA = 0.5
"""Least share of letters and spaces in a heading."""
_DATE = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"\s+(?:\d{1,2},?\s+)?\d{4}\b|\bversion\s+\d",
    re.IGNORECASE,
)
USUAL_TITLES = re.compile(
    "abstract|executive summary|summary|introduction|background|related work|motivation|methods?"
    "|materials and methods|methodology|results|discussion|results and discussion|conclusions?"
    "|references|bibliography|acknowledge?ments?|appendix|appendices|glossary|preface|foreword"
    "|contents|index|zusammenfassung|einleitung|ergebnisse|literatur(?:verzeichnis)?|anhang"
    "|vorwort|résumé|introduction|conclusion|bibliographie|annexes?|resumen|introducción"
    "|conclusiones|referencias|bibliografía",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Sign:
    """Something that speaks for a heading (above zero) or against it, in log-odds."""

    weight: float
    text: str


@dataclass(slots=True)
class HeadingCandidate(ABC):
    """Lines that may be one heading.

    Attributes:
        first: Position of its first line among the lines of the document.
        last: Position after its last line.
        text: Its text.
        number: The number that opens it.
        signs: What speaks for and against it.
        level: Its depth as the file states it, from 1; None if it does not.
        stated: Whether the file says that it is a heading.
        counted: Whether its number goes on from that of an earlier one.
    """

    first: int
    last: int
    text: str
    number: Number | None = field(default=None, kw_only=True)
    signs: list[Sign] = field(default_factory=list, kw_only=True)
    level: int | None = field(default=None, kw_only=True)
    stated: bool = field(default=False, kw_only=True)
    counted: bool = field(default=False, kw_only=True)

    @property
    @abstractmethod
    def look(self) -> Hashable:
        """How it is set: headings of one level look alike."""

    @property
    @abstractmethod
    def prominence(self) -> float:
        """How strongly it stands out by its type: its size in points, and more if it is bold."""

    @property
    @abstractmethod
    def is_centred(self) -> bool:
        """Whether it is centred."""

    @property
    def score(self) -> float:
        """The sum of its signs."""
        return sum(sign.weight for sign in self.signs)

    @property
    def confidence(self) -> float:
        """The probability that its signs amount to."""
        return 1 / (1 + exp(-max(min(self.score, 30.0), -30.0)))

    @property
    def evidence(self) -> Evidence:
        """Its confidence and signs, what speaks for it first."""
        signs = sorted(self.signs, key=lambda sign: -sign.weight)
        said = [sign.text for sign in signs if sign.weight > 0]
        said += [f"but {sign.text}" for sign in reversed(signs) if sign.weight < 0]
        return Evidence(round(self.confidence, 3), tuple(s for s in said if PRIOR not in s))


def is_upper(text: str) -> bool:
    """Return whether nearly all letters are capitals, and they are more than an acronym's."""
    letters = [character for character in text if character.isalpha()]
    lower = sum(map(str.islower, letters))
    return len(letters) >= _FEWEST_CAPITALS and lower <= _MOST_LOWER * len(letters)


def is_usual_title(text: str) -> bool:
    """Return whether a heading is one that many documents have, such as `Abstract`."""
    return bool(USUAL_TITLES.fullmatch(text.strip(" .:")))


def letters_of(text: str) -> str:
    """Return letters and digits alone, in lower case: what two forms of a title share."""
    return "".join(filter(str.isalnum, text.casefold()))


def prominence(size: float, *, bold: bool, capitals: bool, italic: bool) -> float:
    """Return how strongly type stands out, from its size in points."""
    return size + 0.8 * bold + 0.7 * capitals - 0.3 * italic


def signs_of_words(candidate: HeadingCandidate, *, stands_out: bool) -> Iterator[Sign]:
    """Yield what the words of a candidate say.

    Args:
        candidate: The candidate.
        stands_out: Whether its type or place sets it off.
    """
    text = candidate.text
    bare = text.split(" ", 1)[-1] if candidate.number is not None else text
    if candidate.number is not None:
        yield Sign(1.0, "numbered")
    if is_usual_title(bare):
        yield Sign(3.5 if stands_out else 2.0, "usual title")
    if is_contents_title(text) or is_index_title(text):
        yield Sign(1.0, "title of a listing")
    if opens_lower(bare):
        yield Sign(-2.0, "opens in lower case")
    if ends_as_sentence(text) and not text.endswith("?") and bare.strip(" ."):
        yield Sign(-2.0, "ends as a sentence")
    elif text.endswith((",", ";", ":", "-", "–", "(")):
        yield Sign(-1.5, "goes on")
    if is_caption(text):
        yield Sign(-6.0, "caption")
    if is_contact(text) or "@" in text:
        yield Sign(-4.0, "address")
    if _DATE.search(text) and candidate.number is None:
        yield Sign(-3.0, "date or version")
    if len(text.split()) > MOST_WORDS:
        yield Sign(-3.0, "long")
    letters = sum(character.isalpha() or character == " " for character in bare)
    if letters < _FORMULA * len(bare) or sum(map(str.isalpha, bare)) < 2:
        yield Sign(-4.0, "few letters")
    elif text.isascii() and all(len(word) == 1 for word in text.split()):
        yield Sign(-4.0, "labels of a drawing")


def count_numbers(found: Sequence[HeadingCandidate]) -> None:
    """Find the numbers that count through the document; they speak for headings."""
    counts = in_sequence([c.number for c in found], [c.score for c in found])
    for candidate, counted in zip(found, counts, strict=True):
        candidate.counted = counted
        if counted:
            candidate.signs.append(Sign(3.0, "counts on"))
        elif candidate.number is not None:
            candidate.signs.append(Sign(-1.0, "does not count on"))


def compare_looks(found: Sequence[HeadingCandidate]) -> None:
    """Lines that look alike are headings together: each moves towards their mean."""
    alike: dict[Hashable, list[HeadingCandidate]] = defaultdict(list)
    for candidate in found:
        alike[candidate.look].append(candidate)
    for group in alike.values():
        if len(group) < 2:
            if group[0].number is None:
                group[0].signs.append(Sign(-1.0, "looks like no other"))
            continue
        usual_score = mean(max(min(candidate.score, 6.0), -6.0) for candidate in group)
        for candidate in group:
            step = 0.4 * (usual_score - max(min(candidate.score, 6.0), -6.0))
            # An author set like a heading remains an author.
            if any(sign.text == EARLY for sign in candidate.signs):
                step = min(step, 0.0)
            if abs(step) >= 0.05:
                candidate.signs.append(Sign(step, f"as {len(group) - 1} that look alike"))
