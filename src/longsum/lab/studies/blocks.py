"""Balanced incomplete block designs: which systems are judged together, and by which annotators.

Every variety (a system or an annotator) is in as many blocks as every other, and any two are
together in the same number of blocks, λ (Aschbacher 1971; cited in MLS, §3.1.3). If the numbers do
not allow that, counts differ by one if such a design is found, and otherwise by as little as the
search achieves.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb, exp
from random import Random

Block = tuple[int, ...]
Matrix = list[list[int]]

_DRAWS = 3000
"""Most initial blocks that are drawn; with 21 varieties in blocks of 5, one in 500 works."""
_STEPS = 40_000
"""Most exchanges that are tried."""
_TEMPERATURE = 0.6
"""Of the search, in squared counts; this value found the most designs by far."""
_SINGLES_WEIGHT = 2
"""Weight of the counts of single varieties relative to those of pairs."""
_STEPS_PER_CHECK = 16
"""Steps between two checks of whether counts are even, which cost more than a step."""


def balanced_blocks(
    varieties: int, size: int, count: int, rng: Random, before: Matrix | None = None
) -> list[Block]:
    """Return blocks in which varieties, and pairs of them, occur as evenly as possible.

    The set of all combinations is taken as often as it fits into the count. As many of the other
    blocks as possible are a few initial ones rotated through all varieties (Bose 1939). The rest
    are drawn at random; then one variety of a block is exchanged for another, sometimes for the
    worse (Metropolis et al. 1953), until counts differ by one at most.

    Args:
        varieties: Number of varieties.
        size: Number of different varieties in a block, from 1 to `varieties`.
        count: Number of blocks.
        rng: Source of randomness.
        before: Counts of earlier blocks, as `concurrence` returns them; the new blocks make up for
            differences.

    Returns:
        The blocks in random order, each with its varieties ascending.
    """
    if size == varieties:
        return [tuple(range(varieties))] * count
    complete, rest = divmod(count, comb(varieties, size))
    blocks = list(combinations(range(varieties), size)) * complete
    rotated = _rotated(varieties, size, rest // varieties, rng)
    blocks += rotated
    drawn = [rng.sample(range(varieties), size) for _ in range(rest - len(rotated))]
    counts = concurrence(varieties, drawn, before)
    _exchange(drawn, counts, rng)
    blocks += [tuple(sorted(block)) for block in drawn]
    rng.shuffle(blocks)
    return blocks


def concurrence(
    varieties: int, blocks: Iterable[Sequence[int]], before: Matrix | None = None
) -> Matrix:
    """Count the blocks of each variety, on the diagonal, and of each pair, `[v, v]`.

    A variety that a block has twice is counted twice; `before` are counts to start from.
    """
    counts = (
        [list(row) for row in before] if before else [[0] * varieties for _ in range(varieties)]
    )
    for block in blocks:
        for one in block:
            counts[one][one] += 1
        for one, other in combinations(block, 2):
            if one != other:
                counts[one][other] += 1
                counts[other][one] += 1
    return counts


def span(counts: Iterable[int]) -> tuple[int, int]:
    """Return the minimum and maximum of some counts; zeros if there are none."""
    known = list(counts)
    return (min(known), max(known)) if known else (0, 0)


def pairs_of(counts: Matrix) -> list[int]:
    """Return in how many blocks each pair of varieties is."""
    return [counts[one][other] for one, other in combinations(range(len(counts)), 2)]


def singles_of(counts: Matrix) -> list[int]:
    """Return in how many blocks each variety is."""
    return [counts[one][one] for one in range(len(counts))]


def _rotated(varieties: int, size: int, count: int, rng: Random) -> list[Block]:
    """Return `count` initial blocks, each rotated through all varieties; none if none are found.

    Two varieties are together as often as their difference occurs in the initial blocks, so all
    differences have to occur equally often.
    """
    wanted, odd = divmod(count * size * (size - 1), varieties - 1)
    if count == 0 or odd:
        return []
    for _ in range(_DRAWS // count):
        initial = [rng.sample(range(varieties), size) for _ in range(count)]
        differences = [0] * varieties
        for block in initial:
            for one, other in combinations(block, 2):
                differences[one - other] += 1
                differences[other - one] += 1
        if all(occurrences == wanted for occurrences in differences[1:]):
            return [
                tuple(sorted((variety + shift) % varieties for variety in block))
                for block in initial
                for shift in range(varieties)
            ]
    return []


def _exchange(blocks: list[list[int]], counts: Matrix, rng: Random) -> None:
    """Exchange varieties until counts are even; failing that, keep the most even blocks found."""
    varieties = range(len(counts))
    cost = lowest = 0
    best = [list(block) for block in blocks]
    for step in range(_STEPS if blocks else 0):
        if step % _STEPS_PER_CHECK == 0 and _is_even(counts):
            return
        block = rng.choice(blocks)
        place = rng.randrange(len(block))
        new = rng.choice([variety for variety in varieties if variety not in block])
        change = _change(block, place, new, counts)
        if change > 0 and rng.random() >= exp(-change / _TEMPERATURE):
            continue
        _put(block, place, new, counts)
        cost += change
        if cost < lowest:
            lowest, best = cost, [list(block) for block in blocks]
    if not _is_even(counts):
        blocks[:] = best


def _is_even(counts: Matrix) -> bool:
    """Return whether counts of varieties differ by one at most, and likewise those of pairs."""
    spans = (span(pairs_of(counts)), span(singles_of(counts)))
    return all(most - least <= 1 for least, most in spans)


def _change(block: list[int], place: int, new: int, counts: Matrix) -> int:
    """Return by how much an exchange changes the sum of squared counts, halved."""
    old = block[place]
    change = _SINGLES_WEIGHT * (counts[new][new] - counts[old][old] + 1)
    for other in block:
        if other != old:
            change += counts[new][other] - counts[old][other] + 1
    return change


def _put(block: list[int], place: int, new: int, counts: Matrix) -> None:
    """Exchange the variety at a place of a block for a new one, and update the counts."""
    old = block[place]
    counts[old][old] -= 1
    counts[new][new] += 1
    for other in block:
        if other != old:
            for variety, by in ((old, -1), (new, 1)):
                counts[variety][other] += by
                counts[other][variety] += by
    block[place] = new
