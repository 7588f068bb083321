"""Defaults change only on purpose."""

import pytest

from recorded_defaults import ROOMS, check_defaults


@pytest.mark.parametrize("room", ROOMS)
def test_defaults_are_those_recorded(room: str) -> None:
    check_defaults(room)
