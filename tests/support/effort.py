"""How many examples Hypothesis tries: a quarter, or all where `HYPOTHESIS_PROFILE` is `full`."""

import os

FULL = os.environ.get("HYPOTHESIS_PROFILE") == "full"


def examples(count: int) -> int:
    """Return how many of the given number of examples are tried."""
    return count if FULL else max(1, count // 4)
