"""Tests that exist twice: with everything else, and alone with a limit on their time."""

from collections.abc import Callable

import pytest

Test = Callable[..., None]


def within(seconds: float) -> Callable[[Test], Test]:
    """Add a timed copy of a test, which fails if it takes longer."""
    params = [
        pytest.param(None, id="untimed"),
        pytest.param(seconds, id="in time", marks=pytest.mark.timing),
    ]

    def decorate(test: Test) -> Test:
        parametrized = pytest.mark.parametrize("clock", params, indirect=True)(test)
        return pytest.mark.usefixtures("clock")(parametrized)

    return decorate
