"""Documents that crash processes are retried alone, then abandoned."""

import faulthandler
import json
import os
import re
import signal

import pytest

from batch_runs import TEXT, Here, made, nobody
from longsum.batch.corpora.corpus import Item
from longsum.batch.ledger import Ledger
from longsum.batch.plan import Block
from longsum.batch.settings import BatchSettings
from longsum.batch.trial import TRIES, Trial, check_timeout, journal
from longsum.common.errors import LongsumError

BLOCK = Block(0, tuple(Item(name, (0,), 1) for name in "abc"))


@pytest.mark.parametrize("seconds", [0.0, -1.0, 10**6 + 1, float("nan"), float("inf")])
def test_a_time_that_no_timer_can_be_set_to_is_refused(seconds: float) -> None:
    with pytest.raises(
        LongsumError,
        match=re.escape(
            f"{seconds:g} seconds is impossible; give more than 0 and at most 1,000,000"
        ),
    ):
        check_timeout(seconds)
    for possible in (0.001, 10**6):
        check_timeout(possible)


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
    with pytest.raises(LongsumError, match="kept ending"):
        trial.blame((), "crash", "It ended.")


def test_a_journal_records_where_the_last_process_ended(tmp_path, monkeypatch) -> None:
    late = []
    ends = []

    def later(*given, **how) -> None:
        late.append((*given, how))
        ends.append(given)

    monkeypatch.setattr(faulthandler, "dump_traceback_later", later)
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", ends.clear)
    path = tmp_path / "block.journal"
    # Attempts that ended at no document, as often as they like, are laid to none.
    path.write_bytes(b"null\n" * 9 + b'7\n["x", 3]\n[[]]\n{"a": 1}\n\xff\n')
    seen = []
    for at_work in (["a", "b"], ["b"], ["b"]):
        # The process ends within the context, which so never closes.
        tried = journal(path, BLOCK, 9)
        trial, announce = tried.__enter__()
        seen.append((sorted(trial.alone), sorted(trial.given_up)))
        announce(["c"])
        announce([])
        assert ends == []
        announce(at_work)
    with path.open("a") as file:
        file.write('["c')
    with journal(path, BLOCK, 9) as (trial, announce):
        assert sorted(trial.given_up) == ["b"]
        assert "c" not in trial.alone
        announce(["a"])
    assert seen == [([], []), (["a", "b"], []), (["a", "b"], [])]
    assert [seconds for seconds, _ in late] == [9, 18, 9, 9, 9, 9, 9]
    assert all(how["exit"] and how["file"].name == str(path) for _, how in late)
    assert not path.exists()


def test_a_process_ends_itself_at_a_document_that_takes_too_long(tmp_path) -> None:
    path = tmp_path / "block.journal"
    for _ in range(TRIES):
        child = os.fork()
        if not child:
            signal.alarm(20)
            with journal(path, BLOCK, 0.05) as (_, announce):
                announce(["b"])
                # Holds the interpreter, so that none of its threads could end the process.
                re.match("(a+)+$", "a" * 40 + "b")
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    with journal(path, BLOCK, 0.05) as (trial, _):
        assert trial.given_up["b"].error_type == "timeout"
        assert "longer than 0.05 seconds" in trial.given_up["b"].error


def test_ends_of_the_driver_are_laid_to_no_document(tmp_path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": TEXT}))
    run = made(tmp_path / "a.jsonl", tmp_path / "out")
    run.begin()
    run.ledger.open()
    path = run.ledger.journal_file(next(run.ledger.plan.blocks()))
    path.write_text('null\n["line-1"]\n' * TRIES)

    def engine(ledger: Ledger, settings: BatchSettings) -> Here:
        assert not path.exists()
        return Here(ledger, settings)

    run.resume(engine, nobody)
