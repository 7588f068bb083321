"""Keeps threads from spinning while they wait.

On a shared core, spinning takes time away from the very threads waited for, and everything becomes
many times slower. OpenMP's threads, which PyTorch uses, are made to sleep, which costs next to
nothing on an idle machine (`benchmarks/busy.py`); OpenMP reads the policy once, while PyTorch
loads. NumPy's cannot be told, so that small products get a single thread.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_POLICY, _PASSIVE = "OMP_WAIT_POLICY", "PASSIVE"
# Other variables that control waiting: of GNU's OpenMP, which PyTorch bundles on Linux, and of
# LLVM's and Intel's, which it bundles elsewhere. All three know the policy.
_OTHERS = ("GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY")


def wait_passively() -> None:
    """Make threads sleep while they wait, in this process and those that it starts.

    For programs; libraries use `waiting_passively`. It changes nothing if the user has set a
    policy, or if PyTorch is already loaded.
    """
    if _open():
        os.environ[_POLICY] = _PASSIVE


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
    said = any(name in os.environ for name in (_POLICY, *_OTHERS))
    return not said and "torch" not in sys.modules


class _SingleThread:
    """Limits NumPy to one thread while anybody asks for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._limit: Any = None

    @contextmanager
    def __call__(self) -> Iterator[None]:
        # Two who each set the limit and put back what they found would leave it behind.
        with self._lock:
            if not self._users:
                self._limit = _pools().limit(limits=1, user_api="blas")
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    self._limit.restore_original_limits()


single_thread = _SingleThread()
"""A context in which NumPy multiplies matrices in one thread, in all threads of the process.

The same bits come out on any number of cores. Products of some hundred rows take little longer on
an idle machine, and a quarter of the time beside other work (`benchmarks/speed.py --busy 2`).
"""


@cache
def _pools() -> "ThreadpoolController":
    import numpy  # noqa: F401  # only libraries that are loaded can be limited
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
