import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.evaluation.datasets.info import (
    HASHED_SPLITS,
    canonical_split,
    hash_split,
    split_names,
)


@pytest.mark.parametrize("name", ["validation", "val", "valid", "dev"])
def test_validation_has_aliases(name: str) -> None:
    assert canonical_split(name) == "validation"


def test_unknown_names_stay() -> None:
    assert canonical_split("ca_test") == "ca_test"
    assert split_names("ca_test") == ("ca_test",)


@given(st.text())
def test_a_split_is_found_under_its_own_name(name: str) -> None:
    assert canonical_split(name) in split_names(canonical_split(name))


@pytest.mark.parametrize(
    ("id", "start", "remainder", "split"),
    [
        # First 16 hex digits of the SHA-256 of the id; read as a number, modulo 10.
        ("b", "3e23e8160039594a", 6, "train"),
        ("11", "4fc82b26aecb47d2", 8, "validation"),
        ("d", "18ac3e7343f01689", 9, "test"),
    ],
)
def test_hash_split_is_the_documented_sum(id: str, start: str, remainder: int, split: str) -> None:
    assert hashlib.sha256(id.encode()).hexdigest().startswith(start)
    assert int(start, 16) % 10 == remainder
    assert hash_split(id) == split


def test_hash_split_keeps_its_shares() -> None:
    found = [hash_split(f"document {number}") for number in range(5000)]
    # Expected 4000, 500, 500; three standard deviations of a share of 0.1 are 64.
    assert set(found) == set(HASHED_SPLITS)
    assert abs(found.count("train") - 4000) < 85
    assert abs(found.count("validation") - 500) < 64
    assert abs(found.count("test") - 500) < 64
