"""Info files: nodes, menus, indexes, cross-references."""

import pytest

from linear_time import assert_linear
from longsum.documents.readers.plain.info_files import as_info


def test_other_texts_are_none():
    assert as_info("A text.\x1fFile: none") is None
    assert as_info("File: a.info,  Node: Top\n\nText.") is None


@pytest.mark.parametrize(
    "unit", ["x", " ", "*note ", "*note a:" + " " * 90, "see *note a: (b)c ", "-\n"]
)
def test_in_linear_time(unit: str) -> None:
    node = "\x1f\nFile: a.info,  Node: Top,  Up: (dir)\n\n"
    assert_linear(lambda size: as_info(node + unit * size), 10_000)
