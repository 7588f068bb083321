"""How many threads compute, and how they wait: asleep, without taking time from others.

On a shared core, spinning takes time away from the very threads waited for, and everything becomes
many times slower. OpenMP's threads, which PyTorch uses, are made to sleep, which costs next to
nothing on an idle machine (`benchmarks/busy.py`); OpenMP reads the policy once, while PyTorch
loads. NumPy's cannot be told, so that small products get a single thread; a program has no others
(`limit_blas_threads`), and then computes many such products side by side (`side_by_side`).
"""

import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

T = TypeVar("T")
R = TypeVar("R")

_POLICY, _PASSIVE = "OMP_WAIT_POLICY", "PASSIVE"
# Other variables that control waiting: of GNU's OpenMP, which PyTorch bundles on Linux, and of
# LLVM's and Intel's, which it bundles elsewhere. All three know the policy.
_OTHERS = ("GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY")
_OPENBLAS = "OPENBLAS_NUM_THREADS"


def wait_passively() -> None:
    """Make threads sleep while they wait, in this process and those that it starts.

    For programs; libraries use `waiting_passively`. It changes nothing if the user has set a
    policy, or if PyTorch is already loaded.
    """
    if _open():
        os.environ[_POLICY] = _PASSIVE


def limit_blas_threads() -> None:
    """Let NumPy multiply in one thread, in this process and those that it starts.

    For programs. Even if OpenBLAS is limited to one of its threads, the others disturb those of the
    program: two that read parts of a book take twice as long as one, but two thirds of its time if
    there are no others. It changes nothing if the user has set a number, if NumPy is already
    loaded, or on ARM, where PyTorch also multiplies with OpenBLAS.
    """
    if "numpy" not in sys.modules and platform.machine().lower() in ("x86_64", "amd64"):
        os.environ.setdefault(_OPENBLAS, "1")


@contextmanager
def waiting_passively() -> Iterator[None]:
    """Make threads sleep while they wait if PyTorch is loaded in this context.

    The environment is restored afterwards, so that a host program and its processes are unaffected.
    It changes nothing where `wait_passively` would not.
    """
    if not _open():
        yield
        return
    os.environ[_POLICY] = _PASSIVE
    try:
        yield
        if "torch" in sys.modules:
            # LLVM's OpenMP reads the policy on first use, not while it loads.
            sys.modules["torch"].get_num_threads()
    finally:
        del os.environ[_POLICY]


def _open() -> bool:
    """Return whether the policy can still be set, and the user has not set one."""
    is_set = any(name in os.environ for name in (_POLICY, *_OTHERS))
    return not is_set and "torch" not in sys.modules


class _SingleThread:
    """Limits NumPy to one thread while any caller needs it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._limit: Any = None

    @contextmanager
    def __call__(self) -> Iterator[None]:
        # Two callers that each set and restored the limit would leave it behind.
        with self._lock:
            if not self._users:
                _let_any_thread_limit()
                self._limit = _pools()[0].limit(limits=1, user_api="blas")
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    _let_any_thread_limit()
                    self._limit.restore_original_limits()


def _let_any_thread_limit() -> None:
    """Revoke the first thread's exclusive right to set limits.

    Since version 3.8, threadpoolctl grants that right.
    """
    from threadpoolctl import OpenBLASController

    if hasattr(OpenBLASController, "clear_controlling_thread"):
        OpenBLASController.clear_controlling_thread(force=True)


single_thread = _SingleThread()
"""A context in which NumPy multiplies matrices in one thread, in all threads of the process.

The same bits come out on any number of cores. Products of some hundred rows take little longer on
an idle machine, and a quarter of the time beside other work (`benchmarks/speed.py --busy 2`).
"""


def threads_at_hand() -> int:
    """Return how many threads to compute with: `OMP_NUM_THREADS`, or one per available core."""
    stated = os.environ.get("OMP_NUM_THREADS", "")
    return int(stated) if stated.isdecimal() and int(stated) > 0 else cores()


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def side_by_side(function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """Yield a function's result for each item, in order.

    Uses all available threads if NumPy has only one (`limit_blas_threads`).
    """
    each = list(items)
    if len(each) < 2 or threads_at_hand() == 1 or not _pools()[1]:
        yield from map(function, each)
        return
    with ThreadPoolExecutor(threads_at_hand()) as pool:
        yield from pool.map(function, each)


@cache
def _pools() -> tuple["ThreadpoolController", bool]:
    """Return NumPy's thread controller, and whether it has only one thread without any limit."""
    import numpy  # noqa: F401  # only libraries that are loaded can be limited
    from threadpoolctl import ThreadpoolController

    controller = ThreadpoolController().select(user_api="blas")
    return controller, all(pool["num_threads"] == 1 for pool in controller.info())
