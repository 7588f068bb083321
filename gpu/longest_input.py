"""The longest input that fits in a given memory, with and without HEPOS.

Run: PYTHONPATH=src python gpu/longest_input.py [--memory GB …] [--write] [--count] [--json FILE]

HEPOS (§1, §6) reads about twice as many tokens as full cross-attention in the same memory. Here the
longest input is found by bisection, to 1,024 tokens, for one update of training (one document, a
target of 1,024 tokens, Adafactor, weights in fp32 and products in bf16), or with `--write` for
reading a document and the first step of generation with four beams. On a GPU the updates are run,
and PyTorch is allowed that much memory; elsewhere, or with `--count`, memory is counted
(`counted_memory.py`), which needs no GPU at any size. `scores` says whether PyTorch's attentions
keep their scores for the backward pass, as in 2021, or are fused; `layers`, whether each layer's
inner states are kept or recomputed. Systems are those of `peer_systems.py`. `--small` is a toy
size.
"""

import argparse
import gc
import json
import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import torch
from counted_memory import peak_without_computing, shape_as_kernels
from peer_systems import FIRST_ONLY, SIZES, SYSTEMS, Geometry, build, sources
from steps import begin_to_write, learn, new_optimizer, recompute_layers

GB = 10**9
MOST = 2**22
"""No input is longer."""
PAIRS = ("window", "Sinkhorn")
"""Encoders that are held against themselves with HEPOS."""
READERS = [name for name in SYSTEMS if name not in (FIRST_ONLY, "LED's window")]
"""Systems whose memory grows with the input, each once: LED's window takes what another does."""
COUNTED = [name for name in READERS if "LSH" not in name]
"""LSH keeps rotations for later calls, which tensors without values must not be."""
NEVER_FUSED = ("HF LED", "PEGASUS-X's blocks")
"""Their code in `transformers` keeps its scores, whatever is asked for."""
SCORES = ("fused", "kept")
LAYERS = ("kept", "computed again")
Row = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each system, and the gain by HEPOS."""
    options = parse(arguments)
    rows: list[Row] = []
    print(f"{'system':<20}{'scores':>8}{'layers':>16}" + "".join(
        f"{f'{memory:g} GB':>12}" for memory in options.memory
    ))  # fmt: skip
    for name, scores, layers in product(options.systems, options.scores, options.layers):
        if scores == "fused" and name in NEVER_FUSED and not options.write:
            continue
        row = measured(name, scores, layers, options)
        rows.append(row)
        cells = "".join(f"{tokens:>12,}" for tokens in row["tokens"])
        print(f"{name:<20}{scores:>8}{layers:>16}{cells}", flush=True)
    for line in gains(rows, options.memory):
        print(line)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--memory", type=float, nargs="+", default=[24, 48], help="GB")
    parser.add_argument("--systems", nargs="+", choices=READERS)
    parser.add_argument("--scores", nargs="+", choices=SCORES)
    parser.add_argument("--layers", nargs="+", choices=LAYERS)
    parser.add_argument("--target", type=int, default=1024, help="tokens of the target")
    parser.add_argument("--write", action="store_true", help="generation instead of training")
    parser.add_argument("--count", action="store_true", help="count, even if there is a GPU")
    parser.add_argument("--step", type=int, default=1024, help="lengths are multiples of this")
    parser.add_argument("--small", action="store_true", help="toy size")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args(arguments)
    options.count = options.count or not torch.cuda.is_available()
    options.systems = options.systems or (COUNTED if options.count else READERS)
    if options.write:
        options.scores, options.layers = ["fused"], ["kept"]
    options.scores = options.scores or SCORES
    options.layers = options.layers or LAYERS
    return options


def measured(name: str, scores: str, layers: str, options: argparse.Namespace) -> Row:
    """Return the longest input of a system in each memory."""
    work = partial(
        read_and_write if options.write else update,
        name,
        SIZES["small" if options.small else "large"],
        target=options.target,
        scores=scores,
        layers=layers,
        shaped=options.count,
    )
    peak = cache(lambda tokens: peak_without_computing(partial(work, tokens)))
    found = []
    for memory in options.memory:
        needed = peak if options.count else partial(peak_on_gpu, work, memory * GB)
        found.append(longest(needed, memory * GB, options.step))
    return {
        "system": name,
        "scores": scores,
        "layers": layers,
        "write": options.write,
        "counted": options.count,
        "memory": options.memory,
        "tokens": found,
    }


def longest(peak: Callable[[int], float], memory: float, step: int, most: int = MOST) -> int:
    """Return the longest input that fits, a multiple of a step; 0 if none does.

    Memory grows roughly in proportion to the input, so a line through two points predicts the
    length. If a point is unknown, or the last line moved only one end, the middle is tried.

    Args:
        peak: Returns the bytes that a number of tokens takes; infinite if they do not fit.
        memory: Available bytes.
        step: Lengths are multiples of this.
        most: No input is longer; a multiple of the step.
    """
    low, high = 0, step
    below, above = 0.0, peak(high)
    while above <= memory:
        # The first point includes the weights, and says nothing about the memory per token.
        ahead = 2 * high
        if low:
            ahead = step * (_crossing(low, below, high, above, memory) // step + 1)
        low, below = high, above
        if high >= most:
            return most
        high = min(max(ahead, high + step), 8 * high, most)
        above = peak(high)
    moved = ""
    while high - low > step:
        guess = (low + high) // 2
        if math.isfinite(above) and moved in ("", "both"):
            guess = _crossing(low, below, high, above, memory)
        guess = min(max(guess // step * step, low + step), high - step)
        needed = peak(guess)
        end = "low" if needed <= memory else "high"
        moved = "both" if moved not in ("", "both", end) else end
        if end == "low":
            low, below = guess, needed
        else:
            high, above = guess, needed
    return low


def _crossing(low: int, below: float, high: int, above: float, memory: float) -> int:
    """Return the length at which a line through two points reaches the memory."""
    return int(low + (memory - below) / max((above - below) / (high - low), 1.0))


def update(
    name: str, geometry: Geometry, tokens: int, *, target: int, scores: str, layers: str,
    shaped: bool,
) -> None:  # fmt: skip
    """Make a system and one update of it."""
    model = build(name, geometry, tokens)
    if shaped:
        shape_as_kernels(model)
    if layers == "computed again":
        recompute_layers(model)
    source = sources(geometry, name, 1, tokens)
    labels = torch.randint(3, geometry.vocabulary, (1, target))
    # Adafactor's states are a thousandth of the weights, and its work is not the peak.
    optimizer = None if shaped else new_optimizer(model)
    learn(model, optimizer, source, labels, "bf16", scores)


def read_and_write(name: str, geometry: Geometry, tokens: int, *, shaped: bool, **_: Any) -> None:
    """Make a system that reads a document and takes the first step of generation."""
    model = build(name, geometry, tokens).eval()
    if shaped:
        shape_as_kernels(model)
    begin_to_write(model, sources(geometry, name, 1, tokens), "bf16")


def peak_on_gpu(work: Callable[[int], None], memory: float, tokens: int) -> float:
    """Run something on the GPU with limited memory; return its peak, or infinity."""
    whole = torch.cuda.get_device_properties(0).total_memory
    # Frees reference cycles of the last attempt.
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    torch.cuda.set_per_process_memory_fraction(min(memory / whole, 1.0))
    try:
        with torch.device("cuda"):
            work(tokens)
    except torch.OutOfMemoryError:
        return math.inf
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    return torch.cuda.max_memory_allocated()


def gains(rows: list[Row], memories: list[float]) -> Iterator[str]:
    """Return how many times as many tokens each encoder reads with HEPOS."""
    found = {(row["system"], row["scores"], row["layers"]): row["tokens"] for row in rows}
    for encoder, scores, layers in product(PAIRS, SCORES, LAYERS):
        without = found.get((encoder, scores, layers))
        with_it = found.get((f"{encoder} + HEPOS", scores, layers))
        if without and with_it and all(without):
            times = ", ".join(
                f"{more / fewer:.2f} × in {memory:g} GB"
                for more, fewer, memory in zip(with_it, without, memories, strict=True)
            )
            yield f"HEPOS, {encoder}, scores {scores}, layers {layers}: {times}"


if __name__ == "__main__":
    main()
