"""Files of any kind are read block by block, and none blocks its reader."""

import os
import select
import time
from pathlib import Path
from threading import Thread, Timer

import pytest

from longsum.common.names import blocks


@pytest.mark.parametrize("polls", [True, False])
def test_a_file_comes_in_blocks(tmp_path, monkeypatch, polls) -> None:
    monkeypatch.setattr("longsum.common.names._BLOCK", 7)
    if not polls:
        monkeypatch.delattr(select, "poll")
    (tmp_path / "text").write_bytes(b"The sea is wide.")
    assert list(blocks(tmp_path / "text")) == [b"The sea", b" is wid", b"e."]


def test_a_pipe_that_nobody_writes_to_is_refused(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("longsum.common.names._PATIENCE", 0.1)
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(TimeoutError, match=r"nothing came from it for 0.1 seconds"):
        list(blocks(tmp_path / "fifo"))


def test_a_slow_writer_is_given_a_limited_time_in_all(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("longsum.common.names._PATIENCE", 0.2)
    os.mkfifo(tmp_path / "fifo")
    found = []
    with (tmp_path / "fifo").open("r+b", buffering=0) as writer:

        def write() -> None:
            for _ in range(8):
                time.sleep(0.05)
                writer.write(b"a")

        thread = Thread(target=write)
        thread.start()
        with pytest.raises(TimeoutError):
            found.extend(blocks(tmp_path / "fifo"))
        thread.join()
    assert 1 < len(found) < 8


def test_a_pipe_from_the_shell_may_deliver_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("longsum.common.names._PATIENCE", 0.0)
    monkeypatch.setattr("longsum.common.names._BLOCK", 9)
    ends = os.pipe()
    Timer(0.05, lambda: (os.write(ends[1], b"The sea is wide."), os.close(ends[1]))).start()
    assert b"".join(blocks(Path(f"/dev/fd/{ends[0]}"))) == b"The sea is wide."
    os.close(ends[0])
