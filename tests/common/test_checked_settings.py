"""Settings are made from plain data; messages name the wrong value, and what is allowed."""

from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from pydantic import Field

from longsum.common.checked_settings import (
    CLOSED,
    Count,
    Size,
    check_settings_of_kind,
    parse_settings,
)
from longsum.common.errors import LongsumError


@dataclass(frozen=True)
class Part:
    __pydantic_config__ = CLOSED

    width: Size = 2
    skipped: Count = 0


@dataclass(frozen=True)
class Whole:
    __pydantic_config__ = CLOSED

    kind: str = "plain"
    rate: Annotated[float, Field(gt=0, le=0.5)] = 0.1
    part: Part = field(default_factory=Part)
    other: Part | None = None


def test_settings_combine_given_values_and_defaults() -> None:
    given = {"rate": 0.5, "part": {"width": 1}, "other": {"skipped": 0}}
    assert parse_settings(Whole, given, "x") == Whole("plain", 0.5, Part(1, 0), Part(2, 0))
    # What is no JSON is taken by its text.
    assert parse_settings(Whole, {"kind": {1}}, "x") == Whole("{1}")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rat": 1}, "x has no setting 'rat'; choose among kind, other, part, rate."),
        ({"part": {"a": 1}}, "x.part has no setting 'a'; choose among skipped, width."),
        ({"other": {"a": 1}}, "x.other has no setting 'a'; choose among skipped, width."),
        ({"part": {"width": 0}}, "x.part.width cannot be 0; give 1 or more."),
        (
            {"part": {"width": 10**10}},
            "x.part.width cannot be 10000000000; give at most 1,000,000,000.",
        ),
        ({"part": {"skipped": -1}}, "x.part.skipped cannot be -1; give 0 or more."),
        ({"rate": 0.0}, "x.rate cannot be 0.0; give a number above 0."),
        ({"rate": 0.75}, "x.rate cannot be 0.75; give at most 0.5."),
        ({"kind": 3}, "x.kind cannot be 3: it should be a valid string."),
    ],
)
def test_values_that_do_not_fit_are_named(values: Any, message: str) -> None:
    with pytest.raises(LongsumError) as told:
        parse_settings(Whole, values, "x")
    assert str(told.value) == message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Whole("plain", rate=0.1), ""),
        (Whole("unknown", rate=0.2), ""),
        (Whole("fast", rate=0.2), ""),
        (Whole("plain", other=Part()), ""),
        (
            Whole("plain", rate=0.2),
            "The thing of kind 'plain' has no rate; 'fast' and 'slow' have it. Leave it out, or "
            "choose another kind.",
        ),
    ],
)
def test_settings_of_another_kind_are_refused(settings: Whole, message: str) -> None:
    known = {"plain": (), "fast": ("rate",), "slow": ("rate",)}

    def check() -> None:
        check_settings_of_kind(settings, known, ("part", "other"), "The thing")

    if not message:
        check()
        return
    with pytest.raises(LongsumError) as told:
        check()
    assert str(told.value) == message
