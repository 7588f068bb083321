"""Untrusted JSON and YAML give a value, or an error quickly, whatever their depth."""

import re
from pathlib import Path

import pytest

from longsum.common.structured_text import encodable, parse_json, parse_yaml

SOURCE = Path(__file__).parents[2] / "src" / "longsum"
LAUGHS = "a: &a [1]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
CHAIN = "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 500))


@pytest.mark.parametrize(
    ("parse", "text", "reason"),
    [
        (parse_json, "[" * 100_000, "nested too deeply"),
        (parse_json, "[" * 202 + "]" * 202, "nested too deeply"),
        (parse_json, "9" * 5000, r"a number in it has more than 4,300 digits$"),
        (parse_json, b"\xff\xff", "utf-8"),
        *((parse_yaml, mark * 50_000, "nested too deeply") for mark in ("{", "[", "- ", "? ")),
        (parse_yaml, "&a [*a]", "nested too deeply"),
        (parse_yaml, CHAIN, "nested too deeply|repeats itself"),
        (parse_yaml, LAUGHS, "repeats itself too often"),
        (parse_yaml, "a: &a {x: 1}\nb: {<<: [*a, *a]}", "merge key"),
        (parse_yaml, "x: " + "9" * 5000, "more than 3,500 characters"),
        (parse_yaml, "x: 2024-13-45", "month"),
        (parse_yaml, "x: !!bool maybe", "not what its tag says"),
        (parse_yaml, "a: b: c", "line 1, column 5"),
        (parse_yaml, "#" * 1_000_001, "more than 1,000,000 characters"),
    ],
)
def test_errors_are_reported_in_one_line(parse, text, reason):
    with pytest.raises(ValueError, match=reason) as told:
        parse(text)
    assert "\n" not in str(told.value)


def test_deep_nesting_within_the_limit_is_read():
    assert parse_json("[" * 200 + "]" * 200) == parse_yaml("[" * 200 + "]" * 200)
    assert parse_json("[" * 201 + "]" * 201)
    assert parse_yaml("a: &a [1, 2]\nb: *a") == {"a": [1, 2], "b": [1, 2]}
    # A value, a text and a number of lists, each the longest that is taken.
    assert parse_yaml("9" * 3_500) == int("9" * 3_500)
    assert parse_yaml("#" * 999_999 + "\n") is None
    hundred_thousand = "&a [" + "[]," * 999 + "]," + "*a," * 99
    assert len(parse_yaml(f"[{hundred_thousand}]")) == 100
    with pytest.raises(ValueError, match="repeats itself"):
        parse_yaml(f"[{hundred_thousand}[]]")


def test_lone_surrogates_are_replaced():
    assert encodable({"a\ud800": ["b\udfff", ("c", 1)]}) == {"a?": ["b?", ["c", 1]]}


def test_yaml_is_loaded_in_one_place():
    loads = {"load", "safe_load", "full_load", "parse", "compose"}
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "yaml" not in text or path.name == "structured_text.py":
            continue
        assert loads.isdisjoint(re.findall(r"\byaml\.(\w+)", text)), path
