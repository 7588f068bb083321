"""Scores of the relations that reports state about tables (Wiseman et al. 2017, §4).

A relation is an entity, a value and a record type, as an extractor or a matcher finds it in a
report. Stepwise reports these scores in its Table 2.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Triple(NamedTuple):
    """One relation: `Boston Celtics|113|TEAM-PTS`."""

    entity: str
    value: str
    type: str


SameEntity = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class RelationGeneration:
    """How many relations reports state, and how many of them are in their tables.

    Attributes:
        precision: The share of relations that are right, over all reports; 0 if there are none.
        count: Distinct right relations per report.
    """

    precision: float
    count: float


@dataclass(frozen=True, slots=True)
class ContentSelection:
    """How far the relations of reports agree with those of their references.

    Attributes:
        precision: The share of the reports' relations that their references have, over all.
        recall: The same count divided by the relations of the references; above 1 only if one of
            them matches two names that do not match each other ("Paul": Chris Paul and Paul
            George).
    """

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def relation_generation(
    reports: Sequence[Sequence[tuple[Triple, bool]]],
) -> RelationGeneration:
    """Score the relations of reports against their tables.

    Precision is over all relations, repeated ones included; the count leaves repetitions out, as
    the published counts do.

    Args:
        reports: The relations of each report, each with whether the table has it.

    Raises:
        ValueError: There are no reports.
    """
    if not reports:
        raise ValueError("relation generation needs at least one report")
    made = sum(len(report) for report in reports)
    right = sum(is_right for report in reports for _, is_right in report)
    different = sum(len({triple for triple, is_right in report if is_right}) for report in reports)
    return RelationGeneration(right / made if made else 0.0, different / len(reports))


def content_selection(
    predictions: Sequence[Sequence[Triple]],
    references: Sequence[Sequence[Triple]],
    same: SameEntity,
) -> ContentSelection:
    """Score which relations reports state, over all reports together.

    A relation that matches an earlier one of the same report, by either name, is left out as a
    repetition. One count of matches (predicted relations with a match in the reference) is divided
    by the number of predicted relations for precision and by the reference's for recall, as in the
    published script.

    `same` tells whether two names are of the same entity.

    Raises:
        ValueError: There are not as many reports as references.
    """
    found = made = wanted = 0
    for prediction, reference in zip(predictions, references, strict=True):
        own, other = (_different(each, same) for each in (prediction, reference))
        found += sum(any(matches(one, two, same) for two in other) for one in own)
        made += len(own)
        wanted += len(other)
    return ContentSelection(found / made if made else 0.0, found / wanted if wanted else 0.0)


def content_ordering(
    predictions: Sequence[Sequence[Triple]],
    references: Sequence[Sequence[Triple]],
    same: SameEntity,
) -> float:
    """Score in which order reports state relations: the mean over reports, in [0, 1].

    The score of a report is 1 minus the Damerau–Levenshtein distance of the two sequences divided
    by the length of the longer one; 1 if both are empty. Repetitions are left out. A relation of
    the reference is the same symbol as the first predicted one that matches it.

    `same` tells whether two names are of the same entity.

    Raises:
        ValueError: There are not as many reports as references, or none.
    """
    scores = []
    for prediction, reference in zip(predictions, references, strict=True):
        own, other = (_different(each, same) for each in (prediction, reference))
        symbols = list(range(len(own)))
        second = []
        for place, triple in enumerate(other):
            equal = (symbol for symbol in symbols if matches(triple, own[symbol], same))
            second.append(next(equal, len(own) + place))
        longest = max(len(own), len(other))
        distance = damerau_levenshtein(symbols, second)
        scores.append(1 - distance / longest if longest else 1.0)
    if not scores:
        raise ValueError("content ordering needs at least one report")
    return sum(scores) / len(scores)


def matches(one: Triple, other: Triple, same: SameEntity) -> bool:
    """Return whether two relations are the same: equal type and value, and the same entity."""
    return one.type == other.type and one.value == other.value and same(one.entity, other.entity)


def same_entity(teams: Iterable[str], parts: Iterable[str]) -> SameEntity:
    """Return the published rule that decides whether two names mean the same entity.

    The first of the two names decides: if it is a part of a team's name, both must be equal or be
    contained in one full name of a team; else one must contain the other.

    Args:
        teams: The full names of all teams, "Boston Celtics".
        parts: Their cities and names alone, "Boston" and "Celtics".
    """
    full = tuple(teams)
    known = frozenset(parts)

    def same(one: str, other: str) -> bool:
        if one in known:
            return one == other or any(one in name and other in name for name in full)
        return one in other or other in one

    return same


def _different(triples: Sequence[Triple], same: SameEntity) -> list[Triple]:
    return [
        triple
        for place, triple in enumerate(triples)
        if not any(matches(triple, earlier, same) for earlier in triples[:place])
    ]


def damerau_levenshtein(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return how many edits turn one sequence into the other.

    An edit inserts, deletes or replaces an item, or swaps two neighbours. This is the restricted
    distance (optimal string alignment), in which nothing is edited twice: "ca" and "abc" are 3
    apart, not 2. pyxDamerauLevenshtein, with which the scores of Rotowire systems are computed,
    uses it.
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, item in enumerate(one, start=1):
        last, before, row = before, row, [place] + [0] * len(other)
        for column, second in enumerate(other, start=1):
            row[column] = min(
                before[column] + 1, row[column - 1] + 1, before[column - 1] + (item != second)
            )
            swapped = place > 1 and column > 1 and item == other[column - 2]
            if swapped and one[place - 2] == second:
                row[column] = min(row[column], last[column - 2] + 1)
    return row[-1]
