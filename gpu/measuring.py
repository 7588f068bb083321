"""What is measured of a piece of work on this machine: seconds and peak of memory, or why not."""

import time
from collections.abc import Callable
from typing import Any

import torch
from check_attention import DEVICE, timed

Row = dict[str, Any]


def measure(work: Callable[[], object], runs: int = 3) -> Row:
    """Run once to warm up, then some times; what raises is told.

    Returns:
        `seconds`, the best of the runs; on a GPU `mb`, the peak of what tensors held, whatever they
        held before included, elsewhere `cpu_seconds`, the processor time of a run; or `error`.
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
    """Notes when each step of writing ends."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def __call__(self) -> None:
        """Note the time, once the GPU has done what it was given."""
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        self.times.append(time.perf_counter())
