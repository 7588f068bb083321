"""Makes PyTorch's threads sleep while they wait, instead of spinning.

OpenMP threads spin while they wait for the next parallel region. On a shared core, spinning takes
time away from the very threads waited for, and everything becomes many times slower. Sleeping
threads free the core; on an idle machine that costs next to nothing (`benchmarks/busy.py`). OpenMP
reads the policy once, while PyTorch loads.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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
