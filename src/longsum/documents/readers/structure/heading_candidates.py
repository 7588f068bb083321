"""What may be a heading if a format does not say, the evidence for it, and its level.

Which candidates are headings, and at which levels, is decoded exactly: the best tree of all.
"""

import re
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile, takewhile
from math import exp
from statistics import mean, median

from longsum.documents.fitness.forms import is_caption, is_contact
from longsum.documents.model import Evidence
from longsum.documents.readers.structure.contents import is_contents_title, is_index_title
from longsum.documents.readers.structure.heading_numbers import Number, in_sequence
from longsum.language.sentences import ends_as_sentence, opens_lower

MOST_WORDS = 25
"""Most words of a heading that are no evidence against it."""
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
    """Evidence for a heading (above zero) or against it, in log-odds."""

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
        signs: The evidence for and against it.
        level: Its depth as the file states it, from 1; None if it does not.
        stated: Whether the file says that it is a heading.
        counted: Whether its number continues from that of an earlier one.
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
        """How strongly its type stands out: its size in points, plus something if it is bold."""

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
        """The probability that its signs give."""
        return 1 / (1 + exp(-max(min(self.score, 30.0), -30.0)))

    @property
    def evidence(self) -> Evidence:
        """Its confidence and signs, the strongest evidence for it first."""
        signs = sorted(self.signs, key=lambda sign: -sign.weight)
        said = [sign.text for sign in signs if sign.weight > 0]
        said += [f"but {sign.text}" for sign in reversed(signs) if sign.weight < 0]
        return Evidence(round(self.confidence, 3), tuple(s for s in said if PRIOR not in s))


def is_upper(text: str) -> bool:
    """Return whether nearly all letters are capitals, and more of them than in an acronym."""
    letters = [character for character in text if character.isalpha()]
    lower = sum(map(str.islower, letters))
    return len(letters) >= _FEWEST_CAPITALS and lower <= _MOST_LOWER * len(letters)


def is_usual_title(text: str) -> bool:
    """Return whether a heading is one that many documents have, such as `Abstract`."""
    return bool(USUAL_TITLES.fullmatch(text.strip(" .:")))


def prominence(size: float, *, bold: bool, capitals: bool, italic: bool) -> float:
    """Return how strongly type stands out, from its size in points."""
    return size + 0.8 * bold + 0.7 * capitals - 0.3 * italic


def signs_of_words(candidate: HeadingCandidate, *, stands_out: bool) -> Iterator[Sign]:
    """Yield the signs given by a candidate's words.

    Args:
        candidate: The candidate.
        stands_out: Whether its type or position sets it off.
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
    """Find the numbers that count through the document; they are evidence for headings."""
    counts = in_sequence([c.number for c in found], [c.score for c in found])
    for candidate, counted in zip(found, counts, strict=True):
        candidate.counted = counted
        if counted:
            candidate.signs.append(Sign(3.0, "counts on"))
        elif candidate.number is not None:
            candidate.signs.append(Sign(-1.0, "does not count on"))


def compare_looks(found: Sequence[HeadingCandidate]) -> None:
    """Shrink the scores of lines that look alike towards their mean."""
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


Levels = dict[Hashable, tuple[int, bool]]
"""The level of each look, and whether it comes from its numbers."""

DEEPEST = 8
_MISPLACED = 1.5
"""Cost of a level, for each step away from the one that the look or number indicates."""
_MISCOUNTED = 2.5
_WEAKER = 0.25
"""Least difference in strength of the looks of two levels."""
_FEWEST_FIRST = 3
_STATED = 100.0
"""The weight of an outline entry, in log-odds: no other sign outweighs it."""


def decode(candidates: Sequence[HeadingCandidate]) -> list[int]:
    """Return the level of each candidate, from 1; 0 for those that are not headings.

    Of all assignments in which the first heading has level 1 and none is more than one level below
    the heading before it, the one with the greatest sum is taken: for each heading its score, minus
    a cost for each step away from the level that its outline entry, number or look indicates
    (Viterbi's algorithm; its state is the level of the last heading).
    """
    wanted = _wanted(candidates)
    worst = float("-inf")
    worth = [0.0] + [worst] * DEEPEST
    # For each candidate and state after it: the state before it, and whether it is a heading.
    back: list[list[tuple[int, bool]]] = []
    for candidate, (level, cost) in zip(candidates, wanted, strict=True):
        gain = candidate.score + _STATED * candidate.stated
        after = list(worth)
        steps = [(state, False) for state in range(DEEPEST + 1)]
        for own in range(1, DEEPEST + 1):
            # A heading may close any number of sections and opens one.
            before = max(range(own - 1, DEEPEST + 1), key=worth.__getitem__)
            total = worth[before] + gain - cost * abs(own - level)
            if total > after[own]:
                after[own], steps[own] = total, (before, True)
        worth = after
        back.append(steps)
    state = max(range(DEEPEST + 1), key=worth.__getitem__)
    levels = [0] * len(candidates)
    for place in reversed(range(len(candidates))):
        before, is_heading = back[place][state]
        levels[place] = state if is_heading else 0
        state = before
    return levels


def _wanted(candidates: Sequence[HeadingCandidate]) -> list[tuple[int, float]]:
    """Return the level that the evidence shows for each candidate, and the cost of each step."""
    likely = [c for c in candidates if c.score > 0 or c.stated]
    looks = _levels_of_looks(likely)
    found: list[tuple[int, float]] = []
    for candidate in candidates:
        depth, number = _depth(candidate), candidate.number
        if candidate.level is not None:
            level, cost = candidate.level, 2 * _MISCOUNTED
        elif depth is not None and (depth > 1 or looks.get(candidate.look, (1, True))[1]):
            level, cost = depth, _MISCOUNTED
        elif is_usual_title(candidate.text) and number is None:
            level, cost = 1, _MISPLACED / 3
        else:
            level, cost = looks.get(candidate.look, (1, False))[0], _MISPLACED
        found.append((min(max(level, 1), DEEPEST), cost))
    return found


def _depth(candidate: HeadingCandidate) -> int | None:
    """Return the depth that the number shows, None without a number that counts on.

    `A.`, `IV.` and `1)` occur at any depth.
    """
    number = candidate.number
    if number is None or not candidate.counted or number.named or number.mark == ")":
        return None
    return number.depth if number.kind == "arabic" or number.depth > 1 else None


def _levels_of_looks(likely: Sequence[HeadingCandidate]) -> Levels:
    """Return the level of each look, and whether it comes from its numbers.

    Looks are ordered by size, weight and capitals. Those with mostly numbered headings get the
    level of the numbers; the others come below stronger ones and level with equally strong ones.
    """
    groups: dict[Hashable, list[HeadingCandidate]] = defaultdict(list)
    for candidate in likely:
        groups[candidate.look].append(candidate)
    levels: Levels = {}
    level = 0
    last: float | None = None
    for group in sorted(groups.values(), key=_strength, reverse=True):
        known = [
            depth if candidate.level is None else candidate.level
            for candidate in group
            if (depth := candidate.level or _depth(candidate)) is not None
        ]
        strength = _strength(group)
        again = sum(c.number is not None and c.number.parts == (1,) for c in group) > 1
        told = 2 * len(known) >= len(group) and not (again and group[0].level is None)
        if told:
            level = round(median(known))
        elif len(group) == 1:
            # A unique look says nothing about the others.
            levels[group[0].look] = (level + 1, False)
            continue
        elif last is None or last - strength > _WEAKER:
            level += 1
        levels[group[0].look] = (max(level, 1), told)
        last = strength
    return _from_first(likely, levels)


def _from_first(likely: Sequence[HeadingCandidate], levels: Levels) -> Levels:
    """Count levels from that of the first headings, if some of it come before any above it.

    What is more prominent but comes late, such as the title of an annex, is not above the others.
    """
    looks = Counter(candidate.look for candidate in likely)
    likely = list(dropwhile(lambda candidate: looks[candidate.look] == 1, likely))
    if not likely or levels[likely[0].look][1]:
        return levels
    first = levels[likely[0].look][0]
    before = takewhile(lambda candidate: levels[candidate.look][0] >= first, likely)
    if sum(candidate.look == likely[0].look for candidate in before) < _FEWEST_FIRST:
        return levels
    return {
        look: (level if told else max(level - first + 1, 1), told)
        for look, (level, told) in levels.items()
    }


def _strength(group: Sequence[HeadingCandidate]) -> float:
    """Return how strongly headings of one look stand out."""
    centred = 2 * sum(candidate.is_centred for candidate in group) > len(group)
    return group[0].prominence + 0.3 * centred
