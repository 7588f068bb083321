"""Time, memory and slope of every encoder attention, against Hugging Face's LED in the same run.

Run: python benchmarks/attention.py [--lengths N …] [--dtype float32 bfloat16] [--json FILE]

One layer's attention at large geometry (16 heads of 64), inputs already projected, no gradients,
settings of HEPOS §6 (window 256 and its equals) and the windows that LED uses. LED's figure is its
self-attention module less its three projections, timed apart. Each cell is a process of its own:
the median of several runs, and the growth of its resident memory over the inputs.
"""

import argparse
import json
import math
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

HEADS, SIZE, MOST = 16, 64, 32_768
KINDS = (
    "window 256", "window 1024", "window+global", "window+stride", "window+random",
    "adaptive span", "linformer", "lsh", "sinkhorn", "full", "LED window 256", "LED window 1024",
)  # fmt: skip


def main() -> None:
    """Print a table; with `--json FILE` write it as JSON as well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lengths", type=int, nargs="+", default=[1024, 4096, 16384])
    parser.add_argument("--dtype", nargs="+", default=["float32", "bfloat16"])
    parser.add_argument("--kinds", nargs="+", default=KINDS)
    parser.add_argument("--json", type=Path, help="file for the results")
    parser.add_argument("--cell", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.cell:
        print(json.dumps(cell(options.cell[0], int(options.cell[1]), options.cell[2])))
        return
    rows = []
    for dtype in options.dtype:
        print(f"\n{dtype}: ms (MB) at {', '.join(map(str, options.lengths))} tokens; slope")
        for kind in options.kinds:
            cells = [run(kind, tokens, dtype) for tokens in options.lengths]
            rows.append({"kind": kind, "dtype": dtype, "cells": cells})
            shown = "".join(f"{c['ms']:>10.1f} ({c['mb']:>5.0f})" for c in cells)
            print(f"{kind:<18}{shown}   {slope(options.lengths, cells):>5.2f}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def run(kind: str, tokens: int, dtype: str) -> dict[str, float]:
    """Measure one cell in a process of its own."""
    command = [sys.executable, __file__, "--cell", kind, str(tokens), dtype]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def slope(lengths: list[int], cells: list[dict[str, float]]) -> float:
    """Return the exponent by which time grows with length between the two longest."""
    if len(lengths) < 2:
        return math.nan
    return math.log(cells[-1]["ms"] / cells[-2]["ms"]) / math.log(lengths[-1] / lengths[-2])


def cell(kind: str, tokens: int, dtype: str) -> dict[str, float]:
    """Measure here."""
    import torch

    torch.manual_seed(0)
    precision = getattr(torch, dtype)
    before, call, overhead = (led if kind.startswith("LED") else ours)(kind, tokens, precision)
    with torch.no_grad():
        call()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
        seconds = median(call) - (median(overhead) if overhead else 0.0)
    return {"ms": 1000 * seconds, "mb": grown}


def median(call: Callable[[], object], runs: int = 3) -> float:
    """Return the median time of several runs."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def ours(kind: str, tokens: int, dtype: "object") -> tuple[float, Callable[[], object], None]:
    """Set up one of longsum's attentions."""
    import torch

    from longsum.attention.adaptive_span import AdaptiveSpanAttention
    from longsum.attention.encoder import PatternAttention
    from longsum.attention.linformer import LinformerAttention
    from longsum.attention.lsh import LshAttention
    from longsum.attention.patterns import Full, GlobalTokens, RandomBlocks, Stride, Window
    from longsum.attention.sinkhorn import SinkhornAttention

    modules = {
        "window 256": lambda: PatternAttention(Window(256)),
        "window 1024": lambda: PatternAttention(Window(1024)),
        "window+global": lambda: PatternAttention(Window(256) | GlobalTokens(128)),
        "window+stride": lambda: PatternAttention(Window(256) | Stride(max(tokens // 128, 1))),
        "window+random": lambda: PatternAttention(Window(256) | RandomBlocks(128)),
        "adaptive span": lambda: AdaptiveSpanAttention(HEADS, 256, parametrization="sigmoid"),
        "linformer": lambda: LinformerAttention(MOST, 256).to(dtype),
        "lsh": lambda: LshAttention(SIZE, MOST, chunk=64, rounds=4),
        "sinkhorn": lambda: SinkhornAttention(HEADS, SIZE, MOST, 128),
        "full": lambda: PatternAttention(Full()),
    }
    module = modules[kind]()
    query, key, value = (torch.randn(1, HEADS, tokens, SIZE).to(dtype) for _ in range(3))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return before, lambda: module(query, key, value), None


def led(kind: str, tokens: int, dtype: "object") -> tuple[float, Callable[[], object], object]:
    """Set up LED's self-attention module, and its projections apart."""
    import torch
    from transformers import LEDConfig
    from transformers.models.led.modeling_led import LEDEncoderSelfAttention

    window = int(kind.split()[-1])
    config = LEDConfig(
        d_model=HEADS * SIZE, encoder_attention_heads=HEADS, attention_window=[window]
    )
    module = LEDEncoderSelfAttention(config, 0).to(dtype).eval()
    # LED wants whole windows; it pads to them itself in its encoder.
    states = torch.randn(1, -(-tokens // window) * window, HEADS * SIZE).to(dtype)
    mask = torch.zeros(states.shape[:2], dtype=dtype)
    nowhere = torch.zeros(states.shape[:2], dtype=torch.bool)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    def call() -> object:
        return module(
            states,
            attention_mask=mask,
            is_index_masked=nowhere,
            is_index_global_attn=nowhere,
            is_global_attn=False,
        )

    return before, call, lambda: [f(states) for f in (module.query, module.key, module.value)]


if __name__ == "__main__":
    main()
