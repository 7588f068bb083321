"""How PyTorch's threads wait for each other: asleep, and not turning on a core.

OpenMP's threads wait for the next product in a loop, so as to be quick at it. On a core that others
use too, the loop takes turns away from whoever is waited for, and all is many times slower. Whoever
sleeps instead gives the core free; on a quiet machine that costs next to nothing
(`benchmarks/busy.py`). OpenMP reads the policy once, while PyTorch loads.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_POLICY, _PASSIVE = "OMP_WAIT_POLICY", "PASSIVE"
# What else says how threads wait: to GNU's OpenMP, which PyTorch brings on Linux, and to LLVM's and
# Intel's, which it brings elsewhere. All three know the policy.
_OTHERS = ("GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY")


def wait_passively() -> None:
    """Let threads sleep while they wait, in this process and those that it starts.

    For a program of its own; a library takes `waiting_passively`. It changes nothing where the user
    has said how threads wait, or where PyTorch is loaded already.
    """
    if _open():
        os.environ[_POLICY] = _PASSIVE


@contextmanager
def waiting_passively() -> Iterator[None]:
    """Let threads sleep while they wait if PyTorch is loaded in this context.

    The environment is afterwards as it was, so that a host program and what it starts are left
    alone. It changes nothing where `wait_passively` would not.
    """
    if not _open():
        yield
        return
    os.environ[_POLICY] = _PASSIVE
    try:
        yield
        if "torch" in sys.modules:
            # LLVM's OpenMP reads the policy not while it loads, but when it is first asked.
            sys.modules["torch"].get_num_threads()
    finally:
        del os.environ[_POLICY]


def _open() -> bool:
    """Return whether it can and may still be said how threads wait."""
    said = any(name in os.environ for name in (_POLICY, *_OTHERS))
    return not said and "torch" not in sys.modules
