"""Does every attention give on a GPU what its definition gives, and how fast is it there?

Run: PYTHONPATH=src python gpu/check_attention.py [--tokens N] [--json FILE]

For each encoder attention: the largest difference of output and gradients from the dense
definition (fp32, 600 tokens, padded), milliseconds and peak memory at the full length in bf16, and
whether rows without a key give zeros (SDPA may give NaN there). Then HEPOS against its dense mask.
Without a GPU it runs on the CPU; `--tokens 512` is its toy size.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from longsum.attention.cross import Hepos
from longsum.attention.reference import dense_attention
from longsum.attention.settings import EncoderAttentionConfig, build_encoder_attention

HEADS, SIZE, SHORT = 16, 64, 600
KINDS: dict[str, dict[str, Any]] = {
    "full": {},
    "window": {"kind": "pattern", "window": 256},
    "window+global": {"kind": "pattern", "window": 256, "global_tokens": 128},
    "window+stride": {"kind": "pattern", "window": 256, "stride": 64},
    "window+random": {"kind": "pattern", "window": 256, "random_block": 128},
    "adaptive_span": {"kind": "adaptive_span", "window": 256, "span_parametrization": "sigmoid"},
    "linformer": {"kind": "linformer"},
    "lsh": {"kind": "lsh"},
    "sinkhorn": {"kind": "sinkhorn"},
}
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def main() -> None:
    """Print a row for each attention."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=16_384)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    print(f"{DEVICE}, torch {torch.__version__}, {options.tokens} tokens")
    print(f"{'attention':<16}{'output':>10}{'gradient':>10}{'zeros':>7}{'ms':>10}{'MB':>8}")
    rows = []
    for name, settings in KINDS.items():
        row = {"attention": name, **check(settings), **measure(settings, options.tokens)}
        rows.append(row)
        print(
            f"{name:<16}{row['output']:>10.1e}{row['gradient']:>10.1e}{row['zeros']!s:>7}"
            f"{row['ms']:>10.2f}{row['mb']:>8.0f}",
            flush=True,
        )
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(f"HEPOS against its dense mask: {check_hepos():.1e}")


def build(settings: dict[str, Any], tokens: int, execution: Any = "fast") -> torch.nn.Module:
    """Make an attention, the same at every call."""
    torch.manual_seed(0)
    config = EncoderAttentionConfig(**settings)
    return build_encoder_attention(
        config, heads=HEADS, head_dim=SIZE, tokens=tokens, execution=execution
    ).to(DEVICE)


def inputs(tokens: int, dtype: torch.dtype, learn: bool) -> list[torch.Tensor]:
    """Return queries, keys and values."""
    generator = torch.Generator().manual_seed(1)
    shape = (2 if learn else 1, HEADS, tokens, SIZE)
    made = (torch.randn(shape, generator=generator).to(DEVICE, dtype) for _ in range(3))
    return [tensor.requires_grad_(learn) for tensor in made]


def check(settings: dict[str, Any]) -> dict[str, Any]:
    """Compare the fast execution with the definition."""
    real = torch.ones(2, SHORT, dtype=torch.bool, device=DEVICE)
    real[1, SHORT // 2 :] = False
    found = []
    for execution in ("fast", "reference"):
        arguments = inputs(SHORT, torch.float32, learn=True)
        output = build(settings, SHORT, execution)(*arguments, real) * real[:, None, :, None]
        gradients = torch.autograd.grad(output.square().sum(), arguments)
        found.append((output, *gradients))
    differences = [float((a - b).detach().abs().max()) for a, b in zip(*found, strict=True)]
    nothing = torch.zeros_like(real)
    with torch.no_grad():
        blind = build(settings, SHORT)(*inputs(SHORT, torch.float32, learn=True), nothing)
    return {
        "output": differences[0],
        "gradient": max(differences[1:]),
        "zeros": bool((blind == 0).all()),
    }


def measure(settings: dict[str, Any], tokens: int) -> dict[str, float]:
    """Time the fast execution in bf16 and take its peak memory."""
    module, arguments = build(settings, tokens).bfloat16(), inputs(tokens, torch.bfloat16, False)
    with torch.no_grad():
        module(*arguments)
        if DEVICE == "cuda":
            torch.cuda.reset_peak_memory_stats()
        milliseconds = 1000 * timed(lambda: module(*arguments))
    peak = torch.cuda.max_memory_allocated() / 2**20 if DEVICE == "cuda" else float("nan")
    return {"ms": milliseconds, "mb": peak}


def timed(call: Callable[[], object], runs: int = 5) -> float:
    """Return the best of several times."""
    times = []
    for _ in range(runs):
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        began = time.perf_counter()
        call()
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - began)
    return min(times)


def check_hepos() -> float:
    """Return the largest difference of folded from masked cross-attention."""
    generator = torch.Generator().manual_seed(2)
    size = HEADS * SIZE
    hidden, query, weight = (
        torch.randn(shape, generator=generator).to(DEVICE)
        for shape in ((2, SHORT, size), (2, HEADS, 5, SIZE), (size, size))
    )
    weight *= size**-0.5
    pattern = Hepos(4)
    folded = pattern.fold(hidden)
    key = folded.project(weight, None, HEADS)
    fast = dense_attention(query, key, key, folded.mask(HEADS))
    whole = (hidden @ weight.T).view(2, SHORT, HEADS, SIZE).transpose(1, 2)
    visible = pattern.visible(HEADS, SHORT, torch.ones(2, SHORT, dtype=torch.bool, device=DEVICE))
    return float((fast - dense_attention(query, whole, whole, visible)).abs().max())


if __name__ == "__main__":
    main()
