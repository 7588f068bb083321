"""Names of splits, and hashed splits for sets without any."""

import hashlib
from bisect import bisect
from itertools import accumulate

_NAMES = {
    "train": ("train", "training", "us_train"),
    "validation": ("validation", "val", "valid", "dev"),
    "test": ("test", "us_test"),
    "examples": ("examples", "example"),
}
HASHED_SPLITS = ("train", "validation", "test")
"""The splits that `hash_split` makes."""


def canonical_split(name: str) -> str:
    """Return the name that longsum uses: `val`, `valid` and `dev` mean `validation`.

    An unknown name is returned unchanged.
    """
    for canonical, names in _NAMES.items():
        if name in names:
            return canonical
    return name


def split_names(split: str) -> tuple[str, ...]:
    """Return the names that releases use for a canonical split."""
    return _NAMES.get(split, (split,))


def hash_split(id: str, shares: tuple[int, int, int] = (8, 1, 1)) -> str:
    """Return the split of an example in a set that was published without splits: 80 : 10 : 10.

    The first eight bytes of the SHA-256 of the id in UTF-8, read as a big-endian number, modulo 10:
    0 to 7 is `train`, 8 is `validation`, 9 is `test`. It depends only on the id, so it is stable
    when the set grows.

    Args:
        id: The example's identifier.
        shares: Other shares of the three splits, whose sum is then the modulus.
    """
    number = int.from_bytes(hashlib.sha256(id.encode()).digest()[:8], "big") % sum(shares)
    return HASHED_SPLITS[bisect(list(accumulate(shares)), number)]
