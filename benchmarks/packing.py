"""What packing the weights of a decoder gains, and what it costs: products of a few rows alone.

Run: python benchmarks/packing.py [--rows N …] [--dtype …] [--repeat N]

For each shape of BART-large's decoder, more weights than any cache holds are multiplied by a few
rows, plain and packed in turns, on one thread. The table has the rate at which they are read each
way, by the median of processor time, which other programs affect least; how many products pay for
packing and unpacking a weight; and the largest difference between the two.
"""

import argparse
import math
import statistics
import time
from collections.abc import Sequence
from typing import Any

SHAPES = ((1024, 1024), (4096, 1024), (1024, 4096), (50265, 1024))
# Numbers read of each shape: far more than a processor's caches hold.
NUMBERS = 40_000_000


def main(arguments: list[str] | None = None) -> None:
    """Print a line for each shape, type and number of rows."""
    import torch

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, nargs="+", default=[1, 4, 8])
    parser.add_argument("--dtype", nargs="+", default=["float32", "bfloat16"])
    parser.add_argument("--repeat", type=int, default=9)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    print(f"{'':<26}rows  plain GB/s  packed GB/s  times  products  difference")
    with torch.inference_mode():
        for dtype in options.dtype:
            for shape in SHAPES:
                _show(getattr(torch, dtype), shape, options)


def _show(dtype: Any, shape: tuple[int, int], options: argparse.Namespace) -> None:
    import torch
    from torch import nn

    from longsum.models.attention.packed_layers import PackedLinear

    plain = [
        nn.Linear(shape[1], shape[0], dtype=dtype)
        for _ in range(1 + NUMBERS // (shape[0] * shape[1]))
    ]
    began = time.thread_time()
    packed = [PackedLinear(layer, 4) for layer in plain]
    for layer in packed:
        layer.unpacked()
    cost = time.thread_time() - began
    size = sum(layer.weight.nbytes for layer in plain)
    ways: tuple[Sequence[Any], ...] = (plain, packed)
    for rows in options.rows:
        states = torch.randn(rows, 1, shape[1]).to(dtype)
        times: list[list[float]] = [[], []]
        for _ in range(options.repeat):
            for layers, found in zip(ways, times, strict=True):
                found.append(_timed(layers, states))
        slow, fast = map(statistics.median, times)
        difference = float((plain[0](states) - packed[0](states)).abs().max())
        pays = cost / (slow - fast) if slow > fast else math.nan
        name = f"{dtype} {shape}".removeprefix("torch.")
        print(
            f"{name:<26}{rows:>4}{size / slow / 1e9:>12.1f}{size / fast / 1e9:>13.1f}"
            f"{slow / fast:>7.2f}{pays:>10.0f}{difference:>12.1e}",
            flush=True,
        )


def _timed(layers: Sequence[Any], states: Any) -> float:
    began = time.thread_time()
    for layer in layers:
        layer(states)
    return time.thread_time() - began


if __name__ == "__main__":
    main()
