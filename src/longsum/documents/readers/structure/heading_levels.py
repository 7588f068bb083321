"""Decides which candidates are headings, and at which levels: the best tree, decoded exactly."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from itertools import dropwhile, takewhile
from statistics import median

from longsum.documents.readers.structure.heading_candidates import HeadingCandidate, is_usual_title

Levels = dict[Hashable, tuple[int, bool]]
"""The level of each look, and whether its numbers tell it."""

DEEPEST = 8
_MISPLACED = 1.5
"""Cost of a level, for each step that it is away from the one that the look or number says."""
_MISCOUNTED = 2.5
_WEAKER = 0.25
"""Least difference in strength of the looks of two levels."""
_FEWEST_FIRST = 3
_STATED = 100.0
"""What an entry of the outline counts, in log-odds: no other sign outweighs it."""


def decode(candidates: Sequence[HeadingCandidate]) -> list[int]:
    """Return the level of each candidate, from 1; 0 for what is no heading.

    Of all assignments in which the first heading has level 1 and none is more than one level below
    the heading before it, the one with the greatest sum is taken: for each heading its score, less
    a cost for each step away from the level that its outline entry, number or look says
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
    """Return the level that the evidence says for each candidate, and the cost of each step."""
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
    """Return the depth that the number says, None if there is none that counts on.

    `A.`, `IV.` and `1)` stand at any depth.
    """
    number = candidate.number
    if number is None or not candidate.counted or number.named or number.mark == ")":
        return None
    return number.depth if number.kind == "arabic" or number.depth > 1 else None


def _levels_of_looks(likely: Sequence[HeadingCandidate]) -> Levels:
    """Return the level of each look, and whether its numbers tell it.

    Looks are ordered by size, weight and capitals. Those of which most have numbers get the level
    of the numbers; the others come below what is stronger and beside what is as strong.
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
            # What looks like nothing else says nothing of the others.
            levels[group[0].look] = (level + 1, False)
            continue
        elif last is None or last - strength > _WEAKER:
            level += 1
        levels[group[0].look] = (max(level, 1), told)
        last = strength
    return _from_first(likely, levels)


def _from_first(likely: Sequence[HeadingCandidate], levels: Levels) -> Levels:
    """Count levels from that of the first headings, if there are some of it before any above.

    What stands out more and comes late, such as the title of an annex, is not above the others.
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
