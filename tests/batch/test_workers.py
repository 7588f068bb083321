"""The driver of local processes, with threads instead of processes."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from threading import Thread
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from batch_runs import made
from longsum.batch import workers
from longsum.batch.corpora.corpus import Item
from longsum.batch.ledger import Ledger
from longsum.batch.plan import Block
from longsum.batch.settings import BatchSettings
from longsum.batch.workers import LocalEngine, serve_blocks
from longsum.common.errors import LongsumError, UnwritableError
from longsum.core.pipeline import SystemOptions

SETTINGS = BatchSettings(corpus=".", choice=SystemOptions(system="lead"), length="1s", form="jsonl")
Run = Callable[..., list[Any]]


class InThread(Thread):
    """A thread in place of a process; it ends when its connection does."""

    exitcode = 7
    made: ClassVar[list["InThread"]] = []

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...], daemon: bool) -> None:
        del daemon
        # As a process would, it has an end of its own.
        own = Connection(os.dup(args[0].fileno()))
        super().__init__(target=target, args=(own,), daemon=True)
        self.done: list[str] = []
        InThread.made.append(self)

    def kill(self) -> None:
        self.done.append("killed")

    def join(self, timeout: float | None = None) -> None:
        super().join(timeout)
        self.done.append("joined")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path) -> Run:
    """Return a function that runs an engine with given workers and returns its reports."""
    context = workers.multiprocessing.get_context("spawn")
    monkeypatch.setattr(context, "Process", InThread, raising=False)

    def run(
        serve: Callable[[Any], None], timeout: float, *blocks: str, count: int = 1
    ) -> list[Any]:
        planned = [
            Block(number, tuple(Item(name, (0,), 1) for name in names))
            for number, names in enumerate(blocks)
        ]

        def served(connection: Any) -> None:
            with connection, suppress(EOFError, OSError):
                serve(connection)

        ledger, reported = Ledger(tmp_path, "jsonl", "run"), list[Any]()
        engine = LocalEngine(ledger, SETTINGS, workers=count, timeout=timeout, serve=served)
        InThread.made.clear()
        engine.run(iter(planned), reported.append)
        assert {tuple(process.done[-2:]) for process in InThread.made} == {("killed", "joined")}
        return reported

    return run


def test_loading_may_take_longer_than_a_document(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    starts, waits = [], []
    monkeypatch.setattr(workers, "wait", lambda *args: (waits.append(1), wait(*args))[1])

    def serve(connection: Any) -> None:
        starts.append(1)
        # The first takes longer to load than the other takes to do all else.
        time.sleep(0.4 if len(starts) == 1 else 0)
        while True:
            block, *_ = connection.recv()
            connection.send(("at work", block.ids))
            # Each document has time of its own.
            time.sleep(0.1 * len(block.ids))
            connection.send(("done", block.number))

    assert sorted(run(serve, 0.2, "a", "b", "cef", "d", count=2)) == [0, 1, 2, 3]
    assert len(starts) == 2
    # Nor does the driver ask again and again meanwhile.
    assert len(waits) < 20


def test_an_error_of_a_process_is_raised_as_it_is(run: Run) -> None:
    def serve(connection: Any) -> None:
        connection.recv()
        connection.send(("stop", UnwritableError("The disk is full.")))

    with pytest.raises(UnwritableError, match="disk"):
        run(serve, 1.0, "a")


def test_cores_are_shared_by_processes_unless_the_user_has(run, monkeypatch) -> None:
    seen: list[str] = []
    start = InThread.start
    monkeypatch.setattr(
        InThread, "start", lambda self: (seen.append(os.environ["OMP_NUM_THREADS"]), start(self))
    )
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(7))

    def serve(connection: Any) -> None:
        while True:
            block, *_ = connection.recv()
            connection.send(("done", block.number))

    for own in ("5", None):
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        if own:
            monkeypatch.setenv("OMP_NUM_THREADS", own)
        assert sorted(run(serve, 1.0, "a", "b", "c", count=2)) == [0, 1, 2]
        assert os.environ.get("OMP_NUM_THREADS") == own
    assert seen == ["5", "5", "3", "3"]
    with workers.threads_for(8):
        assert os.environ["OMP_NUM_THREADS"] == "1"


def test_a_process_serves_blocks_until_the_driver_closes_or_ends(tmp_path, monkeypatch) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "Dams hold back the river. It floods."}')
    planned = made(tmp_path / "a.jsonl", tmp_path / "out")
    planned.begin()
    planned.ledger.open()
    block = next(planned.ledger.plan.blocks())
    with pytest.raises(ValueError, match="not the rows of block-000000"):
        planned.ledger.commit(block, [])
    asked: list[Any] = []
    kernel = SimpleNamespace(prctl=lambda *given: asked.append(given))
    monkeypatch.setattr(workers.ctypes, "CDLL", lambda _: kernel)
    monkeypatch.setattr(workers.signal, "signal", lambda *given: asked.append(given))

    def told(settings: BatchSettings) -> list[Any]:
        ours, theirs = workers.multiprocessing.Pipe()
        heard: list[Any] = []

        def drive() -> None:
            ours.send((block, frozenset(), {}))
            while not heard or heard[-1][0] == "at work":
                heard.append(ours.recv())
            ours.close()

        driver = Thread(target=drive)
        driver.start()
        serve_blocks(theirs, planned.ledger, settings)
        driver.join()
        return heard

    *at_work, done = told(planned.settings)
    assert at_work == [("at work", ids) for ids in (block.ids, block.ids, ())]
    assert done == ("done", planned.ledger.done(block))
    dies_with_its_parent = (1, signal.SIGKILL)
    assert asked == [(signal.SIGINT, signal.SIG_IGN), dies_with_its_parent]
    ((kind, error),) = told(replace(planned.settings, length="many"))
    assert (kind, type(error)) == ("stop", LongsumError)
    parents = iter([7, 1])
    monkeypatch.setattr(os, "getppid", lambda: next(parents))
    with pytest.raises(SystemExit):
        serve_blocks(workers.multiprocessing.Pipe()[1], planned.ledger, planned.settings)


def test_a_document_that_takes_too_long_or_ends_its_process_is_given_up(run: Run) -> None:
    handed = []

    def serve(connection: Any) -> None:
        while True:
            block, alone, given_up = connection.recv()
            handed.append((sorted(alone), {name: row.error for name, row in given_up.items()}))
            for group in [[name] for name in block.ids] if alone else [block.ids]:
                left = [name for name in group if name not in given_up]
                connection.send(("at work", tuple(left)))
                if "s" in left:
                    connection.recv()
                if "x" in left:
                    return
            connection.send(("done", block.number))

    assert run(serve, 0.1, "asx", "b") == [0, 1]
    everyone, late = ["a", "s", "x"], "It took longer than 0.1 seconds; raise --timeout."
    ended = "The process that worked on it ended with status 7, twice."
    assert handed == [
        ([], {}),
        *[(everyone, {})] * 2,
        *[(everyone, {"s": late})] * 2,
        (everyone, {"s": late, "x": ended}),
        ([], {}),
    ]


@pytest.mark.parametrize(
    ("code", "how"), [(-9, "by signal 9"), (3, "with status 3"), (None, "with status None")]
)
def test_the_end_of_a_process_is_described(code: int | None, how: str) -> None:
    process: Any = SimpleNamespace(exitcode=code, join=lambda _: None)
    assert workers.WorkerProcess(process, process).how_it_ended() == how
