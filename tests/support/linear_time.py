"""Whether time grows with the size of an input, and not with its square."""

import gc
from collections.abc import Callable, Iterator
from time import process_time

import pytest

SECONDS_TO_COMPARE = 0.03
"""Below this, the clock tells nothing."""


def assert_linear(work: Callable[[int], object], size: int) -> None:
    """Assert that four times the input takes at most ten times as long (squared: sixteen).

    The input grows until it takes 30 ms, at most to half the size that is given. One of three tries
    must do, as other work may disturb a try. The collector of garbage stands still meanwhile: what
    it costs grows with all that earlier tests have left behind.
    """
    seen = []
    gc.collect()
    gc.disable()
    try:
        for small, once, four_times in _tries(work, size):
            seen.append((small, once, four_times))
            if four_times <= 10 * max(once, SECONDS_TO_COMPARE):
                return
    finally:
        gc.enable()
    pytest.fail(f"a size, and the seconds that it and four times as much took: {seen}")


def _tries(work: Callable[[int], object], size: int) -> Iterator[tuple[int, float, float]]:
    most, small = size // 2, max(1, size // 128)
    # What is loaded or compiled once is no part of what grows.
    work(small)
    while (taken := _seconds(work, small)) < SECONDS_TO_COMPARE and small < most:
        small = min(2 * small, most)
    for _ in range(3):
        yield small, taken, _seconds(work, 4 * small)
        taken = _seconds(work, small)


def _seconds(work: Callable[[int], object], size: int) -> float:
    start = process_time()
    work(size)
    return process_time() - start
