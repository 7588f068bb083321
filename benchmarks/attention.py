"""Time, memory and slope of every attention, against Hugging Face's LED in the same run.

Run: python benchmarks/attention.py [--lengths N …] [--dtype float32 bfloat16] [--json FILE]

One layer's attention at large geometry (16 heads of 64), with inputs already projected and laid out
as in the model (heads side by side: `split_heads`), without gradients, with the settings of HEPOS
§6 (window 256 and its equals) and the windows that LED uses. LED's figure is its self-attention
module less its three projections, which are timed separately. At each length and type all take
turns, each in a process of its own: the median time of several runs, and the peak of memory above
the inputs. The slope is the exponent of the length that fits the times best. A cross-attention's
time is that of one step of four beams; its sizes are those of its cache, of the operations that
project the source, and of its scores.
"""

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workers import Subject, Summary, exponent, finish, take_turns, working

HEADS, SIZE, MOST = 16, 64, 32_768
BEAMS, STRIDE = 4, 4
KINDS = (
    "window 256", "window 1024", "window+global", "window+stride", "window+random",
    "adaptive span", "linformer", "lsh", "sinkhorn", "full", "LED window 256", "LED window 1024",
)  # fmt: skip
PROJECTIONS = "LED projections"
UNIT = "window 256"
# Costs time in proportion to length, and is as wide as the unit.
LINEAR = ("window+global", "window+stride", "window+random", "adaptive span", "linformer", "lsh",
          "sinkhorn")  # fmt: skip
CROSS = {"cross full": 1, f"cross HEPOS {STRIDE}": STRIDE}
SIZES = ("cache_mb", "projection_gflop", "scores")
Row = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    """Print tables; with `--json FILE` write the figures as JSON as well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--lengths", type=int, nargs="+", default=[1024, 4096, 16384])
    parser.add_argument("--dtype", nargs="+", default=["float32", "bfloat16"])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--cross", nargs="*", choices=[*CROSS], default=[*CROSS])
    parser.add_argument("--repeat", type=int, default=5, help="runs; the median is reported")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args(arguments)
    options.lengths.sort()
    rows: list[Row] = []
    for dtype in options.dtype:
        found = measure(options, dtype)
        show(found, options.lengths, dtype)
        rows += found
    finish({"lengths": options.lengths, "attention": rows}, options.json)


def measure(options: argparse.Namespace, dtype: str) -> list[Row]:
    """Measure all kinds in one type: a row each, with a cell for each length."""
    cells: dict[str, list[Row]] = {}
    for tokens in options.lengths:
        subjects: dict[str, tuple[Any, ...]] = {
            kind: (build_led if kind.startswith("LED") else build_ours, kind, tokens, dtype)
            for kind in options.kinds
        }
        if any(kind.startswith("LED") for kind in options.kinds):
            subjects[PROJECTIONS] = (build_projections, tokens, dtype)
        subjects |= {kind: (build_cross, CROSS[kind], tokens, dtype) for kind in options.cross}
        with working(subjects) as workers:
            take_turns(workers, 1)
            found = take_turns(workers, options.repeat)
        projections = found.pop(PROJECTIONS, None)
        for kind, summary in found.items():
            less = projections.seconds if projections and kind.startswith("LED") else 0.0
            cells.setdefault(kind, []).append(cell(summary, less))
    return [{"kind": kind, "dtype": dtype, "cells": each} for kind, each in cells.items()]


def cell(summary: Summary, less: float) -> Row:
    """Return the figures of one kind at one length, less the time of what is timed apart."""
    found: Row = {"ms": 1000 * (summary.seconds - less), "mb": summary.megabytes}
    return found | (summary.reports[0] or {})


def show(rows: list[Row], lengths: list[int], dtype: str) -> None:
    """Print times, memory and slopes, and what is claimed of them."""
    print(f"\n{dtype}: ms (MB) at {', '.join(map(str, lengths))} tokens; slope")
    for row in rows:
        times = [cell["ms"] for cell in row["cells"]]
        row["slope"] = exponent(lengths, times)
        shown = "".join(f"{cell['ms']:>10.1f} ({cell['mb']:>5.0f})" for cell in row["cells"])
        print(f"{row['kind']:<18}{shown}   {row['slope']:>5.2f}")
    by_kind = {row["kind"]: row["cells"] for row in rows}
    for kind in LINEAR:
        compare(by_kind, kind, UNIT, "time")
    for window in ("window 256", "window 1024"):
        compare(by_kind, f"LED {window}", window, "time")
    for row in rows:
        if row["kind"].startswith("cross HEPOS"):
            for size in SIZES:
                compare(by_kind, row["kind"], "cross full", size)


def compare(cells: dict[str, list[Row]], kind: str, other: str, what: str) -> None:
    """Print a figure of one kind over that of another, at each length, if both are there."""
    if kind in cells and other in cells:
        field = "ms" if what == "time" else what
        ratios = [
            one[field] / two[field] if two[field] > 0 else math.nan
            for one, two in zip(cells[kind], cells[other], strict=True)
        ]
        shown = "".join(f"{ratio:>9.2f}" for ratio in ratios)
        print(f"{kind} / {other}, {what.replace('_', ' ')}:{shown}")


def build_ours(kind: str, tokens: int, dtype: str) -> Subject:
    """Make one of longsum's attentions."""
    import torch

    from longsum.models.attention.encoder_attention import PatternAttention
    from longsum.models.attention.learned.adaptive_span import AdaptiveSpanAttention
    from longsum.models.attention.learned.linformer import LinformerAttention
    from longsum.models.attention.learned.lsh import LshAttention
    from longsum.models.attention.learned.sinkhorn import SinkhornAttention
    from longsum.models.attention.linear_layers import split_heads
    from longsum.models.attention.patterns import Full, GlobalTokens, RandomBlocks, Stride, Window

    torch.manual_seed(0)
    precision = getattr(torch, dtype)
    modules: dict[str, Callable[[], Any]] = {
        "window 256": lambda: PatternAttention(Window(256)),
        "window 1024": lambda: PatternAttention(Window(1024)),
        "window+global": lambda: PatternAttention(Window(256) | GlobalTokens(128)),
        "window+stride": lambda: PatternAttention(Window(256) | Stride(max(tokens // 128, 1))),
        "window+random": lambda: PatternAttention(Window(256) | RandomBlocks(128)),
        "adaptive span": lambda: AdaptiveSpanAttention(HEADS, 256, parametrization="sigmoid"),
        "linformer": lambda: LinformerAttention(MOST, 256).to(precision),
        "lsh": lambda: LshAttention(SIZE, chunk=64, rounds=4),
        "sinkhorn": lambda: SinkhornAttention(HEADS, SIZE, MOST, 128),
        "full": lambda: PatternAttention(Full()),
    }
    module = modules[kind]()
    inputs = [split_heads(_states(tokens).to(precision), HEADS) for _ in range(3)]
    return Subject(without_gradients(lambda: module(*inputs)))


def build_led(kind: str, tokens: int, dtype: str) -> Subject:
    """Make LED's self-attention module, its projections among it."""
    import torch
    from transformers import LEDConfig
    from transformers.models.led.modeling_led import LEDEncoderSelfAttention

    torch.manual_seed(0)
    window = int(kind.split()[-1])
    config = LEDConfig(
        d_model=HEADS * SIZE, encoder_attention_heads=HEADS, attention_window=[window]
    )
    precision = getattr(torch, dtype)
    module = LEDEncoderSelfAttention(config, 0).to(precision).eval()
    # LED needs whole windows; its encoder pads to them.
    states = _states(-(-tokens // window) * window).to(precision)
    mask = torch.zeros(states.shape[:2], dtype=precision)
    nowhere = torch.zeros(states.shape[:2], dtype=torch.bool)

    def run() -> Any:
        return module(
            states,
            attention_mask=mask,
            is_index_masked=nowhere,
            is_index_global_attn=nowhere,
            is_global_attn=False,
        )

    return Subject(without_gradients(run))


def build_projections(tokens: int, dtype: str) -> Subject:
    """Make the three projections that LED's module holds."""
    import torch

    precision = getattr(torch, dtype)
    layers = [torch.nn.Linear(HEADS * SIZE, HEADS * SIZE).to(precision) for _ in range(3)]
    states = _states(tokens).to(precision)
    return Subject(without_gradients(lambda: [layer(states) for layer in layers]))


def build_cross(stride: int, tokens: int, dtype: str) -> Subject:
    """Make one step of a cross-attention over a source that is folded and projected already."""
    import torch

    from longsum.models.attention.cross import Hepos
    from longsum.models.attention.linear_layers import split_heads

    torch.manual_seed(0)
    precision, size = getattr(torch, dtype), HEADS * SIZE
    source = Hepos(stride).fold(_states(tokens).to(precision))
    layers = [torch.nn.Linear(size, size, bias=False).to(precision) for _ in range(2)]
    query = split_heads(_states(BEAMS).to(precision), HEADS)
    with torch.no_grad():
        key, value = (source.project(layer, HEADS) for layer in layers)
    operations = 2 * 2 * source.hidden.numel() * (HEADS // source.hidden.shape[1]) * SIZE
    sizes = {
        "cache_mb": (key.nbytes + value.nbytes) / 2**20,
        "projection_gflop": operations / 1e9,
        "scores": BEAMS * key.shape[1] * key.shape[2],
    }
    mask = None if bool(source.seen.all()) else source.mask(HEADS)
    attend = torch.nn.functional.scaled_dot_product_attention
    return Subject(
        without_gradients(lambda: attend(query, key, value, attn_mask=mask)), lambda _: sizes
    )


def _states(tokens: int) -> Any:
    """Draw outputs of a model's projections, `[1, tokens, heads · size]`."""
    import torch

    return torch.randn(1, tokens, HEADS * SIZE)


def without_gradients(call: Callable[[], Any]) -> Callable[[], Any]:
    """Return the call as it is made in inference."""
    import torch

    def run() -> Any:
        with torch.no_grad():
            return call()

    return run


if __name__ == "__main__":
    main()
