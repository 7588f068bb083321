"""The Damerau–Levenshtein distance of two sequences."""

from collections.abc import Hashable, Sequence


def damerau_levenshtein(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return how many edits turn one sequence into the other.

    An edit inserts, deletes or replaces an item, or swaps two neighbours. This is the restricted
    distance (optimal string alignment), in which nothing is edited twice: "ca" and "abc" are 3
    apart, not 2. It is the one of pyxDamerauLevenshtein, with which the scores of Rotowire systems
    are computed.
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
