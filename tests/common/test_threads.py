"""OpenMP is told how threads wait before PyTorch loads, and never against the user's setting."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, get_ident
from types import SimpleNamespace

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from longsum.common import threads
from longsum.common.threads import (
    limit_blas_threads,
    side_by_side,
    single_thread,
    threads_at_hand,
    wait_passively,
    waiting_passively,
)

NUMBER = "OPENBLAS_NUM_THREADS"
SAID = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY")


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Pretend that PyTorch is not loaded and that no thread settings exist."""
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    for name in SAID:
        monkeypatch.delenv(name, raising=False)
    # So that what the test itself sets is taken away after it.
    monkeypatch.setattr(os, "environ", dict(os.environ))
    return monkeypatch


@pytest.mark.usefixtures("unloaded")
def test_a_library_leaves_the_environment_as_it_was_and_a_program_does_not() -> None:
    before = dict(os.environ)
    with waiting_passively():
        assert os.environ == {**before, "OMP_WAIT_POLICY": "PASSIVE"}
    assert os.environ == before
    with pytest.raises(ValueError, match="torn"), waiting_passively():
        raise ValueError("torn")
    assert os.environ == before
    wait_passively()
    assert os.environ == {**before, "OMP_WAIT_POLICY": "PASSIVE"}


@pytest.mark.usefixtures("unloaded")
@pytest.mark.parametrize("name", SAID)
def test_a_setting_of_the_user_is_kept(name: str) -> None:
    os.environ[name] = "7"
    before = dict(os.environ)
    wait_passively()
    assert os.environ == before
    with waiting_passively():
        assert os.environ == before
    assert os.environ == before


def test_once_torch_is_loaded_there_is_nothing_to_say(unloaded: pytest.MonkeyPatch) -> None:
    unloaded.setitem(sys.modules, "torch", object())
    before = dict(os.environ)
    wait_passively()
    with waiting_passively():
        assert os.environ == before
    assert os.environ == before


def test_torch_that_is_loaded_meanwhile_reads_the_policy(unloaded: pytest.MonkeyPatch) -> None:
    seen = []
    torch = SimpleNamespace(get_num_threads=lambda: seen.append(os.environ["OMP_WAIT_POLICY"]))
    with waiting_passively():
        unloaded.setitem(sys.modules, "torch", torch)
    assert seen == ["PASSIVE"]


@pytest.mark.parametrize(
    ("asked", "cores", "at_hand"),
    [("3", 5, 3), ("1", 5, 1), ("0", 5, 5), ("", 5, 5), ("", None, 1), ("many", 5, 5)],
)
def test_threads_are_as_many_as_requested_or_as_cores(monkeypatch, asked, cores, at_hand) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(cores or 1))
    assert threads_at_hand() == at_hand
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert threads_at_hand() == at_hand


PROGRAM = """
import os, sys
{host}
import longsum
assert "torch" not in sys.modules or {loaded}
before = dict(os.environ)
longsum.load_system("{system}", runtime="torch")
assert dict(os.environ) == before
"""


def spins(system: str, host: str = "", **said: str) -> list[str]:
    """Return how OpenMP in a host program waits after a system is loaded."""
    environment = {name: value for name, value in os.environ.items() if name not in SAID}
    program = PROGRAM.format(host=host, loaded=bool(host), system=system)
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment | {"OMP_DISPLAY_ENV": "verbose"} | said,
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.split("=")[1].strip(" '") for line in done.stderr.splitlines() if "SPIN" in line]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="PyTorch brings GNU's OpenMP on Linux alone")
class TestOpenMp:
    """The settings that OpenMP itself read, in a separate process."""

    def test_idle_threads_sleep_if_longsum_loads_torch(self) -> None:
        assert {*spins("stepwise")} == {"0"}

    def test_a_setting_of_the_user_has_priority(self) -> None:
        assert {*spins("stepwise", GOMP_SPINCOUNT="123")} == {"123"}

    def test_a_host_that_loaded_torch_keeps_its_own(self) -> None:
        assert "0" not in spins("stepwise", host="import torch")


def test_a_limit_that_several_ask_for_is_lifted_when_the_last_is_done(monkeypatch) -> None:
    done: list[object] = []
    limit = SimpleNamespace(restore_original_limits=lambda: done.append("lifted"))
    pools = SimpleNamespace(limit=lambda **asked: done.append(asked) or limit)
    freed = SimpleNamespace(clear_controlling_thread=lambda force: done.append(force))
    monkeypatch.setattr(threads, "_pools", lambda: (pools, False))
    monkeypatch.setattr("threadpoolctl.OpenBLASController", freed)
    once = [True, {"limits": 1, "user_api": "blas"}, True, "lifted"]
    for times in (1, 2):
        with single_thread():
            with pytest.raises(ValueError, match="torn"), single_thread():
                raise ValueError("torn")
            assert done == once * (times - 1) + once[:2]
        assert done == once * times


def _numpy_threads() -> set[int]:
    np.ones((2, 2)) @ np.ones((2, 2))
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_threads_that_ask_for_a_limit_together_leave_none_behind() -> None:
    before, meeting = _numpy_threads(), Barrier(3)

    def limited(last: bool) -> set[int]:
        with single_thread():
            meeting.wait()
            if last:
                # The others have left by now, or leave the limit to this one.
                return _numpy_threads()
        return {1}

    for _ in range(20):
        with ThreadPoolExecutor(3) as pool:
            assert set.union(*pool.map(limited, [False, False, True])) == {1}
        assert _numpy_threads() == before


@pytest.mark.parametrize(
    ("machine", "given", "said"),
    [
        ("x86_64", {}, "1"),
        ("AMD64", {}, "1"),
        ("aarch64", {}, None),
        ("x86_64", {NUMBER: "4"}, "4"),
    ],
)
def test_blas_threads_are_limited_unless_torch_or_the_user_sets_them(
    unloaded, machine, given, said
) -> None:
    os.environ.pop(NUMBER, None)
    os.environ |= given
    unloaded.setattr("platform.machine", lambda: machine)
    limit_blas_threads()
    # NumPy is loaded: it has its threads.
    assert os.environ.get(NUMBER) == given.get(NUMBER)
    unloaded.delitem(sys.modules, "numpy")
    limit_blas_threads()
    assert os.environ.get(NUMBER) == said


def test_results_computed_in_parallel_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_pools", lambda: (None, True))
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    meeting = Barrier(2)

    def met(number: int) -> tuple[int, int]:
        # Breaks unless two are at work at the same time.
        meeting.wait(10)
        return number, get_ident()

    found = list(side_by_side(met, range(2)))
    assert [number for number, _ in found] == [0, 1]
    assert get_ident() not in {thread for _, thread in found}


@pytest.mark.parametrize(
    ("alone", "asked", "items"), [(False, "2", 3), (True, "1", 3), (True, "2", 1)]
)
def test_items_run_one_at_a_time_if_threads_would_disturb_each_other(
    monkeypatch, alone, asked, items
) -> None:
    monkeypatch.setattr(threads, "_pools", lambda: (None, alone))
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    assert set(side_by_side(lambda _: get_ident(), range(items))) == {get_ident()}


def test_an_error_in_parallel_work_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_pools", lambda: (None, True))
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    results = side_by_side(lambda number: 6 // number, [2, 1, 0, 3])
    assert [next(results), next(results)] == [3, 6]
    with pytest.raises(ZeroDivisionError):
        next(results)
