"""Messages: what they cut, quote, count and suggest; and names that may be files."""

import numpy as np
import pytest

from longsum.common.names import MAX_SEED, is_file, path_exists
from longsum.common.wording import choose_from, counted, did_you_mean, quote, shorten


def test_long_texts_are_cut() -> None:
    assert shorten("a" * 88) == "a" * 88
    assert shorten("a" * 89) == "a" * 87 + "…"
    assert shorten("one two", 5) == "one…"
    assert quote("a\n" * 40) == repr("a\n" * 29 + "a…")
    assert quote("a" * 60) == repr("a" * 60)


@pytest.mark.parametrize(
    ("number", "said"), [(1, "1 word"), (0, "0 words"), (1234.5, "1,234 words"), (1.0, "1 word")]
)
def test_one_is_counted_in_the_singular(number: float, said: str) -> None:
    assert counted(number, "word") == said


def test_the_closest_name_is_suggested() -> None:
    known = ["Lead", "graph", "graphic"]
    assert choose_from("LEDA", iter(known)) == (
        "choose from Lead, graph, graphic. Did you mean 'Lead'?"
    )
    assert did_you_mean("LEDA", known) == " Did you mean 'Lead'?"
    assert did_you_mean("graphs", known) == " Did you mean 'graph'?"
    assert did_you_mean("kernels", known) == ""
    # Of a document that is given by mistake only the beginning is compared.
    assert did_you_mean("a" * 80 + "b" * 1000, ["a" * 80]) == f" Did you mean '{'a' * 80}'?"


def test_impossible_names_are_those_of_no_file(tmp_path) -> None:
    (tmp_path / "file").touch()
    names = ["file", "", "none", "a" * 5000, "\0"]
    found = [(path_exists(f"{tmp_path}/{name}"), is_file(f"{tmp_path}/{name}")) for name in names]
    assert found == [(True, True), (True, False), *[(False, False)] * 3]


def test_the_largest_seed_is_the_largest_that_numpy_takes() -> None:
    np.random.RandomState(MAX_SEED)
    with pytest.raises(ValueError, match="between 0 and"):
        np.random.RandomState(MAX_SEED + 1)
