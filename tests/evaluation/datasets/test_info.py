import hashlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.documents import Document
from longsum.evaluation.datasets import Example
from longsum.evaluation.datasets.info import (
    DatasetInfo,
    canonical_split,
    hash_split,
    may_ship,
    split_names,
)

_INFO = DatasetInfo("a", "", "", "per record", "")
_CC = "http://creativecommons.org/licenses/"
_EXAMPLE = Example("1", Document("", "", ()), ("s",), "train", "", {})


_FREE = ["cc-by-4.0", "cc-by", "cc-cc-by-4.0", "cc-zero-1.0", "public-domain", f"{_CC}by/4.0/"]
_FREE += ["cc0", "CC0-1.0 ", "https://creativecommons.org/publicdomain/zero/1.0"]
_OTHERS = [
    *("cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-sa-3.0", "cc-by-sa-4.0", f"{_CC}by-nc-sa/4.0/", ""),
    "cc-by-n-4.0",  # as one record has it; which licence it means cannot be told
]


@pytest.mark.parametrize("license", [*_FREE, *_OTHERS])
def test_only_free_licences_may_ship(license: str) -> None:
    example = replace(_EXAMPLE, license=license)
    assert may_ship(_INFO, example) is (license in _FREE)
    # Where the set has one licence, it decides.
    for ships in (True, False):
        assert may_ship(replace(_INFO, ships=ships), example) is ships


@pytest.mark.parametrize(
    ("split", "names"),
    [
        ("train", ("train", "training", "us_train")),
        ("validation", ("validation", "val", "valid", "dev")),
        ("test", ("test", "us_test")),
        ("examples", ("examples", "example")),
        ("other", ("other",)),
    ],
)
def test_splits_have_aliases(split: str, names: tuple[str, ...]) -> None:
    assert split_names(split) == names
    assert {canonical_split(name) for name in names} == {split}


@given(st.text())
def test_a_split_is_found_under_its_own_name(name: str) -> None:
    assert canonical_split(name) in split_names(canonical_split(name))


@pytest.mark.parametrize(
    ("id", "start", "remainder", "split"),
    [
        # First 16 hex digits of the SHA-256 of the id; read as a number, modulo 10.
        ("b", "3e23e8160039594a", 6, "train"),
        ("h", "aaa9402664f1a41f", 7, "train"),
        ("11", "4fc82b26aecb47d2", 8, "validation"),
        ("d", "18ac3e7343f01689", 9, "test"),
    ],
)
def test_hash_split_is_the_documented_sum(id: str, start: str, remainder: int, split: str) -> None:
    assert hashlib.sha256(id.encode()).hexdigest().startswith(start)
    assert int(start, 16) % 10 == remainder
    assert hash_split(id) == split
    # With other shares these bound the remainder: 0 to 1 of 4, 2 and 3.
    place = int(start, 16) % 4
    assert hash_split(id, (2, 1, 1)) == ("train", "train", "validation", "test")[place]
