"""Documents at which processes end: tried alone, then given up."""

from pathlib import Path

import pytest

from longsum.batch.corpus import Item
from longsum.batch.plan import Block
from longsum.batch.trial import TRIES, Trial, journal
from longsum.errors import LongsumError

BLOCK = Block(0, tuple(Item(name, (0,), 1) for name in "abc"))


def test_a_group_is_taken_apart_before_anybody_is_given_up() -> None:
    trial = Trial(BLOCK)
    for _ in range(5):
        trial.blame(("a", "b"), "crash", "It ended.")
    assert trial.alone == {"a", "b"}
    assert not trial.given_up
    for _ in range(TRIES):
        assert "b" not in trial.given_up
        trial.blame(("b",), "crash", "It ended.")
    assert trial.given_up["b"].error_type == "crash"
    assert "a" not in trial.given_up


def test_ends_at_no_document_are_no_endless_loop() -> None:
    trial = Trial(BLOCK)
    for _ in range(5):
        trial.blame((), "crash", "It ended.")
    with pytest.raises(LongsumError, match="again and again"):
        trial.blame((), "crash", "It ended.")


def test_a_journal_tells_the_next_process_what_the_last_ended_at(tmp_path: Path) -> None:
    path = tmp_path / "block.journal"
    seen = []
    for at_work in (["a", "b"], ["b"], ["b"]):
        # The process ends within the context, which so never closes.
        tried = journal(path, BLOCK)
        trial, announce = tried.__enter__()
        seen.append((sorted(trial.alone), sorted(trial.given_up)))
        announce(["c"])
        announce([])
        announce(at_work)
    with path.open("a") as file:
        file.write('["c')
    with journal(path, BLOCK) as (trial, announce):
        assert sorted(trial.given_up) == ["b"]
        assert "c" not in trial.alone
        announce(["a"])
    assert seen == [([], []), (["a", "b"], []), (["a", "b"], [])]
    assert not path.exists()
