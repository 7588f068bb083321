"""Measures a piece of work on this machine: seconds and peak of memory, or the error."""

import time
from collections.abc import Callable
from typing import Any

import torch
from check_attention import DEVICE, timed

Row = dict[str, Any]


def measure(work: Callable[[], object], runs: int = 3) -> Row:
    """Run once to warm up, then several times; errors are returned.

    Returns: `seconds`, the best of the runs; on a GPU `mb`, the peak of tensors' memory, including
        what they held before, elsewhere `cpu_seconds`, the processor time of a run; or `error`.
    """
    try:
        work()
        if DEVICE == "cuda":
            torch.cuda.reset_peak_memory_stats()
        began = time.process_time()
        row: Row = {"seconds": timed(work, runs)}
    except Exception as error:
        lines = str(error).strip().splitlines() or [""]
        return {"error": f"{type(error).__name__}: {lines[0][:120]}"}
    if DEVICE == "cuda":
        return row | {"mb": torch.cuda.max_memory_allocated() / 2**20}
    return row | {"cpu_seconds": (time.process_time() - began) / runs}


class Clock:
    """Records when each step of generation ends."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def __call__(self) -> None:
        """Record the time, once the GPU is idle."""
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        self.times.append(time.perf_counter())
