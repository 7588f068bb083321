"""Balanced incomplete blocks: which few of many are judged together, or by whom.

Every variety (a system, an annotator) is in as many blocks as every other, and every two are
together in the same number of blocks, λ (Aschbacher 1971; cited in MLS, §3.1.3). If the numbers do
not allow that, the counts differ by one if such a design is found, and otherwise by as little as
possible.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb, exp
from random import Random

Block = tuple[int, ...]
Matrix = list[list[int]]

_DRAWS = 3000
"""Most initial blocks that are drawn; of 21 varieties in blocks of 5, one in 500 works."""
_STEPS = 40_000
"""Most exchanges that are tried."""
_HEAT = 0.6
"""Temperature of the search in squared counts; this one found the most designs by far."""
_ALONE = 2
"""Weight of how often a variety occurs, relative to how often two occur together."""


def balanced_blocks(
    varieties: int, size: int, count: int, rng: Random, before: Matrix | None = None
) -> list[Block]:
    """Return blocks with varieties, and pairs of them, as evenly spread as can be found.

    All combinations are taken as often as they fit into the count; as many of the rest as possible
    are a few blocks rotated through all varieties (Bose 1939). The remainder is found by exchanging
    one variety of a block for another, sometimes for the worse (Metropolis et al. 1953), until
    counts differ by one at most.

    Args:
        varieties: Number of varieties.
        size: How many different ones a block has, from 1 to `varieties`.
        count: Number of blocks.
        rng: Source of randomness.
        before: How often varieties and pairs occurred in earlier blocks, as `concurrence` counts;
            the new blocks make up for differences.

    Returns:
        The blocks in random order, each with its varieties ascending.
    """
    if size == varieties:
        return [tuple(range(varieties))] * count
    whole, rest = divmod(count, comb(varieties, size))
    blocks = list(combinations(range(varieties), size)) * whole
    turned = _turned(varieties, size, rest // varieties, rng)
    blocks += turned
    drawn = [rng.sample(range(varieties), size) for _ in range(rest - len(turned))]
    seen = concurrence(varieties, drawn, before)
    _exchange(drawn, seen, rng)
    blocks += [tuple(sorted(block)) for block in drawn]
    rng.shuffle(blocks)
    return blocks


def concurrence(
    varieties: int, blocks: Iterable[Sequence[int]], before: Matrix | None = None
) -> Matrix:
    """Count the blocks of each variety, on the diagonal, and of every two together, `[v, v]`.

    A block that has a variety twice counts it twice; `before` are counts to begin with.
    """
    seen = [list(row) for row in before] if before else [[0] * varieties for _ in range(varieties)]
    for block in blocks:
        for one in block:
            seen[one][one] += 1
        for one, other in combinations(block, 2):
            if one != other:
                seen[one][other] += 1
                seen[other][one] += 1
    return seen


def span(counts: Iterable[int]) -> tuple[int, int]:
    """Return the minimum and maximum of some counts; zeros if there are none."""
    found = list(counts)
    return (min(found), max(found)) if found else (0, 0)


def pairs_of(seen: Matrix) -> list[int]:
    """Return how often every two varieties were together."""
    return [seen[one][other] for one, other in combinations(range(len(seen)), 2)]


def singles_of(seen: Matrix) -> list[int]:
    """Return how often each variety was in blocks."""
    return [seen[one][one] for one in range(len(seen))]


def _turned(varieties: int, size: int, count: int, rng: Random) -> list[Block]:
    """Return a few initial blocks, each rotated through all varieties, or none if none works.

    Two varieties are together as often as their difference occurs in the initial blocks, which has
    to be equally often for all.
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
        if all(found == wanted for found in differences[1:]):
            return [
                tuple(sorted((each + by) % varieties for each in block))
                for block in initial
                for by in range(varieties)
            ]
    return []


def _exchange(blocks: list[list[int]], seen: Matrix, rng: Random) -> None:
    """Exchange varieties until counts are even; otherwise keep the most even blocks found."""
    varieties = range(len(seen))
    cost = best = 0
    kept = [list(block) for block in blocks]
    for step in range(_STEPS if blocks else 0):
        if _is_even(seen, step):
            return
        block = rng.choice(blocks)
        place = rng.randrange(len(block))
        new = rng.choice([each for each in varieties if each not in block])
        change = _change(block, place, new, seen)
        if change > 0 and rng.random() >= exp(-change / _HEAT):
            continue
        _put(block, place, new, seen)
        cost += change
        if cost < best:
            best, kept = cost, [list(block) for block in blocks]
    if not _is_even(seen, 0):
        blocks[:] = kept


def _is_even(seen: Matrix, step: int) -> bool:
    """Return whether all counts differ by one at most; checked every so often."""
    if step % 16:
        return False
    return all(most - least <= 1 for least, most in (span(pairs_of(seen)), span(singles_of(seen))))


def _change(block: list[int], place: int, new: int, seen: Matrix) -> int:
    """Return by how much the sum of squared counts grows, halved, if a variety is exchanged."""
    old = block[place]
    change = _ALONE * (seen[new][new] - seen[old][old] + 1)
    for other in block:
        if other != old:
            change += seen[new][other] - seen[old][other] + 1
    return change


def _put(block: list[int], place: int, new: int, seen: Matrix) -> None:
    old = block[place]
    seen[old][old] -= 1
    seen[new][new] += 1
    for other in block:
        if other != old:
            for one, by in ((old, -1), (new, 1)):
                seen[one][other] += by
                seen[other][one] += by
    block[place] = new
