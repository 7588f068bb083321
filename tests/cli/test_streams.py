"""Files that appear whole or not at all."""

import pytest

from longsum import LongsumError
from longsum.cli.streams import write_file, write_result


def test_a_file_is_replaced_and_nothing_else_left(tmp_path):
    path = tmp_path / "picture.png"
    write_result("an old “text”\n", path)
    assert path.read_text(encoding="utf-8") == "an old “text”\n"
    write_file(b"\x89PNG\r\n\xff", path)
    assert path.read_bytes() == b"\x89PNG\r\n\xff"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written(tmp_path):
    with pytest.raises(LongsumError, match="cannot be written"):
        write_file(b"x", tmp_path / "nowhere" / "picture.png")
