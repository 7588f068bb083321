"""Patterns mean the same in all versions of Python, and take linear or bounded time."""

import re
from collections.abc import Callable
from pathlib import Path
from time import thread_time

import pytest

import longsum
from longsum.documents.fitness import complete, forms
from package_patterns import package_patterns
from pattern_attacks import find_attack, seconds

# Up to Python 3.11.4, a possessive group keeps what its last, failing repetition has consumed
# (CPython issue 106052): `\d++(?:,\d++)*+` matches "1," in "1, 2". Atomic groups are right.
_POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{+[\d,]*\}+)\+")

# What takes more than linear time, in characters of what it is given at most, and what gives it.
_BOUNDED: dict[str, tuple[int, Callable[[str], object]]] = {
    "documents/fitness/forms.py:_CODE_TERM": (400, lambda text: forms.is_typed(f"{text}: ")),
    "documents/fitness/complete.py:_NAME": (160, complete.names_code),
    "documents/fitness/complete.py:_BROKEN_OFF": (40, complete.is_complete),
}
_FASTEST = 5e-6
"""Most seconds for a character where a pattern is bounded: 5 s for a million."""


def test_no_group_is_possessive() -> None:
    package = Path(longsum.__file__).parent
    found = [
        f"{file.relative_to(package)}: {line.strip()}"
        for file in package.rglob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if _POSSESSIVE_GROUP.search(line)
    ]
    assert found == []


@pytest.mark.timing
def test_every_pattern_takes_linear_time_or_has_a_bound() -> None:
    patterns = package_patterns()
    attacks = {
        place: (pattern, attack)
        for place, (pattern, methods) in patterns.items()
        if (attack := find_attack(pattern, methods))
    }
    print(f"{len(patterns)} patterns, {len(attacks)} of them bounded")
    assert {place: attacks[place][1] for place in attacks.keys() - _BOUNDED} == {}
    assert attacks.keys() == _BOUNDED.keys(), "what takes linear time needs no bound"
    for place, (most, given) in _BOUNDED.items():
        pattern, attack = attacks[place]
        taken = min(seconds(pattern, attack, most) for _ in range(5))
        assert taken < _FASTEST * most, (place, attack, taken)
        start = thread_time()
        given(attack.text(200_000))
        assert thread_time() - start < 1, (place, attack)


@pytest.mark.timing
@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        # Exponential: a loop within a loop, alternatives that overlap, pieces that may be joined.
        (r"(?:a+)+b", "match"),
        (r"(?:\w+\s?)*:", "match"),
        (r"(?:ab|a|b)*c", "match"),
        (r"(?P<q>['\"])(?:a|aa)+(?P=q)", "match"),
        # Squared: neighbours that overlap, with something, or what may be nothing, between them.
        (r"a*a*b", "match"),
        (r"\d{4} (?:x\s*)?\s+y", "match"),
        (r"(?i)FIG\.?[IVX]*v*:", "fullmatch"),
        (r"(?:(?=a*b)a)*", "match"),
        # Squared where it may begin anywhere.
        (r"\s+$", "search"),
        (r"\w+@", "finditer"),
        (r"<!--.*?-->", "finditer"),
        (r"\d(?=.*x)", "finditer"),
        (r"(?<=a)b*c|[^\W_]+-", "search"),
    ],
)
def test_an_attack_is_found(pattern: str, method: str) -> None:
    assert find_attack(re.compile(pattern), [method]) is not None


@pytest.mark.timing
@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"\s+$", "match"),
        (r"(?<!\w)\w+@", "finditer"),
        (r"(?:[A-Z]\w*+(?:['-][A-Z]\w*+)*)['-]?:", "fullmatch"),
        (r"\w{1,20}@", "finditer"),
        (r"a*+a?b", "match"),
    ],
)
def test_none_is_found_where_the_time_is_linear(pattern: str, method: str) -> None:
    assert find_attack(re.compile(pattern), [method]) is None
